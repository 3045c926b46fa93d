"""When a worker's next page may begin: at its rate, and after the waits that DynamoDB's refusals ask for."""

from collections.abc import Callable

from skipscan.pace.backoff import Backoff, Fault
from skipscan.pace.rate import Rate

PASSING_FAULTS = 5
"""How often in a row a walk tries again after an error that may pass, before it gives up."""


class Pace:
    """One worker's pace. A hot key range slows the walk that met it, want of capacity slows them all."""

    def __init__(self, units_per_second: float | None, random: Callable[[], float]) -> None:
        self._rate = Rate(units_per_second) if units_per_second else None
        self._random = random
        self._all = Backoff(random)
        self._walks: dict[int, Backoff] = {}

    @property
    def page_units(self) -> float | None:
        """The most that one page should consume; `None` is no bound."""
        return self._rate.page_units if self._rate else None

    def wait_seconds(self, now: float) -> float:
        """Return how long every walk has to wait; 0 if a page may begin."""
        rate = self._rate.wait_seconds(now) if self._rate else 0.0
        return max(rate, self._all.wait_seconds(now))

    def walk_wait_seconds(self, segment: int, now: float) -> float:
        """Return how long the walk of that segment has to wait."""
        backoff = self._walks.get(segment)
        return backoff.wait_seconds(now) if backoff else 0.0

    def begin(self, now: float, units: float) -> None:
        """Count in a page that is asked for now and expected to consume so much."""
        if self._rate:
            self._rate.reserve(now, units)

    def accepted(self, segment: int, expected: float, consumed: float) -> None:
        """Count in what a page did consume."""
        if self._rate:
            self._rate.settle(expected, consumed)
        self._all.accepted()
        self._walks.pop(segment, None)

    def refused(self, segment: int, expected: float, fault: Fault, now: float) -> bool:
        """Take back a page that never came; return whether it may be asked for again, after a wait."""
        if self._rate:
            self._rate.settle(expected, 0.0)
        if fault is Fault.CAPACITY:
            self._all.refused(now)
            return True
        if fault not in {Fault.KEY_RANGE, Fault.PASSING}:
            return False
        backoff = self._walks.setdefault(segment, Backoff(self._random))
        backoff.refused(now)
        return fault is Fault.KEY_RANGE or backoff.refusals <= PASSING_FAULTS
