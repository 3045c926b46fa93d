"""The objects of a run in a folder, as `skipscan report --folder` reads them."""

from pathlib import Path

from skipscan.folder import storage
from skipscan.listing.kind import LISTING
from skipscan.stored.folder import work_in
from skipscan.stored.stored_work import StoredWork


def local(path: Path) -> StoredWork:
    return work_in(storage.Folder(path), "", [LISTING])
