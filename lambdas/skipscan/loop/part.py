"""The lines of one batch as one object, before and after it is stored."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Generic, TypeVar

Line_contra = TypeVar("Line_contra", contravariant=True)


class Part(Generic[Line_contra]):
    """Lines in memory, in a single copy. The batch's bound in bytes keeps them small.

    `header`: the first line of a part that is not empty.
    """

    def __init__(self, encode: Callable[[Line_contra], bytes], header: bytes = b"") -> None:
        self._encode = encode
        self._header = header
        self._body = BytesIO()
        self.lines = 0

    def write(self, lines: Sequence[Line_contra]) -> int:
        """Add lines; return how many bytes they take up."""
        if self._header and lines and not self.lines:
            self._body.write(self._header)
        self.lines += len(lines)
        return self._body.write(b"".join(map(self._encode, lines)))

    def body(self) -> bytes:
        return self._body.getvalue()  # BytesIO returns its buffer, not a copy


@dataclass(frozen=True, slots=True)
class StoredPart:
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


def checksum(body: bytes) -> str:
    """Return the SHA-256 of a part in hex, as the manifest states it."""
    return hashlib.sha256(body).hexdigest()
