"""The storage of results, as the kernel sees it: a bucket, or a folder on a laptop; and the parts in it.

No boto3 here.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any, NamedTuple, Protocol


@dataclass(frozen=True)
class Stored:
    """A stored object. `bytes`: its size.

    `sha256`: of its content, in hex, as the storage itself measured it; `None` if the storage did not.
    """

    name: str
    bytes: int
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


class Part:
    """Lines in memory, in a single copy. The batch's bound in bytes keeps them small.

    `header`: the first line of a part that is not empty.
    """

    def __init__(self, encode: Callable[[Any], bytes], header: bytes = b"") -> None:
        self._encode = encode
        self._header = header
        self._body = BytesIO()
        self.lines = 0

    def write(self, lines: Sequence[Any]) -> int:
        """Add lines; return how many bytes they take up."""
        if self._header and lines and not self.lines:
            self._body.write(self._header)
        self.lines += len(lines)
        before = self._body.tell()
        self._body.writelines(map(self._encode, lines))
        return self._body.tell() - before

    def body(self) -> bytes:
        return self._body.getvalue()  # BytesIO returns its buffer, not a copy


class StoredPart(NamedTuple):
    """A stored part. `bytes`: its size. `sha256`: of its content, in hex. `attempt`: the one that put it.

    `checkpoint_sha256`: of the checkpoint that the part commits, in hex.
    """

    worker: int
    batch: int
    name: str
    keys: int
    bytes: int
    sha256: str
    attempt: str
    checkpoint_sha256: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the part's row in the manifest."""
        return {"name": self.name, "keys": self.keys, "bytes": self.bytes, "sha256": self.sha256}


def checksum(body: bytes) -> str:
    """Return the SHA-256 of a part in hex, as the manifest states it."""
    return hashlib.sha256(body).hexdigest()
