"""The storage of results, as the kernel sees it: a bucket, or a folder on a laptop. No boto3 here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Stored:
    """A stored object. `bytes`: its size. `modified`: when it was put.

    `sha256`: of its content, in hex, as the storage itself measured it; `None` if the storage did not.
    """

    name: str
    bytes: int
    modified: datetime
    metadata: Mapping[str, str]
    sha256: str | None = None


class Storage(Protocol):
    """Objects by name. Every call sees all earlier puts (S3: strong read-after-write consistency)."""

    def uri(self, name: str) -> str:
        """Return an object's address for people and other tools."""

    def get(self, name: str) -> bytes | None:
        """Return an object's content; `None` if there is none."""

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        """Return the bytes from `start` up to `end` of an object, and its total size."""

    def look(self, name: str) -> Stored | None:
        """Return an object's metadata without its content; `None` if there is no object."""

    def put(self, name: str, body: bytes) -> None:
        """Put an object, replacing an existing one."""

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        """Put an object unless one of that name exists; return whether it was put.

        A lost answer looks as if one existed. `expires`: the object may be removed when it is no longer needed.
        """

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Return the names with a prefix, in ascending order, each with the time it was put."""

    def folders(self, prefix: str) -> Iterator[str]:
        """Return the next level of names below a prefix that ends with a slash, each once."""
