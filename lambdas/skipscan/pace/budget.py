"""What a batch may still consume: reserved before a request is made, settled by what the request took."""

from collections.abc import Callable
from math import inf
from typing import Self

from skipscan.dynamodb.prices import Prices
from skipscan.pace.amounts import NOTHING, UNLIMITED, Amounts
from skipscan.pace.backoff import Fault
from skipscan.pace.bill import TURN, amounts
from skipscan.pace.bounds import Bounds


class Budget:
    """The amounts left to one batch. `elapsed`: dollars that went by without a request, for time is paid for as well.

    A request is reserved at the most that it can take. Where that no longer fits, requests are made one at a time, so
    that the last one alone can exceed the budget.
    """

    def __init__(self, room: Amounts, elapsed: Callable[[], float] = lambda: 0.0) -> None:
        self._left = room
        self._elapsed = elapsed
        self._is_bounded = room.is_bounded
        self._reserved = NOTHING
        self._requests = 0
        self.unseen = NOTHING
        """The most that requests took whose answers were lost."""

    @classmethod
    def of_batch(
        cls, bounds: Bounds, shares: Amounts, consumed: Amounts, prices: Prices, clock: Callable[[], float]
    ) -> Self:
        """Return what is left to a batch that begins now, of its attempt's allotment or else of its worker's share."""
        room = (shares if bounds.allotted is None else bounds.allotted) - consumed
        turn = amounts(prices, 0.0, services=TURN).dollars
        second, begun = prices.lambda_gb_seconds.of(bounds.gigabytes), clock()
        return cls(room, (lambda: turn + second * (clock() - begun)) if room.dollars < inf else lambda: 0.0)

    @property
    def left(self) -> Amounts:
        """What is left when no request is under way."""
        return self._left - Amounts(dollars=self._elapsed()) if self._is_bounded else UNLIMITED

    def has_room(self, least: Amounts) -> bool:
        """Tell whether a request that takes so little would fit if none were under way."""
        return not self._is_bounded or least.fits(self.left)

    def may_begin(self, most: Amounts) -> bool:
        """Tell whether a request that takes so much at most may begin now."""
        return not self._is_bounded or not self._requests or (self._reserved + most).fits(self.left)

    def begin(self, most: Amounts) -> None:
        self._requests += 1
        if self._is_bounded:
            self._reserved += most

    def settle(self, most: Amounts, consumed: Amounts = NOTHING) -> None:
        """Put right what a request was reserved at; nothing is consumed by one that DynamoDB refused."""
        self._requests -= 1
        if self._is_bounded:
            self._reserved -= most
            self._left -= consumed

    def fail(self, most: Amounts, fault: Fault) -> None:
        """Take a request whose answer was lost for the most that it can have taken, and a refused one for nothing."""
        if fault is Fault.PASSING:
            self.settle(most, most)
            self.unseen += most
        else:
            self.settle(most)
