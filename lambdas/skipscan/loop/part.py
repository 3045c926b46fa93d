"""The keys of one batch, as the object they become on S3."""

import hashlib
from collections.abc import Sequence
from io import BytesIO

from skipscan.dynamodb.source import PartitionKey
from skipscan.keys.line_format import Encode


class Part:
    """JSON lines gathered in memory, and there only once; a batch's bound in bytes keeps them small."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._lines = BytesIO()
        self.keys = 0

    def write(self, keys: Sequence[PartitionKey]) -> int:
        """Add the keys; return the bytes they take up."""
        self.keys += len(keys)
        return self._lines.write(b"".join(map(self._encode, keys)))

    def body(self) -> bytes:
        return self._lines.getvalue()  # BytesIO hands out the buffer itself, not a copy


def checksum(body: bytes) -> str:
    """Return the SHA-256 of a part in hex, as the manifest states it."""
    return hashlib.sha256(body).hexdigest()
