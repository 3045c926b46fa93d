"""A run in a local folder: the output of `skipscan keys --folder`."""

from skipscan.environment.archive import Finished
from skipscan.errors import NotFoundError
from skipscan.folder.storage import Folder, InFolder
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results


class LocalRun(Folder):
    """A run in a folder, or a local copy of one on S3, whose manifest has the parts' full names on S3."""

    def get(self, name: str) -> bytes | None:
        _, keys, part = name.rpartition("keys/")
        return super().get(keys + part)

    def finished(self) -> Finished:
        """Return the run; raise `NotFoundError` if there is none or it is not finished."""
        if not self.path.is_dir():
            raise NotFoundError(f"there is no folder {self.path}: name the folder that has the run's manifest.json")
        results = Results(self, InFolder("", "any", LISTING.folder, "run", LISTING.lines))
        try:
            manifest = results.manifest()
        except (AttributeError, ValueError):
            manifest = None
        if manifest is None or LISTING.noun not in manifest:
            raise NotFoundError(f"{self.path} holds no finished run: name the folder that has its manifest.json")
        return Finished(self.path.name, manifest)
