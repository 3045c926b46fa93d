"""Where a run's objects are: in a folder here, or on S3 (`skipscan.aws.run_folder`). Names are relative to the run."""

from pathlib import Path
from typing import Protocol


class Folder(Protocol):
    """A run's objects. Several threads may read at once."""

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or `None` if there is no such object."""

    def names(self, below: str) -> list[str]:
        """Return the names that begin with `below`."""

    def attempt(self, part: str) -> str | None:
        """Return which attempt wrote a part; `None` if only the part's content was kept."""


class LocalFolder:
    """A run's objects as `aws s3 sync` copies them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self, below: str) -> list[str]:
        files = (path for path in (self._path / below).rglob("*") if path.is_file())
        return sorted(path.relative_to(self._path).as_posix() for path in files)

    def attempt(self, part: str) -> str | None:
        return None
