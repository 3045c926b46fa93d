"""Results in a folder: the kernel's storage on a laptop.

An object is a file. What S3 stores as metadata is below `.skipscan/metadata/`, under the same name, and is written
before the file itself: a file with its final name is complete, with its metadata. Only the process with the folder's
lock writes.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from skipscan.errors import IncompleteRunError, intact
from skipscan.folder import files
from skipscan.folder.files import in_words
from skipscan.loop.layout import is_in_root, is_own
from skipscan.loop.storage import Stored

OWN = ".skipscan"
"""Names that are no objects: the lock, metadata, and unfinished files."""

DISCARDED = "discarded-plan.json"
"""Below `OWN`: the plan of a run that was discarded, until another one has started."""

OF_THE_SYSTEM = frozenset(
    {
        *(".ds_store", ".localized", ".fseventsd", ".spotlight-v100", ".trashes", ".directory", "lost+found"),
        *("desktop.ini", "thumbs.db", "ehthumbs.db", "$recycle.bin", "system volume information"),
    }
)
"""Names, in small letters, that macOS, Windows and Linux put into folders by themselves."""

ANEW = "list the table again, in a new folder"
"""The way out for a folder that somebody changed."""

_STEP = re.compile(r"[A-Za-z0-9_=@-][A-Za-z0-9._=@-]{0,199}")
"""One step of a name, valid on any file system. It excludes the names that Windows reserves for devices."""


class Folder:
    """Safe to use from several threads. `path`: the folder, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.scratch = path / OWN
        self._lock = Lock()

    def is_foreign(self) -> bool:
        """Return whether the folder contains anything but our own names and those of the operating system."""
        # A process that ended before its plan may have left the keys that it was to list.
        given = [
            path for path in self.path.glob("only") if all(is_in_root(f"only/{each.name}") for each in path.iterdir())
        ]
        names = (path.name.casefold() for path in self.path.iterdir() if path not in given)
        return any(name not in {OWN, *OF_THE_SYSTEM} and not name.startswith("._") for name in names)

    def clear(self) -> None:
        """Prepare the folder, and remove unfinished files of an earlier process."""
        with in_words(self.path):
            files.make_folder(self.scratch)
            for unfinished in self.scratch.glob("unfinished-*"):
                unfinished.unlink(missing_ok=True)
            if (self.path / "plan.json").exists():
                (self.scratch / DISCARDED).unlink(missing_ok=True)

    @property
    def is_discarded(self) -> bool:
        """Return whether a run in the folder was to be discarded, and no other one has started there since."""
        return (self.scratch / DISCARDED).exists() and not (self.path / "plan.json").exists()

    def discard(self) -> None:
        """Remove the run in the folder, so that another one can begin there. After a kill, the next call ends that."""
        with in_words(self.path):
            # The plan goes first, and all at once: without its manifest alone, the run would be continued.
            if (plan := self.path / "plan.json").exists():
                plan.replace(self.scratch / DISCARDED)
                files.sync_folder(self.path)
            (self.path / "manifest.json").unlink(missing_ok=True)
            for name, _ in self.names(""):
                if is_in_root(name):
                    self._beside(name).unlink(missing_ok=True)
                    self._file(name).unlink()

    def uri(self, name: str) -> str:
        return str(self._file(name))

    def get(self, name: str) -> bytes | None:
        _, above, part = name.rpartition("/keys/")
        # The manifest in a copy of a run on S3 has the full names of its parts there, which may be none of files.
        found = self._read(self._file(f"keys/{part}")) if above else None
        return self._read(self._file(name)) if found is None else found

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        path = self._file(name)
        with in_words(path), path.open("rb") as file:
            file.seek(start)
            return file.read(end - start), path.stat().st_size

    def look(self, name: str) -> Stored | None:
        path = self._file(name)
        with in_words(path):
            try:
                size = path.stat().st_size
            except FileNotFoundError:
                return None
        return Stored(name, size, self._metadata(name))

    def put(self, name: str, body: bytes) -> None:
        path = self._file(name)
        with in_words(self.path), self._lock:
            files.make_folder(path.parent)
            files.replace(path, body, self.scratch)

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        path = self._file(name)
        with in_words(self.path), self._lock:
            if path.exists():
                return False
            files.make_folder(path.parent)
            if metadata:
                beside = self._beside(name)
                files.make_folder(beside.parent)
                files.replace(beside, json.dumps(dict(metadata)).encode(), self.scratch)
            return files.create(path, body, self.scratch)

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        # Operating systems, tools that synchronize and people put files anywhere; on S3 nobody does by accident.
        above = self.path / prefix.rpartition("/")[0]
        with in_words(self.path):
            found = [path for path in above.rglob("*") if path.is_file()] if above.is_dir() else []
            named = sorted((path.relative_to(self.path).as_posix(), path) for path in found)
            return iter(
                [
                    (name, datetime.fromtimestamp(path.stat().st_mtime, UTC))
                    for name, path in named
                    if name.startswith(prefix) and is_own(name)
                ]
            )

    def folders(self, prefix: str) -> Iterator[str]:
        above = self.path / prefix
        return iter(sorted(path.name for path in above.iterdir() if path.is_dir()) if above.is_dir() else ())

    def _metadata(self, name: str) -> Mapping[str, str]:
        body = self._read(self._beside(name))
        if body is None:
            return {}
        with intact(IncompleteRunError(str(self._beside(name)), rule="was changed", remedy=ANEW)):
            metadata: Mapping[str, str] = json.loads(body)
            if (
                not all(isinstance(value, str) for value in metadata.values())
                or not metadata.get("keys", "0").isdecimal()
            ):
                raise TypeError
        return metadata

    def _read(self, path: Path) -> bytes | None:
        with in_words(path):
            try:
                return path.read_bytes()
            except FileNotFoundError:
                if path.is_symlink():
                    raise
                return None

    def _beside(self, name: str) -> Path:
        return self.scratch / "metadata" / f"{name}.json"

    def _file(self, name: str) -> Path:
        steps = name.split("/")
        if not all(_STEP.fullmatch(step) for step in steps):
            # Of a document that somebody changed: our own are all allowed.
            raise IncompleteRunError(str(self.path), rule="has a document with a name that no file has", remedy=ANEW)
        return self.path.joinpath(*steps)
