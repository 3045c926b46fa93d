"""Where the objects of a run or job lie."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Folder(Protocol):
    """The objects of a run or job. Several threads may read at once."""

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or `None` if there is no such object."""

    def names(self, below: str) -> list[str]:
        """Return the names that begin with `below`."""

    def attempt(self, part: str) -> str | None:
        """Return which attempt wrote a part; `None` if only the part's content was kept."""


class LocalFolder:
    """The objects as `aws s3 sync` copies them, or as `skipscan keys --output` writes them."""

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
        """Return what `skipscan keys --output` keeps beside its parts; a copy from S3 does not have it."""
        metadata: Mapping[str, str] = document(self.read(f".skipscan/metadata/{part}.json")) or {}
        return metadata.get("attempt")


def document(body: bytes | None) -> Any:
    """Return an object's content as JSON, or `None` if there is no such object."""
    return None if body is None else json.loads(body)
