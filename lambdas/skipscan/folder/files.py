"""Files that are complete or missing, whenever the process or the machine stops, and disk errors in words."""

import errno
import os
import re
import secrets
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from skipscan.errors import DeniedError, InputError

NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV, errno.EINVAL}
"""The errors of a file system without hard links, such as exFAT. Windows reports EINVAL."""

NOT_ALLOWED = (
    "cannot be used without permission",
    "change the permissions of the folder and of everything in it",
)

WAYS = {
    errno.ENOSPC: ("is on a full disk", "make room"),
    errno.EDQUOT: ("needs more than your quota of the disk", "make room"),
    errno.EROFS: ("is on a read-only disk", "use a folder on another disk"),
    errno.EACCES: NOT_ALLOWED,
    errno.EPERM: NOT_ALLOWED,
}


REFUSE, KEEP, AGAIN = FINISHED = ("refuse", "keep", "again")
"""What to do about a folder whose listing is finished. Nothing but a person can tell whether its keys are old."""


def local_folder(folder: object) -> Path:
    """Return the path of a folder to write to; raise `InputError` for what cannot be one on this machine."""
    if not isinstance(folder, (str, os.PathLike)) or not str(folder):
        raise InputError("folder", folder, "it must be the path of a folder", "name one")
    if re.match(r"\w{2,}://", str(folder)):  # not C://
        raise InputError(
            "folder", folder, "it must be on this machine", "name another; `aws s3 cp --recursive` copies it"
        )
    path = Path(folder)
    # Not `Path.exists`, which raises an error where permission is missing (Python 3.11).
    there = next((each for each in (path, *path.parents) if os.path.exists(each)), path)
    if os.path.exists(there) and not os.path.isdir(there):
        raise InputError("folder", str(folder), f"{there} is a file", "use a new folder")
    return path


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn a disk error into a `DeniedError` that says what to do. `path`: a file, or the folder of a run."""
    try:
        yield
    except OSError as error:
        rule, way = WAYS.get(error.errno or 0, (f"cannot be used: {os.strerror(error.errno or 0)}", "look at the disk"))
        # Not `Path.exists`, which raises an error where permission is missing (Python 3.11).
        is_started = os.path.exists(path / "plan.json") and not os.path.exists(path / "manifest.json")
        then = again(path) if is_started else "run the same command again"
        raise DeniedError(str(path), rule=rule, remedy=f"{way}, then {then}") from None


def again(folder: Path) -> str:
    """Return how a listing in a folder continues."""
    # `resume` also takes a table's name: a slash at the end makes it a folder.
    return f"`skipscan resume {shlex.quote(os.path.join(folder, ''))}` continues"


def make_folder(path: Path) -> None:
    """Make a folder and its parents, each durable before anything is put into it."""
    if path.is_dir():
        return
    make_folder(path.parent)
    # Another process may make it at the same time.
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)


def write_aside(scratch: Path, body: bytes) -> Path:
    """Write a file under its own name below `scratch`; return it when its content is durable."""
    # After a crash `Folder.clear` removes files with this beginning.
    path = scratch / f"unfinished-{secrets.token_hex(8)}"
    try:
        with path.open("xb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def replace(path: Path, body: bytes, scratch: Path) -> None:
    """Put a whole file, replacing an existing one."""
    write_aside(scratch, body).replace(path)
    sync_folder(path.parent)


def create(path: Path, body: bytes, scratch: Path) -> bool:
    """Put a whole file unless one of that name exists; return whether it was put."""
    aside = write_aside(scratch, body)
    try:
        # A link fails if the name exists; a rename would replace that file.
        os.link(aside, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if path.exists():  # no other process can interfere: the folder is locked
            return False
        aside.rename(path)
    finally:
        aside.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable. Windows cannot open a folder, and journals names itself."""
    if os.name == "nt":
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


HELD_BYTE = 1 << 20
"""Far behind the holder's name, because Windows does not let others read locked bytes."""


@contextmanager
def locked(folder: Path, scratch: Path) -> Iterator[None]:
    """Lock the folder; raise `DeniedError` if another process has the lock. `scratch`: where the lock file is."""
    with in_words(folder):
        make_folder(scratch)
        # "a" keeps the holder's number until the lock is ours; a buffer would repeat a failed write at close.
        file = (scratch / "lock").open("a+b", buffering=0)
    with file:
        with in_words(folder):
            is_locked = _lock(file)
        if not is_locked:
            raise DeniedError(
                str(folder), rule=f"is in use by {_holder(file)}", remedy="wait until that has ended, or stop it"
            )
        with suppress(OSError):  # of a full disk: what comes next says so
            file.truncate(0)
            file.write(b"%d" % os.getpid())
            file.flush()
        # The file stays: a process that opened a removed one would lock it, and the next process a new one.
        yield


def _holder(file: IO[bytes]) -> str:
    # No number: the holder has just emptied the file, or its disk is full.
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
        except BlockingIOError:
            return False
        return True
