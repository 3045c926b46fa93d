"""What a batch did over time and in each segment or slice, for reports only. It stays small however long a batch is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from skipscan.pace.counts import Counts

SLOTS = 64
"""The most equal periods of time; when there would be more, two are merged into one."""

FIRST_SLOT_SECONDS = 0.0625
VISITS = 256
"""The segments or slices that consumed the most are listed one by one, the others as a sum."""

S = TypeVar("S")


@dataclass
class Slots(Generic[S]):
    """Equal periods of time, of `seconds` each. `merge`: makes one of two neighbours."""

    merge: Callable[[S, S], S]
    seconds: float = FIRST_SLOT_SECONDS
    slots: list[S] = field(default_factory=list)

    def number(self, seconds: float, new: Callable[[], S]) -> int:
        """Return the number of the period for a time in seconds; periods are merged, and `new` ones added."""
        while seconds >= SLOTS * self.seconds:
            self.seconds *= 2
            pairs = zip(self.slots[::2], self.slots[1::2], strict=False)
            unpaired = self.slots[-1:] if len(self.slots) % 2 else []
            self.slots = [*(self.merge(one, two) for one, two in pairs), *unpaired]
        number = int(seconds / self.seconds)
        while len(self.slots) <= number:
            self.slots.append(new())
        return number


@dataclass(slots=True)
class Visit:
    """A segment or slice during a batch. `settled`: its keys or items. `first_seconds`: since the batch began."""

    settled: int = 0
    requests: int = 0
    units: float = 0.0
    first_seconds: float = 0.0
    last_seconds: float = 0.0
    ended: bool = False

    def add(self, settled: int, requests: int, units: float) -> None:
        self.settled += settled
        self.requests += requests
        self.units += units


class Visits:
    """The segments or slices of a batch. `others`: the sum of those that are left out, `left_out`: how many."""

    def __init__(self) -> None:
        self._visits: dict[int, Visit] = {}
        self.others, self.left_out = Visit(), 0

    def add(
        self,
        seconds: float,
        number: int,
        *,
        settled: int = 0,
        requests: int = 0,
        units: float = 0.0,
        ended: bool = False,
    ) -> None:
        """Record what was done in a segment or slice."""
        visit = self._visits.get(number)
        if visit is None:
            visit = self._visits[number] = Visit(first_seconds=seconds)
        visit.add(settled, requests, units)
        visit.last_seconds, visit.ended = seconds, ended
        if len(self._visits) > 2 * VISITS:
            self._leave_out()

    def to_json(self) -> dict[str, Any]:
        """Return the visits, and the sum of those that have no row of their own."""
        self._leave_out()
        others = self.others
        return {
            "visits": [
                [
                    number,
                    v.settled,
                    v.requests,
                    *(round(n, 2) for n in (v.units, v.first_seconds, v.last_seconds)),
                    v.ended,
                ]
                for number, v in sorted(self._visits.items())
            ],
            "other_visits": [self.left_out, others.settled, others.requests, round(others.units, 2)],
        }

    def _leave_out(self) -> None:
        by_units = sorted(self._visits, key=lambda number: self._visits[number].units, reverse=True)
        for number in by_units[VISITS:]:
            visit = self._visits.pop(number)
            self.others.add(visit.settled, visit.requests, visit.units)
            self.left_out += 1


class JobProfile:
    """Records a running batch of a job for its checkpoint. No decision rests on it, and it holds no key values.

    `settled`: the name of the count that people follow. `seconds` are since the batch began.
    """

    def __init__(self, settled: str) -> None:
        self._settled = settled
        self._reached = Slots[Counts](lambda before, after: after)
        self._visits = Visits()

    def reached(self, seconds: float, counts: Counts) -> None:
        """Record the counts of the whole batch at this time."""
        number = self._reached.number(
            seconds, lambda: self._reached.slots[-1] if self._reached.slots else type(counts)()
        )
        self._reached.slots[number] = counts

    def worked(self, seconds: float, number: int, *, settled: int = 0, requests: int = 0, units: float = 0.0) -> None:
        """Record what was done in a segment or slice. `units`: read and write units.

        No visit is marked as ended, because a later batch may continue in each.
        """
        self._visits.add(seconds, number, settled=settled, requests=requests, units=units)

    def to_json(self) -> dict[str, Any]:
        """Return the profile. A slot has the batch's counts at its end."""
        slots = [self._slot(counts) for counts in self._reached.slots]
        return {"slot_seconds": self._reached.seconds, "slots": slots, **self._visits.to_json()}

    def _slot(self, counts: Counts) -> list[Any]:
        units = round(counts.units, 1)
        return [counts.to_json()[self._settled], counts.requests, units, counts.throttles]
