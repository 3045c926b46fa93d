"""When a worker's next page may begin: at its rate, and after the waits that DynamoDB's refusals ask for."""

from collections.abc import Callable

from skipscan.pace.backoff import Backoff, Fault
from skipscan.pace.rate import Rate

PASSING_FAULTS = 5
"""How often in a row a walk tries again after an error that may pass, before it gives up."""

SETTLE_SECONDS = 0.005
"""How long a page is waited for whose answer decides whether another may begin."""


class Pace:
    """One worker's pace. A hot key range slows the walk that met it, want of capacity slows them all.

    `burst`: what all pages under way may take at most, besides the largest; `None` is no bound. `paid_off`: when the
    first page may begin.
    """

    def __init__(
        self,
        units_per_second: float | None,
        random: Callable[[], float],
        *,
        burst: float | None = None,
        paid_off: float = 0.0,
    ) -> None:
        self._rate = Rate(units_per_second, paid_off) if units_per_second else None
        self._random = random
        self._burst = burst
        self._under_way: list[float] = []
        self._all = Backoff(random)
        self._walks: dict[int, Backoff] = {}

    @property
    def page_units(self) -> float | None:
        """The most that one page should consume; `None` is no bound."""
        return self._rate.page_units if self._rate else None

    @property
    def paid_off(self) -> float:
        """When the next page may begin as far as the rate goes."""
        return self._rate.paid_off if self._rate else 0.0

    def wait_seconds(self, now: float) -> float:
        """Return how long every walk has to wait; 0 if a page may begin."""
        rate = self._rate.wait_seconds(now) if self._rate else 0.0
        return max(rate, self._all.wait_seconds(now))

    def walk_wait_seconds(self, segment: int, now: float) -> float:
        """Return how long the walk of that segment has to wait."""
        backoff = self._walks.get(segment)
        return backoff.wait_seconds(now) if backoff else 0.0

    def may_begin(self, most: float) -> bool:
        """Tell whether a page that takes so much at most may begin beside those under way."""
        if not self._rate or self._burst is None:
            return True
        under_way = [*self._under_way, most]
        return sum(under_way) - max(under_way) <= self._burst

    def begin(self, now: float, units: float, most: float = 0.0) -> None:
        """Count in a page that is asked for now, expected to consume `units` and at most `most`."""
        if self._rate:
            self._under_way.append(most)
            self._rate.reserve(now, units)

    def accepted(self, segment: int, expected: float, consumed: float, most: float = 0.0) -> None:
        """Count in what a page did consume."""
        self._settle(expected, consumed, most)
        self._all.accepted()
        self.forget(segment)

    def forget(self, segment: int) -> None:
        """Let the walk of that segment wait for nothing that it met before."""
        self._walks.pop(segment, None)

    def refused(self, segment: int, expected: float, fault: Fault, now: float, most: float = 0.0) -> bool:
        """Take back a page that never came; return whether it may be asked for again, after a wait."""
        self._settle(expected, 0.0, most)
        if fault is Fault.CAPACITY:
            self._all.refused(now)
            return True
        if fault not in {Fault.KEY_RANGE, Fault.PASSING}:
            return False
        backoff = self._walks.setdefault(segment, Backoff(self._random))
        backoff.refused(now)
        return fault is Fault.KEY_RANGE or backoff.refusals <= PASSING_FAULTS

    def _settle(self, expected: float, consumed: float, most: float) -> None:
        if self._rate:
            if most in self._under_way:
                self._under_way.remove(most)
            self._rate.settle(expected, consumed)
