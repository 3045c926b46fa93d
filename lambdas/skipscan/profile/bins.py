"""Bins for numbers of any size: exact below 32, then 16 for each doubling, within 4.4 %."""

from functools import lru_cache
from math import log2

EXACT, FOR_EACH_OCTAVE = 32, 16


@lru_cache(maxsize=1 << 14)
def bin_of(value: int) -> int:
    """Return the bin of a number above 0; larger numbers have higher bins."""
    return value if value < EXACT else EXACT + int(FOR_EACH_OCTAVE * (log2(value) - log2(EXACT)) + 1e-9)


def bin_ends(place: int) -> tuple[float, float]:
    """Return the smallest and the largest number of a bin."""
    if place < EXACT:
        return float(place), float(place)
    return tuple(EXACT * 2 ** ((place - EXACT + more) / FOR_EACH_OCTAVE) for more in (0, 1))  # type: ignore[return-value]
