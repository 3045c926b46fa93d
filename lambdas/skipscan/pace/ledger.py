"""What a batch may consume, and has consumed: every request is booked on a rate and on the budget together.

Only this module books. A batch chooses a request, reserves it, and releases it with what it consumed, or fails it.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from skipscan.pace.bill import NOTHING, UNLIMITED, Amounts, Spending
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.budget import Budget
from skipscan.pace.limits import Limits
from skipscan.pace.pace import PASSING_FAULTS, Backoff, Fault
from skipscan.pace.progress import Progress
from skipscan.pace.rate import PAGE_SECONDS, SharedRate, most_page_units_at


class Booking(NamedTuple):
    """What one request is reserved with.

    `walk`: the number of the segment or task that waits after a refusal. `units`: what it is expected to consume of
    its rate. `ceiling`: the most that it can consume of the budget, `ceiling_units` of the rate.
    """

    walk: int
    units: float = 0.0
    ceiling: Amounts = NOTHING
    ceiling_units: float = 0.0


class Reserved(Enum):
    """Whether a request may begin, or what it has to wait for."""

    YES = "yes"
    OVER_BUDGET = "over budget"  # beside the requests under way
    OVER_RATE = "over rate"


class Account:
    """One rate of a worker with the waits after refusals, and the budget of its batch: requests are booked on both.

    A rate spaces out pages, or a job's requests, so that units flow evenly: one begins when those before it are paid
    off. What a page consumes is only known afterwards, so the expected units are reserved, and replaced by the consumed
    ones. Time without requests is not saved up for a burst. A hot key range slows only its own walk; lack of capacity
    slows all walks.

    `burst`: the maximum units of all open pages except the largest; `None` for no bound. `paid_off`: when the first
    page may begin, by the clock; without a rate 0, long past. `budget`: without one there is no bound.
    """

    def __init__(
        self,
        units_per_second: float | None,
        random: Callable[[], float],
        clock: Clock,
        *,
        budget: Budget | None = None,
        burst: float | None = None,
        paid_off: float = 0.0,
    ) -> None:
        self._per_second = units_per_second
        self._paid_off = paid_off if units_per_second else 0.0
        self._random, self._clock = random, clock
        self.budget = budget or Budget(UNLIMITED)
        self._burst = burst
        self._under_way: list[float] = []
        self._all = Backoff(random)
        self._walks: dict[int, Backoff] = {}

    @property
    def page_units(self) -> float | None:
        """The most that one page should consume, by the rate; `None` is no bound."""
        return most_page_units_at(self._per_second) if self._per_second else None

    @property
    def paid_off(self) -> float:
        """When the rate allows the next request, in seconds since 1970."""
        # Without a rate it is the moment at which the clock showed 0, so nothing waits for it.
        return self._paid_off + self._clock.epoch

    def wait_seconds(self, now: float) -> float:
        """Return how long every walk has to wait; 0 if a page may begin."""
        return max(self._paid_off - now if self._per_second else 0.0, self._all.wait_seconds(now))

    def walk_wait_seconds(self, walk: int, now: float) -> float:
        """Return how long the walk of that segment has to wait."""
        backoff = self._walks.get(walk)
        return backoff.wait_seconds(now) if backoff else 0.0

    def reserve(self, booking: Booking, now: float) -> Reserved:
        """Reserve a request that begins now, if the budget and the rate have room for it."""
        # Both are checked before either is booked. The budget first: it ends a thread, the rate delays it.
        if not self.budget.may_begin(booking.ceiling):
            return Reserved.OVER_BUDGET
        if self._per_second:
            under_way = [*self._under_way, booking.ceiling_units]
            if self._burst is not None and sum(under_way) - max(under_way) > self._burst:
                return Reserved.OVER_RATE
            self._under_way = under_way
            self._paid_off = max(self._paid_off, now) + booking.units / self._per_second
        self.budget.begin(booking.ceiling)
        return Reserved.YES

    def release(self, booking: Booking, consumed: Amounts, consumed_units: float) -> None:
        """Replace a reservation by what the request consumed of the budget, and of the rate."""
        self.budget.release(booking.ceiling, consumed)
        self._settle(booking, consumed_units)

    def release_part(self, booking: Booking, consumed: Amounts) -> Booking:
        """Record what a request has consumed before it was refused; return the booking of the rest."""
        rest = booking.ceiling.without(consumed)
        self.budget.release(booking.ceiling, consumed)
        # Its rate stays booked: `release` or `fail` ends that for the whole request.
        self.budget.begin(rest)
        return booking._replace(ceiling=rest)

    def fail(self, booking: Booking, fault: Fault) -> bool:
        """Cancel the reservation of a failed request; that of the budget stays if the answer was lost.

        Returns whether the request may be made again, after a wait.
        """
        self.budget.fail(booking.ceiling, fault)
        self._settle(booking, 0.0)
        return self.refused(booking.walk, fault)

    def refused(self, walk: int, fault: Fault) -> bool:
        """Record a refusal of something that has no reservation; return whether to try again, after a wait."""
        now = self._clock.now()
        if fault is Fault.CAPACITY:
            self._all.refused(now)
            return True
        if fault not in {Fault.KEY_RANGE, Fault.PASSING}:
            return False
        backoff = self._walks.setdefault(walk, Backoff(self._random))
        backoff.refused(now)
        return fault is Fault.KEY_RANGE or backoff.refusals <= PASSING_FAULTS

    def recovered(self, walk: int) -> None:
        """Begin with the shortest waits again at the next refusal, of that segment's walk and of all."""
        self._all.accepted()
        self._walks.pop(walk, None)

    def _settle(self, booking: Booking, consumed: float) -> None:
        """Replace what is reserved of the rate by what was consumed of it."""
        if self._per_second:
            self._under_way.remove(booking.ceiling_units)
            self._paid_off += (consumed - booking.units) / self._per_second


class Ledger:
    """The budget of one batch, and the accounts of the rates that it has: reads, writes or both.

    `progress`: of the worker before the batch. `random`: the jitter of waits after refusals, from 0 to 1.
    """

    def __init__(
        self,
        limits: Limits,
        progress: Progress[Any, Any],
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float],
    ) -> None:
        self.limits, self.progress, self.bounds, self.clock = limits, progress, bounds, clock
        self._before, self._random = progress.spending, random
        self._budget = Budget.of_batch(bounds, limits, self._before.consumed(progress.counts, limits.prices), clock.now)
        self._reads: Account | None = None
        self._writes: Account | None = None
        self.has_room = self._budget.has_room

    def reads(self) -> Account:
        """Open the account of reads."""
        self._reads = self._account(self.limits.reads, self._before.reads_paid_off)
        return self._reads

    def writes(self) -> Account:
        """Open the account of writes."""
        self._writes = self._account(self.limits.writes, self._before.writes_paid_off)
        return self._writes

    def others(self) -> Account:
        """Return an account of requests to another service, which have no rate and no budget, only their own waits."""
        return Account(None, self._random, self.clock)

    def _account(self, rate: SharedRate, paid_off: float) -> Account:
        # Of the workers that run at once, not of all: the Map runs no more of them than that.
        at_once = self.limits.at_once
        share, burst = rate.share(at_once), rate.burst(at_once)
        due = paid_off - self.clock.epoch
        if not paid_off:  # without a debt these workers begin one after the other, within the time of one page
            due = self.clock.now() + PAGE_SECONDS * (self.progress.worker % at_once) / at_once
        return Account(share, self._random, self.clock, budget=self._budget, burst=burst, paid_off=due)

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
