"""What a batch may still consume: reserved before each request, replaced by what the request consumed."""

from collections.abc import Callable
from math import inf
from typing import Self

from skipscan.pace.bill import NOTHING, TURN, UNLIMITED, Amounts, amounts, lambda_seconds
from skipscan.pace.bounds import Bounds
from skipscan.pace.limits import Limits
from skipscan.pace.pace import Fault


class Budget:
    """The amounts left to one batch. `elapsed`: dollars of time without a request, because time costs, too.

    A request is reserved with the most that it can consume. If that does not fit any more, requests are made one at a
    time, so that only the last one can exceed the budget.
    """

    def __init__(self, room: Amounts, elapsed: Callable[[], float] = lambda: 0.0) -> None:
        self._left = room
        self._elapsed = elapsed
        self._is_bounded = room.is_bounded
        self._reserved = NOTHING
        self._requests = 0
        self.unseen = NOTHING
        """Upper bound of the units of requests whose responses were lost."""

    @classmethod
    def of_batch(cls, bounds: Bounds, limits: Limits, consumed: Amounts, clock: Callable[[], float]) -> Self:
        """Return what is left to a batch that begins now, of its attempt's allotment or else of its worker's share."""
        room = (limits.worker_budget if bounds.allotted is None else bounds.allotted) - consumed
        turn = amounts(limits.prices, 0.0, services=TURN).dollars
        second, start = lambda_seconds(limits.prices, bounds.gigabytes), clock()
        # Infinite dollars less the time would be computed for every page.
        return cls(room, (lambda: turn + second * (clock() - start)) if room.dollars < inf else lambda: 0.0)

    @property
    def left(self) -> Amounts:
        """Return what is left while no request is under way."""
        if not self._is_bounded:
            return UNLIMITED
        # An exceeded amount is no reason to refuse a request that needs nothing of it.
        return (self._left - Amounts(dollars=self._elapsed())).most(NOTHING)

    def has_room(self, least: Amounts) -> bool:
        """Return whether a request of this size would fit if no other were under way."""
        return not self._is_bounded or least.fits(self.left)

    def may_begin(self, ceiling: Amounts) -> bool:
        """Return whether a request of at most this size may begin now."""
        return not self._is_bounded or not self._requests or (self._reserved + ceiling).fits(self.left)

    def begin(self, ceiling: Amounts) -> None:
        self._requests += 1
        if self._is_bounded:
            self._reserved += ceiling

    def release(self, ceiling: Amounts, consumed: Amounts = NOTHING) -> None:
        """Replace a reservation by what the request consumed; a refused one consumed nothing."""
        self._requests -= 1
        if self._is_bounded:
            self._reserved -= ceiling
            self._left -= consumed

    def fail(self, ceiling: Amounts, fault: Fault) -> None:
        """Count a request without an answer with the most that it can have consumed, and a refused one with nothing."""
        if fault is Fault.PASSING:
            self.release(ceiling, ceiling)
            self.unseen += ceiling
        else:
            self.release(ceiling)
