"""How a batch went: keys and units over time, by segment, and the lengths of item collections.

For reports only; no decision depends on it. It is stored in the batch's checkpoint, not in state. It contains no key
values, and stays small however long the batch is.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import sub
from typing import Any, Self

from skipscan.scan.progress import ScanCounts

SLOTS = 64
"""Equal periods of time; when there would be more, two are merged into one."""

FIRST_SLOT_SECONDS = 0.0625
SEGMENTS = 256
"""The segments with the most read units are listed one by one, the others as a sum."""


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


@dataclass(slots=True)
class Visit:
    """A segment during the batch. `first_seconds`, `last_seconds`: of its pages, since the batch began."""

    first_seconds: float
    last_seconds: float = 0.0
    ended: bool = False
    keys: int = 0
    requests: int = 0
    read_units: float = 0.0

    def to_json(self, segment: int) -> list[Any]:
        seconds = [round(self.first_seconds, 2), round(self.last_seconds, 2)]
        return [segment, self.keys, self.requests, round(self.read_units, 1), *seconds, self.ended]


class BatchProfile:
    """Records a batch's pages and refusals; `seconds` are since the batch began."""

    def __init__(self) -> None:
        self._slot_seconds = FIRST_SLOT_SECONDS
        self._slots: list[Slot] = []
        self._visits: dict[int, Visit] = {}
        self._rest = ScanCounts()
        self._rest_segments = 0
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
        """Record a page. `counts`: its own. `places`: where its new keys were. `is_last`: of its segment."""
        slot = self._slot(seconds)
        slot.keys += counts.keys
        slot.items += counts.items
        slot.requests += 1
        slot.read_units += counts.read_units
        if limit is not None:
            slot.limits[limit] += 1
        visit = self._visits.get(segment)
        if visit is None:
            visit = self._visits[segment] = Visit(seconds)
        visit.last_seconds, visit.ended = seconds, is_last
        visit.keys += counts.keys
        visit.requests += 1
        visit.read_units += counts.read_units
        if len(self._visits) > 2 * SEGMENTS:
            self._sum_up_all_but(SEGMENTS)
        if places:
            if len(places) > 1:
                self._ended.update(map(sub, places[1:], places))
            (self._ended if is_last else self._cut)[counts.items - places[-1]] += 1

    def refused(self, seconds: float) -> None:
        """Record a throttled request."""
        self._slot(seconds).throttles += 1

    def to_json(self, seconds: float) -> dict[str, Any]:
        """Return the profile of a batch that took so long."""
        self._sum_up_all_but(SEGMENTS)
        return {
            "seconds": round(seconds, 3),
            "slot_seconds": self._slot_seconds,
            "slots": [slot.to_json() for slot in self._slots],
            "segments": [visit.to_json(segment) for segment, visit in sorted(self._visits.items())],
            "other_segments": {"segments": self._rest_segments, **self._rest.to_json()},
            "lengths": {"ended": _counted(self._ended), "cut": _counted(self._cut)},
        }

    def _slot(self, seconds: float) -> Slot:
        while seconds >= SLOTS * self._slot_seconds:
            self._slot_seconds *= 2
            both = zip(self._slots[::2], [*self._slots[1::2], Slot()], strict=False)
            self._slots = [a + b for a, b in both]
        number = int(seconds / self._slot_seconds)
        while len(self._slots) <= number:
            self._slots.append(Slot())
        return self._slots[number]

    def _sum_up_all_but(self, most: int) -> None:
        """Keep the visits with the most read units, and add up the others."""
        by_units = sorted(self._visits, key=lambda segment: self._visits[segment].read_units, reverse=True)
        for segment in by_units[most:]:
            visit = self._visits.pop(segment)
            self._rest += ScanCounts(keys=visit.keys, requests=visit.requests, read_units=visit.read_units)
            self._rest_segments += 1


def _counted(lengths: Counter[int]) -> dict[str, int]:
    """Return how often a collection had this length: exact below 64 items, else in 32 steps per doubling."""
    counted: Counter[int] = Counter()
    for length, count in lengths.items():
        step = max(0, length.bit_length() - 6)
        counted[length >> step << step] += count
    return {str(length): count for length, count in sorted(counted.items())}
