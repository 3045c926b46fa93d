"""A run's parts cut into slices that workers share, so that one part with a million keys keeps many workers busy.

A slice contains the lines that begin in it. Where lines begin is only known when they are read, so a slice is read from
the byte before it: if that is a line end, the slice's first byte begins a line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.lines.formats import format_of

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
    if format_of(manifest["format"]).is_whole is None:
        return slices(parts)
    return slices(parts, max((part["bytes"] for part in parts), default=0) or SLICE_BYTES)


def slices(parts: Sequence[Mapping[str, Any]], slice_bytes: int = SLICE_BYTES) -> list[Slice]:
    """Return the slices of the parts in a manifest, in order; an empty part has none."""
    return [
        Slice(number, part["name"], part["bytes"], part["sha256"], start, min(start + slice_bytes, part["bytes"]))
        for number, part in enumerate(parts)
        for start in range(0, part["bytes"], slice_bytes)
    ]
