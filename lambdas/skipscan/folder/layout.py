"""The names of all objects of one piece of work in a folder of its own."""

from dataclasses import dataclass

from skipscan.loop.layout import Layout


@dataclass(frozen=True)
class InFolder(Layout):
    """Names relative to the folder, so that it may be moved and copied: `plan.json`, `keys/worker=0000/...`."""

    @property
    def root(self) -> str:
        return ""
