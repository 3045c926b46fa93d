"""The objects of a run or job in a folder, as `skipscan report --results` reads them."""

from pathlib import Path

from skipscan.folder import storage
from skipscan.report.folder import Folder


def local(path: Path) -> Folder:
    return Folder(storage.Folder(path))
