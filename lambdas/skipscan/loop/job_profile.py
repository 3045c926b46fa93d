"""How a batch of a job went: its counts over time, and what each segment or slice took.

For people who look at a job afterwards: no decision rests on it. It is in the batch's checkpoint, not in state. It
holds no key values and stays small however long the batch is.
"""

from typing import Any

from skipscan.pace.counts import Counts
from skipscan.pace.profile import Slots, Visits


class JobProfile:
    """Records a running batch. `settled`: the name of the count that people follow.

    `seconds` are since the batch began.
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
