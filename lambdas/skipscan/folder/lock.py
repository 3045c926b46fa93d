"""One process at a time in a folder. The operating system releases the lock when its process ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from skipscan.errors import DeniedError
from skipscan.folder.files import in_words, make_folder

HELD_BYTE = 1 << 20
"""Far behind the holder's name, because Windows does not let others read locked bytes."""


@contextmanager
def locked(folder: Path, scratch: Path) -> Iterator[None]:
    """Lock the folder; raise `DeniedError` if another process has the lock. `scratch`: where the lock file is."""
    with in_words(folder):
        make_folder(scratch)
        file = (scratch / "lock").open("a+b")
    with file:
        if not _lock(file):
            raise DeniedError(f"{folder} is in use by {_holder(file)}: wait until that has ended, or stop it")
        with suppress(OSError):  # of a full disk: what comes next says so
            file.truncate(0)
            file.write(b"%d" % os.getpid())
            file.flush()
        yield


def _holder(file: IO[bytes]) -> str:
    with suppress(OSError, ValueError):
        file.seek(0)
        return f"process {int(file.read(20))}"
    return "another process"


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> bool:
        file.seek(HELD_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        file.seek(0)
        return True
else:
    import fcntl

    def _lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
