"""The lines of a slice, from the ranges of bytes that the caller fetches.

In csv, a line is a record: it may hold line ends, and the first one of a part names the attributes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from skipscan.act.slices import Slice
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.lines.convert import header_of
from skipscan.lines.formats import format_of

CHUNK_BYTES = 256 << 10
"""The bytes of one fetch. A line has a few KB at most, or some hundred KB with an item."""


@dataclass(frozen=True)
class Records:
    """The lines of a part. `has_header`: the first one is no key. `is_whole`: see `LineFormat`."""

    has_header: bool = False
    is_whole: Callable[[bytes], bool] | None = None

    @classmethod
    def of(cls, partition_key: Sequence[KeyAttribute], form: str) -> "Records":
        """Return the records of parts in a format."""
        return cls(bool(header_of(partition_key, form)), format_of(form).is_whole)


LINES = Records()


class LineReader:
    """Reads one slice from its beginning, or from the beginning of any of its lines."""

    def __init__(
        self, slice_: Slice, offset: int | None, chunk_bytes: int = CHUNK_BYTES, records: Records = LINES
    ) -> None:
        self._is_whole = records.is_whole
        self._slice = slice_
        self._chunk_bytes = chunk_bytes
        self._buffer = b""
        self._is_aligned = offset is not None or (slice_.start == 0 and not records.has_header)
        self.offset = max(0, slice_.start - (not self._is_aligned)) if offset is None else offset
        """Where the next line begins."""

    @property
    def wanted(self) -> Slice | None:
        """Return the bytes to fetch next; `None` once every line of the slice is in the buffer or was taken."""
        start = self.offset + len(self._buffer)
        if self.is_finished or start >= self._slice.bytes:
            return None
        return replace(self._slice, start=start, end=min(start + self._chunk_bytes, self._slice.bytes))

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
                end = self._end(taken)
                if not end:
                    break
                line, taken = self._buffer[taken:end], end
                self.offset += len(line)
                if self._is_aligned:
                    yield line
                self._is_aligned = True
        finally:
            self._buffer = self._buffer[taken:]

    def _end(self, begin: int) -> int:
        """Return where the line ends that begins there; 0 if its end is not in the buffer."""
        end = self._buffer.find(b"\n", begin) + 1
        while end and self._is_whole is not None and not self._is_whole(self._buffer[begin:end]):
            end = self._buffer.find(b"\n", end) + 1
        return end
