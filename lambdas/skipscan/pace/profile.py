"""What a batch did over time and in each segment or slice, for reports only. It stays small however long a batch is."""

from dataclasses import dataclass
from typing import Any

from skipscan.pace.counts import Counts

SLOTS = 64
"""The most equal periods of time; when there would be more, two are merged into one."""

FIRST_SLOT_SECONDS = 0.0625
VISITS = 256
"""The segments or slices that consumed the most are listed one by one, the others as a sum."""


@dataclass(slots=True)
class Visit:
    """A segment or slice during a batch. `done`: its keys or items. `first_seconds`: since the batch started."""

    done: int = 0
    requests: int = 0
    units: float = 0.0
    first_seconds: float = 0.0
    last_seconds: float = 0.0
    ended: bool = False

    def add(self, done: int, requests: int, units: float) -> None:
        self.done += done
        self.requests += requests
        self.units += units


class BatchProfile:
    """Records a running batch for its checkpoint. No decision rests on it, and it holds no key values.

    `done`: the name of the count that people follow. `seconds` are since the batch started.
    """

    def __init__(self, done: str) -> None:
        self._done = done
        self._slot_seconds = FIRST_SLOT_SECONDS
        self._slots: list[Counts] = []
        """The batch's counts at the end of each period."""
        self._visits: dict[int, Visit] = {}
        self._others, self._left_out = Visit(), 0

    def reached(self, seconds: float, counts: Counts) -> None:
        """Record the counts of the whole batch at this time."""
        while seconds >= SLOTS * self._slot_seconds:
            self._slot_seconds *= 2
            # A slot has the counts at its end, so of two the second stays.
            unpaired = self._slots[-1:] if len(self._slots) % 2 else []
            self._slots = self._slots[1::2] + unpaired
        number = int(seconds / self._slot_seconds)
        while len(self._slots) <= number:
            self._slots.append(self._slots[-1] if self._slots else type(counts)())
        self._slots[number] = counts

    def worked(
        self,
        seconds: float,
        number: int,
        *,
        done: int = 0,
        requests: int = 0,
        units: float = 0.0,
        ended: bool = False,
    ) -> None:
        """Record what was done in a segment or slice. `units`: read and write. `ended`: no batch visits it again."""
        visit = self._visits.get(number)
        if visit is None:
            visit = self._visits[number] = Visit(first_seconds=seconds)
        visit.add(done, requests, units)
        visit.last_seconds, visit.ended = seconds, ended
        if len(self._visits) > 2 * VISITS:  # not at each visit: it sorts them all
            self._leave_out()

    def to_json(self) -> dict[str, Any]:
        """Return the profile: periods, the visits that are listed one by one, and the sum of the others."""
        self._leave_out()
        others = self._others
        return {
            "slot_seconds": self._slot_seconds,
            "slots": [self._slot(counts) for counts in self._slots],
            "visits": [
                [
                    number,
                    v.done,
                    v.requests,
                    *(round(n, 2) for n in (v.units, v.first_seconds, v.last_seconds)),
                    v.ended,
                ]
                for number, v in sorted(self._visits.items())
            ],
            "other_visits": [self._left_out, others.done, others.requests, round(others.units, 2)],
        }

    def _slot(self, counts: Counts) -> list[Any]:
        units = round(counts.units, 1)
        return [vars(counts)[self._done], counts.requests, units, counts.throttles]

    def _leave_out(self) -> None:
        by_units = sorted(self._visits, key=lambda number: self._visits[number].units, reverse=True)
        for number in by_units[VISITS:]:
            visit = self._visits.pop(number)
            self._others.add(visit.done, visit.requests, visit.units)
            self._left_out += 1
