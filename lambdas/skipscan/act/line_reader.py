"""The lines of a slice, from the ranges of bytes that the caller fetches."""

from collections.abc import Iterator
from dataclasses import dataclass

from skipscan.act.slices import Slice

CHUNK_BYTES = 256 << 10
"""The bytes of one fetch. A line has a few KB at most, or some hundred KB with an item."""


@dataclass(frozen=True)
class ByteRange:
    """Bytes `start` to `end` of a part. `bytes`: of the whole part. `sha256`: of the whole part, in hex."""

    name: str
    bytes: int
    sha256: str
    start: int
    end: int


class LineReader:
    """Reads one slice from its beginning, or from the beginning of any of its lines."""

    def __init__(self, slice_: Slice, offset: int | None, chunk_bytes: int = CHUNK_BYTES) -> None:
        self._slice = slice_
        self._chunk_bytes = chunk_bytes
        self._buffer = b""
        self._is_aligned = offset is not None or slice_.start == 0
        self.offset = slice_.start - (not self._is_aligned) if offset is None else offset
        """Return where the next line begins."""

    @property
    def wanted(self) -> ByteRange | None:
        """Return what to fetch next; `None` once every line of the slice is in the buffer or was taken."""
        start = self.offset + len(self._buffer)
        if self.is_finished or start >= self._slice.bytes:
            return None
        part, end = self._slice, min(start + self._chunk_bytes, self._slice.bytes)
        return ByteRange(part.name, part.bytes, part.sha256, start, end)

    @property
    def is_finished(self) -> bool:
        """Return whether every line of the slice was taken."""
        return self._is_aligned and self.offset >= self._slice.end

    def feed(self, body: bytes) -> None:
        """Add fetched bytes."""
        self._buffer += body

    def lines(self) -> Iterator[bytes]:
        """Yield the whole lines in the buffer, with their line ends. `offset` moves on with each."""
        taken = 0
        try:
            while not self.is_finished:
                end = self._buffer.find(b"\n", taken) + 1
                if not end:
                    break
                line, taken = self._buffer[taken:end], end
                self.offset += len(line)
                if self._is_aligned:
                    yield line
                self._is_aligned = True
        finally:
            self._buffer = self._buffer[taken:]
