"""The keys of one batch, as the object they become on S3."""

import hashlib
from collections.abc import Sequence

from skipscan.lines import Encode
from skipscan.source import PartitionKey


class Part:
    """JSON lines gathered in memory; a batch's bound in bytes keeps them small."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._lines: list[bytes] = []
        self.keys = 0

    def write(self, keys: Sequence[PartitionKey]) -> int:
        """Add the keys; return the bytes they take up."""
        lines = [self._encode(key) for key in keys]
        self._lines += lines
        self.keys += len(lines)
        return sum(map(len, lines))

    def body(self) -> bytes:
        return b"".join(self._lines)


def checksum(body: bytes) -> str:
    """Return the SHA-256 of a part in hex, as the manifest states it."""
    return hashlib.sha256(body).hexdigest()
