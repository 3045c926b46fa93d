"""How a batch went: keys and units over time, by segment, and the lengths of item collections.

For reports only; no decision depends on it. It is stored in the batch's checkpoint, not in state. It contains no key
values, and stays small however long the batch is.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import add, sub
from typing import Any, Self

from skipscan.pace.profile import Slots, Visits
from skipscan.scan.progress import ScanCounts
from skipscan.scan.take import Counted


@dataclass(slots=True)
class Slot:
    """One period of time. `limits`: how often a page was requested with each Limit."""

    keys: int = 0
    items: int = 0
    requests: int = 0
    read_units: float = 0.0
    throttles: int = 0
    limits: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: Self) -> "Slot":
        return Slot(
            self.keys + other.keys,
            self.items + other.items,
            self.requests + other.requests,
            self.read_units + other.read_units,
            self.throttles + other.throttles,
            self.limits + other.limits,
        )

    def to_json(self) -> list[Any]:
        limits = sorted(self.limits.elements())
        middle = [limits[len(limits) * tenth // 10] for tenth in (1, 5, 9)] if limits else None
        return [self.keys, self.items, self.requests, round(self.read_units, 1), self.throttles, middle]


class BatchProfile:
    """Records a batch's pages and refusals; `seconds` are since the batch began."""

    def __init__(self) -> None:
        self._slots = Slots[Slot](add)
        self._visits = Visits()
        self._ended: Counter[int] = Counter()
        self._cut: Counter[int] = Counter()

    def page(
        self,
        seconds: float,
        segment: int,
        limit: int | None,
        counts: ScanCounts,
        places: Sequence[int],
        *,
        is_last: bool,
    ) -> None:
        """Record a page. `counts`: its own. `places`: where its new keys were. `is_last`: of its segment.

        A run that counts has no places: it knows the lengths.
        """
        slot = self._slot(seconds)
        slot.keys += counts.keys
        slot.items += counts.items
        slot.requests += 1
        slot.read_units += counts.read_units
        if limit is not None:
            slot.limits[limit] += 1
        self._visits.add(seconds, segment, settled=counts.keys, requests=1, units=counts.read_units, ended=is_last)
        if places:
            if len(places) > 1:
                self._ended.update(map(sub, places[1:], places))
            (self._ended if is_last else self._cut)[counts.items - places[-1]] += 1

    def counted(self, groups: Iterable[Counted]) -> None:
        """Record the lengths of groups whose items were counted, up to a number or to the end."""
        for group in groups:
            (self._cut if group.more else self._ended)[group.items] += 1

    def refused(self, seconds: float) -> None:
        """Record a throttled request."""
        self._slot(seconds).throttles += 1

    def to_json(self) -> dict[str, Any]:
        return {
            "slot_seconds": self._slots.seconds,
            "slots": [slot.to_json() for slot in self._slots.slots],
            **self._visits.to_json(),
            "lengths": {"ended": _counted(self._ended), "cut": _counted(self._cut)},
        }

    def _slot(self, seconds: float) -> Slot:
        number = self._slots.number(seconds, Slot)
        return self._slots.slots[number]


def _counted(lengths: Counter[int]) -> dict[str, int]:
    """Return how often a collection had this length: exact below 64 items, else in 32 steps per doubling."""
    counted: Counter[int] = Counter()
    for length, count in lengths.items():
        step = max(0, length.bit_length() - 6)
        counted[length >> step << step] += count
    return {str(length): count for length, count in sorted(counted.items())}
