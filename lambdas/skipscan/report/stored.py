"""The objects of one piece of work, as a function may read them: no part, and so no key."""

from dataclasses import dataclass

from skipscan.loop.results import Results


@dataclass(frozen=True)
class Stored:
    """See `skipscan.report.record.Folder`."""

    results: Results

    def read(self, name: str) -> bytes | None:
        return self.results.storage.get(self.results.layout.root + name)

    def names(self, below: str) -> list[str]:
        root = self.results.layout.root
        return [name.removeprefix(root) for name, _ in self.results.storage.names(root + below)]

    def attempt(self, part: str) -> str | None:
        """Return `None`: that stands in the metadata of a part, which S3 gives only to those who may read the part."""
        return None
