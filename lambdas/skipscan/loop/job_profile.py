"""How a batch of a job went: its counts over time, and what each segment or slice took.

For people who look at a job afterwards: no decision rests on it. It lies in the batch's checkpoint, not in state. It
holds no key values and stays small however long the batch is.
"""

from dataclasses import astuple, dataclass
from typing import Any

from skipscan.pace.counts import Counts

SLOTS = 64
"""Equal stretches of time. When they are used up, the first half holds all, in stretches twice as long."""

FIRST_SLOT_SECONDS = 0.0625
UNITS = 256
"""Those that consumed the most are listed, the others are added up."""


@dataclass(slots=True)
class Visit:
    """A segment or slice during the batch. `settled`: its keys or items. `units`: read and write units."""

    settled: int = 0
    requests: int = 0
    units: float = 0.0
    first_seconds: float = 0.0
    last_seconds: float = 0.0

    def to_json(self) -> list[Any]:
        return [round(value, 2) for value in astuple(self)]


class JobProfile:
    """Records a batch as it goes on. `settled`: the name of the count that people follow.

    `seconds` are since the batch began.
    """

    def __init__(self, settled: str) -> None:
        self._settled = settled
        self._slot_seconds = FIRST_SLOT_SECONDS
        self._reached: list[Counts] = []
        self._visits: dict[int, Visit] = {}
        self._others, self._other_visits = Visit(), 0

    def reached(self, seconds: float, counts: Counts) -> None:
        """Record the counts of the whole batch at this time."""
        while seconds >= SLOTS * self._slot_seconds:
            self._slot_seconds *= 2
            self._reached = [*self._reached[1::2], *(self._reached[-1:] if len(self._reached) % 2 else ())]
        number = int(seconds / self._slot_seconds)
        before = self._reached[-1] if self._reached else type(counts)()
        self._reached += [before] * (number + 1 - len(self._reached))
        self._reached[number] = counts

    def worked(self, seconds: float, number: int, *, settled: int = 0, requests: int = 0, units: float = 0.0) -> None:
        """Record what was done in a segment or slice."""
        visit = self._visits.get(number)
        if visit is None:
            visit = self._visits[number] = Visit(first_seconds=seconds)
        visit.settled += settled
        visit.requests += requests
        visit.units += units
        visit.last_seconds = seconds
        if len(self._visits) > 2 * UNITS:
            self._add_up_all_but(UNITS)

    def to_json(self) -> dict[str, Any]:
        """Return the profile. A slot has the batch's counts at its end."""
        self._add_up_all_but(UNITS)
        others = self._others
        return {
            "slot_seconds": self._slot_seconds,
            "slots": [self._slot(counts) for counts in self._reached],
            "visits": [[number, *visit.to_json()] for number, visit in sorted(self._visits.items())],
            "other_visits": [self._other_visits, others.settled, others.requests, round(others.units, 2)],
        }

    def _slot(self, counts: Counts) -> list[Any]:
        units = round(counts.units, 1)
        return [counts.to_json()[self._settled], counts.requests, units, counts.throttles]

    def _add_up_all_but(self, most: int) -> None:
        by_units = sorted(self._visits, key=lambda number: self._visits[number].units, reverse=True)
        for number in by_units[most:]:
            visit = self._visits.pop(number)
            self._others.settled += visit.settled
            self._others.requests += visit.requests
            self._others.units += visit.units
            self._other_visits += 1
