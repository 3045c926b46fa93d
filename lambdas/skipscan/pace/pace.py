"""When a worker's next page may begin: by its rate, and after the backoffs that DynamoDB's refusals require."""

from collections.abc import Callable

from skipscan.pace.backoff import Backoff, Fault
from skipscan.pace.rate import Rate

PASSING_FAULTS = 5
"""How often in a row a walk retries after temporary errors before it gives up."""

SETTLE_SECONDS = 0.005
"""How long to wait for a page whose answer decides whether another one may begin."""


class Pace:
    """One worker's pace. A hot key range slows only its own walk; lack of capacity slows all walks.

    `burst`: the maximum units of all open pages except the largest; `None` for no bound. `paid_off`: when the first
    page may begin.
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
        """Return the most that one page should consume; `None` is no bound."""
        return self._rate.page_units if self._rate else None

    @property
    def paid_off(self) -> float:
        """Return when the next page may begin by the rate."""
        return self._rate.paid_off if self._rate else 0.0

    def wait_seconds(self, now: float) -> float:
        """Return how long every walk has to wait; 0 if a page may begin."""
        rate = self._rate.wait_seconds(now) if self._rate else 0.0
        return max(rate, self._all.wait_seconds(now))

    def walk_wait_seconds(self, segment: int, now: float) -> float:
        """Return how long the walk of that segment has to wait."""
        backoff = self._walks.get(segment)
        return backoff.wait_seconds(now) if backoff else 0.0

    def may_begin(self, ceiling: float) -> bool:
        """Return whether a page of at most `ceiling` units may begin now, given the open pages."""
        if not self._rate or self._burst is None:
            return True
        under_way = [*self._under_way, ceiling]
        return sum(under_way) - max(under_way) <= self._burst

    def begin(self, now: float, units: float, ceiling: float = 0.0) -> None:
        """Reserve a page that begins now, expected to consume `units` and at most `ceiling`."""
        if self._rate:
            self._under_way.append(ceiling)
            self._rate.reserve(now, units)

    def accepted(self, segment: int, expected: float, consumed: float, ceiling: float = 0.0) -> None:
        """Record what a page consumed."""
        self.settle(expected, consumed, ceiling)
        self.recovered(segment)

    def recovered(self, segment: int) -> None:
        """Begin with the shortest waits again at the next refusal, of that segment's walk and of all."""
        self._all.accepted()
        self._walks.pop(segment, None)

    def refused(self, segment: int, expected: float, fault: Fault, now: float, ceiling: float = 0.0) -> bool:
        """Cancel a page without an answer; return whether it may be requested again, after a wait."""
        self.settle(expected, 0.0, ceiling)
        if fault is Fault.CAPACITY:
            self._all.refused(now)
            return True
        if fault not in {Fault.KEY_RANGE, Fault.PASSING}:
            return False
        backoff = self._walks.setdefault(segment, Backoff(self._random))
        backoff.refused(now)
        return fault is Fault.KEY_RANGE or backoff.refusals <= PASSING_FAULTS

    def settle(self, expected: float, consumed: float, ceiling: float) -> None:
        """Replace a page's reservation by what it consumed."""
        if self._rate:
            if ceiling in self._under_way:
                self._under_way.remove(ceiling)
            self._rate.settle(expected, consumed)
