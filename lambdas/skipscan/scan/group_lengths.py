"""How many items the groups of a batch have whose items it counted. For reports only; no decision depends on it."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from skipscan.scan.take import Counted


class GroupLengths:
    """Takes in counted groups. It stays small however many there are, and contains no key values."""

    def __init__(self) -> None:
        self._whole: Counter[int] = Counter()
        self._cut: Counter[int] = Counter()

    def add(self, groups: Iterable[Counted]) -> None:
        """Add groups that were counted to the end, or up to the number asked for."""
        for group in groups:
            (self._cut if group.more else self._whole)[group.items] += 1

    def to_json(self) -> dict[str, Any]:
        return {"whole": _stepped(self._whole), "cut": _stepped(self._cut)}


def _stepped(lengths: Counter[int]) -> dict[str, int]:
    """Return how often a group had this length: exact below 64 items, else in 32 steps per doubling."""
    stepped: Counter[int] = Counter()
    for length, count in lengths.items():
        step = max(0, length.bit_length() - 6)
        stepped[length >> step << step] += count
    return {str(length): count for length, count in sorted(stepped.items())}
