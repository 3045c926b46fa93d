"""The parts of a finished run, read by ranges of bytes."""

from collections.abc import Mapping
from typing import Any

from skipscan.act.line_reader import LineReader, Records
from skipscan.act.slices import Slice, cut
from skipscan.dynamodb.source import Item, partition_key_of
from skipscan.errors import IncompleteRunError
from skipscan.lines.formats import decoder
from skipscan.loop.part import checksum
from skipscan.loop.storage import Storage

SAMPLED_SLICES, SAMPLED_BYTES = 8, 16 << 10
"""The keys of a preview's sample; each costs one GET."""


class Parts:
    """Reads the parts in a manifest. Safe to use from several threads."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._checked: set[str] = set()

    def read(self, wanted: Slice) -> bytes:
        """Return the bytes; raise `IncompleteRunError` if the part is not the one in the manifest.

        Before the first bytes of a part are returned, its stored checksum is compared. A part without a stored checksum
        is read here completely: parts have some MB.
        """
        if wanted.name not in self._checked:
            stored = self._storage.look(wanted.name)
            measured = stored and (stored.sha256 or checksum(self._storage.get(wanted.name) or b""))
            if measured != wanted.sha256:
                raise _changed(wanted)
            self._checked.add(wanted.name)
        body, size = self._storage.get_range(wanted.name, wanted.start, wanted.end)
        if size != wanted.bytes:
            raise _changed(wanted)
        return body

    def sample(self, manifest: Mapping[str, Any]) -> tuple[Item, ...]:
        """Return the first keys of slices from all over the run of a manifest."""
        slices = cut(manifest)
        chosen = dict.fromkeys(place * len(slices) // SAMPLED_SLICES for place in range(SAMPLED_SLICES) if slices)
        partition_key, form = partition_key_of(manifest), manifest["format"]
        decode, records = decoder(partition_key, form), Records.of(partition_key, form)
        keys: list[Item] = []
        for place in chosen:
            reader = LineReader(slices[place], None, SAMPLED_BYTES, records)
            found: list[Item] = []
            while not found and (wanted := reader.wanted) is not None:  # a line with an item may be long
                reader.feed(self.read(wanted))
                found += map(decode, reader.lines())
            keys += found
        return tuple(keys)


def _changed(wanted: Slice) -> IncompleteRunError:
    return IncompleteRunError(
        f"{wanted.name} is not the part of {wanted.bytes:,} bytes with the SHA-256 in the manifest: someone changed "
        "the run's result. List the table again, and start the job on the new run"
    )
