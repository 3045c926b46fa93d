"""The objects of a run or job in a folder, as `skipscan report --folder` reads them."""

from pathlib import Path

from skipscan.folder import storage
from skipscan.report.committed import StoredWork


def local(path: Path) -> StoredWork:
    return StoredWork(storage.Folder(path))
