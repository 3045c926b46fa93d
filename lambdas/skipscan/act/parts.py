"""The parts of a finished run: cut into slices that workers share, and their lines, read by ranges of bytes.

One part with a million keys so keeps many workers busy.

A slice contains the lines that begin in it. Where lines begin is only known when they are read, so a slice is read from
the byte before it: if that is a line end, the slice's first byte begins a line.

In csv, a line is a record: it may hold line ends, and the first one of a part names the attributes.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from skipscan.dynamodb.source import Item, partition_key_of
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import IncompleteRunError
from skipscan.lines.convert import header_of, item_reader
from skipscan.lines.formats import decoder, format_of
from skipscan.lines.line_format import record_end
from skipscan.loop.storage import Storage, checksum

SLICE_BYTES = 1 << 20


@dataclass(frozen=True)
class Slice:
    """Bytes `start` to `end` of a part. `part`: its number in the manifest. `bytes`, `sha256`: of the whole part."""

    part: int
    name: str
    bytes: int
    sha256: str
    start: int
    end: int


def cut(manifest: Mapping[str, Any]) -> list[Slice]:
    """Return the slices of a run's parts. A part is one slice where a record may hold line ends, as in csv.

    Whether a line end lies within a record is only known by all that comes before it.
    """
    parts = manifest["parts"]
    if format_of(manifest["format"]).quote is None:
        return slices(parts)
    return slices(parts, max((part["bytes"] for part in parts), default=0) or SLICE_BYTES)


def slices(parts: Sequence[Mapping[str, Any]], slice_bytes: int = SLICE_BYTES) -> list[Slice]:
    """Return the slices of the parts in a manifest, in order; an empty part has none."""
    return [
        Slice(number, part["name"], part["bytes"], part["sha256"], start, min(start + slice_bytes, part["bytes"]))
        for number, part in enumerate(parts)
        for start in range(0, part["bytes"], slice_bytes)
    ]


CHUNK_BYTES = 256 << 10
"""The bytes of one fetch. A line has a few KB at most, or some hundred KB with an item."""


def read_lines(
    slice_: Slice,
    offset: int | None,
    found: Callable[[bytes, int], object],
    chunk_bytes: int = CHUNK_BYTES,
    *,
    has_header: bool = False,
    quote: bytes | None = None,
) -> Generator[Slice, bytes, None]:
    """Yield what to fetch of a slice, and hand each of its lines to `found` once they are sent.

    `offset`: where one of its lines begins; `None`: from the slice's beginning. `found`: takes a line with its line
    end, and where the next one begins. `has_header`: the first line of a part is no key. `quote`: see `LineFormat`.
    """
    is_aligned = offset is not None or (slice_.start == 0 and not has_header)
    if offset is None:
        offset = max(0, slice_.start - (not is_aligned))
    buffer, taken = b"", 0
    while not is_aligned or offset < slice_.end:
        end = record_end(buffer, taken, quote)
        if end:
            line, taken = buffer[taken:end], end
            offset += len(line)
            if is_aligned:
                found(line, offset)
            is_aligned = True
            continue
        start = offset + len(buffer) - taken
        if start >= slice_.bytes:
            raise ValueError("a part ends in the middle of a line: it differs from what its run wrote")
        body = yield replace(slice_, start=start, end=min(start + chunk_bytes, slice_.bytes))
        buffer, taken = buffer[taken:] + body, 0


def line_reader(partition_key: Sequence[KeyAttribute], form: str) -> Callable[..., Generator[Slice, bytes, None]]:
    """Return `read_lines` for slices in a format."""
    return partial(read_lines, has_header=bool(header_of(partition_key, form)), quote=format_of(form).quote)


SAMPLED_SLICES, SAMPLED_BYTES = 8, 16 << 10
"""The keys of a preview's sample; each costs one GET."""


class Parts:
    """Reads the parts in a manifest. Safe to use from several threads."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._checked: set[str] = set()

    def read(self, needed: Slice) -> bytes:
        """Return the bytes; raise `IncompleteRunError` if the part is not the one in the manifest.

        Before the first bytes of a part are returned, its stored checksum is compared. A part without a stored checksum
        is read here completely: parts have some MB.
        """
        if needed.name not in self._checked:
            stored = self._storage.look(needed.name)
            measured = stored and (stored.sha256 or checksum(self._storage.get(needed.name) or b""))
            if measured != needed.sha256:
                raise _changed(needed)
            self._checked.add(needed.name)
        body, size = self._storage.get_range(needed.name, needed.start, needed.end)
        if size != needed.bytes:
            raise _changed(needed)
        return body

    def sample(self, manifest: Mapping[str, Any], *, takes_items: bool = False) -> tuple[Item, ...]:
        """Return the first keys of slices from all over a run, with `takes_items` the first items."""
        slices = cut(manifest)
        chosen = dict.fromkeys(place * len(slices) // SAMPLED_SLICES for place in range(SAMPLED_SLICES) if slices)
        partition_key, form = partition_key_of(manifest), manifest["format"]
        decode = decoder(partition_key, form)
        if takes_items:
            decode = item_reader(partition_key, form, has_level=bool(manifest.get("level")))
        read = line_reader(partition_key, form)
        keys: list[Item] = []
        for place in chosen:
            before = len(keys)
            reading = read(slices[place], None, lambda line, _: keys.append(decode(line)), SAMPLED_BYTES)
            with suppress(StopIteration):
                needed = next(reading)
                while len(keys) == before:  # a line with an item may be long
                    needed = reading.send(self.read(needed))
        return tuple(keys)


def _changed(needed: Slice) -> IncompleteRunError:
    return IncompleteRunError(
        needed.name,
        rule=f"is not the part of {needed.bytes:,} bytes with the SHA-256 in the manifest, because someone changed the "
        "run's result",
        remedy="list the table again, and start the job on the new run",
    )
