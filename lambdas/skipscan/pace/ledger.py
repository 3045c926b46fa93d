"""What a batch may consume, and has consumed: every request is booked on a rate and on the budget together.

Only this module books. A batch chooses a request, reserves it, and releases it with what it consumed, or fails it.
"""

from collections.abc import Callable
from enum import Enum

from skipscan.pace.bill import UNLIMITED, Amounts, Spending
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.budget import Budget
from skipscan.pace.counts import Counts
from skipscan.pace.limits import Limits
from skipscan.pace.pace import Booking, Fault, Pace
from skipscan.pace.rate import SharedRate, first_request_at


class Reserved(Enum):
    """Whether a request may begin, or what it has to wait for."""

    YES = "yes"
    OVER_BUDGET = "over budget"  # beside the requests under way
    OVER_RATE = "over rate"


class Account:
    """One rate, and the budget of the batch. `pace` also knows the waits after refusals.

    `budget`: may be replaced by a further one while no request is under way.
    """

    def __init__(self, pace: Pace, budget: Budget, clock: Clock) -> None:
        self._pace = pace
        self.budget = budget
        self._clock = clock
        # Bound methods, without a call in between: each is called for every page.
        self.wait_seconds = pace.wait_seconds
        self.walk_wait_seconds = pace.walk_wait_seconds
        self.recovered = pace.recovered

    @property
    def page_units(self) -> float | None:
        """The most that one page should consume, by the rate; `None` is no bound."""
        return self._pace.page_units

    @property
    def paid_off(self) -> float:
        """When the rate allows the next request, in seconds since 1970."""
        # Without a rate it is the moment at which the clock showed 0, so nothing waits for it.
        return self._pace.paid_off + self._clock.epoch

    def reserve(self, booking: Booking, now: float) -> Reserved:
        """Reserve a request, if the budget and the rate have room for it."""
        # Both are checked before either is booked. The budget first: it ends a thread, the rate delays it.
        if not self.budget.may_begin(booking.ceiling):
            return Reserved.OVER_BUDGET
        if not self._pace.may_begin(booking):
            return Reserved.OVER_RATE
        self.budget.begin(booking.ceiling)
        self._pace.begin(booking, now)
        return Reserved.YES

    def release(self, booking: Booking, consumed: Amounts, consumed_units: float) -> None:
        """Replace a reservation by what the request consumed of the budget, and of the rate."""
        self.budget.release(booking.ceiling, consumed)
        self._pace.release(booking, consumed_units)

    def release_part(self, booking: Booking, consumed: Amounts) -> Booking:
        """Record what a request has consumed before it was refused; return the booking of the rest."""
        rest = booking.ceiling.without(consumed)
        self.budget.release(booking.ceiling, consumed)
        # Its rate stays booked: `release` or `fail` ends that for the whole request.
        self.budget.begin(rest)
        return booking._replace(ceiling=rest)

    def fail(self, booking: Booking, fault: Fault) -> bool:
        """Cancel the reservation of a failed request, or keep it if its answer was lost.

        Returns whether the request may be made again, after a wait.
        """
        self.budget.fail(booking.ceiling, fault)
        return self._pace.refused(booking, fault, self._clock.now())

    def refused(self, walk: int, fault: Fault) -> bool:
        """Record a refusal of something that has no reservation; return whether to try again, after a wait."""
        return self._pace.refused(Booking(walk), fault, self._clock.now())


class Ledger:
    """The budget of one batch, and the accounts of the rates that it has: reads, writes or both.

    `spending`, `counts`: of the worker before the batch.
    """

    def __init__(
        self,
        limits: Limits,
        worker: int,
        spending: Spending,
        counts: Counts,
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float],
    ) -> None:
        self._limits = limits
        self._worker = worker
        self._before = spending
        self._clock = clock
        self._random = random
        consumed = spending.consumed(counts, limits.prices)
        self._budget = Budget.of_batch(bounds, limits.worker_budget, consumed, limits.prices, clock.now)
        self._reads: Account | None = None
        self._writes: Account | None = None
        self.has_room = self._budget.has_room

    def reads(self) -> Account:
        """Open the account of reads."""
        self._reads = self._account(self._limits.reads, self._before.reads_paid_off)
        return self._reads

    def writes(self) -> Account:
        """Open the account of writes."""
        self._writes = self._account(self._limits.writes, self._before.writes_paid_off)
        return self._writes

    def others(self) -> Account:
        """Return an account of requests to another service, which have no rate and no budget, only their own waits."""
        return Account(Pace(None, self._random), Budget(UNLIMITED), self._clock)

    def _account(self, rate: SharedRate, paid_off: float) -> Account:
        now, epoch, at_once = self._clock.now(), self._clock.epoch, self._limits.at_once
        due = first_request_at(paid_off, now, epoch, self._worker, at_once)
        # Of the workers that run at once, not of all: the Map runs no more of them than that.
        pace = Pace(rate.share(at_once), self._random, burst=rate.burst(at_once), paid_off=due)
        return Account(pace, self._budget, self._clock)

    @property
    def left(self) -> Amounts:
        """What the budget leaves to the batch while no request is under way."""
        return self._budget.left

    @property
    def spending(self) -> Spending:
        """The worker's spending now: its debts, and what requests with lost answers can have consumed."""
        return self._before.after(
            self._budget.unseen,
            reads_paid_off=self._reads.paid_off if self._reads else 0.0,
            writes_paid_off=self._writes.paid_off if self._writes else 0.0,
        )
