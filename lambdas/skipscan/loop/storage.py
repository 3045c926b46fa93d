"""Where results lie, as the kernel sees it: a bucket in an account, a folder on a laptop. No boto3 here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Stored:
    """An object as it lies there. `bytes`: its size. `modified`: when it was put.

    `sha256`: of its content, in hex, as the storage itself has measured it; `None` if it has not.
    """

    name: str
    bytes: int
    modified: datetime
    metadata: Mapping[str, str]
    sha256: str | None = None


class Storage(Protocol):
    """Objects by name. Whatever was put is seen by every call after it (S3: strong read-after-write consistency)."""

    def uri(self, name: str) -> str:
        """Return the address that people and other tools know an object by."""

    def get(self, name: str) -> bytes | None:
        """Return an object's content; `None` if there is none."""

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        """Return the bytes from `start` up to `end` of an object, and how many it has in all."""

    def look(self, name: str) -> Stored | None:
        """Return what is known of an object without its content; `None` if there is none."""

    def put(self, name: str, body: bytes) -> None:
        """Put an object in place of one that is there."""

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        """Put an object unless one is there; return whether it was put. A lost answer shows as one being there.

        `expires`: it may be removed once nobody needs it.
        """

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Return the names that begin so, in ascending order, each with the time it was put."""

    def folders(self, prefix: str) -> Iterator[str]:
        """Return the next steps of the paths below a prefix that ends with a slash, each once."""
