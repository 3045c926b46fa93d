"""The parts of a finished run, read by ranges of bytes."""

from collections.abc import Mapping
from typing import Any

from skipscan.act.line_reader import ByteRange, LineReader
from skipscan.act.slices import slices
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import IncompleteRunError
from skipscan.keys.formats import decoder
from skipscan.loop.storage import Storage

SAMPLED_SLICES, SAMPLED_BYTES = 8, 16 << 10
"""What a preview rests on; it costs as many GETs."""


class Parts:
    """Reads parts as the manifest names them. Safe to use from several threads."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def read(self, wanted: ByteRange) -> bytes:
        """Return the bytes; raise `IncompleteRunError` if the part is not of the size the manifest says."""
        body, size = self._storage.get_range(wanted.name, wanted.start, wanted.end)
        if size != wanted.bytes:
            raise IncompleteRunError(
                f"{wanted.name} is not of the {wanted.bytes:,} bytes that the manifest says: the run's result was "
                "changed. List the table anew, and start the job over that run"
            )
        return body

    def sample(self, manifest: Mapping[str, Any]) -> tuple[Item, ...]:
        """Return the first keys of slices that lie far apart in the run that a manifest describes."""
        cut = slices(manifest["parts"])
        chosen = dict.fromkeys(place * len(cut) // SAMPLED_SLICES for place in range(SAMPLED_SLICES) if cut)
        decode = decoder([KeyAttribute(**entry) for entry in manifest["partition_key"]], manifest["format"])
        keys: list[Item] = []
        for place in chosen:
            reader = LineReader(cut[place], None, SAMPLED_BYTES)
            if (wanted := reader.wanted) is not None:
                reader.feed(self.read(wanted))
            keys += map(decode, reader.lines())
        return tuple(keys)
