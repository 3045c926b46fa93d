"""When a worker's next page may begin: by its rate, and after the backoffs that DynamoDB's refusals require.

Numbers only; the caller waits.

A throttled request has a reason (API reference, `ThrottlingReasons`, since 2025): a hot key range concerns its segment,
the capacity of a table or an account concerns every request.

Whoever retries says which errors pass, and how long to wait between attempts.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeVar

from skipscan.pace.bill import NOTHING, Amounts
from skipscan.pace.rate import most_page_units_at

FIRST_SECONDS, LONGEST_SECONDS = 0.1, 20.0


class Fault(Enum):
    """The class of a failed request: what to expect of the next one."""

    INVALID = "invalid"  # the request itself is refused and always will be
    PASSING = "passing"  # a lost connection, an error of the service: this walk may retry
    KEY_RANGE = "key range"  # throttled: this walk reads a hot partition, and waits
    CAPACITY = "capacity"  # throttled: the capacity of table or account is used up, all walks wait
    FATAL = "fatal"


THROTTLED = frozenset({Fault.KEY_RANGE, Fault.CAPACITY})
MAY_PASS = THROTTLED | {Fault.PASSING}
"""After these, the same request may succeed."""


def throttling(reasons: Iterable[str]) -> Fault:
    """Return which walks throttling concerns, by its reasons such as `TableReadKeyRangeThroughputExceeded`.

    Without a reason it concerns all: slowing down too much costs time, too little costs other people's requests.
    """
    names = list(reasons)
    return Fault.KEY_RANGE if names and all("KeyRange" in name for name in names) else Fault.CAPACITY


@dataclass
class Backoff:
    """Waits that double from 0.1 to 20 seconds, each drawn at random from the whole span ("full jitter")."""

    random: Callable[[], float]
    until: float = 0.0
    refusals: int = 0

    def refused(self, now: float) -> None:
        """Double the longest wait, and draw the wait from now on."""
        # After eight doublings the longest wait holds; the bound keeps 2**n small.
        longest = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(self.refusals, 10))
        self.until = max(self.until, now + longest * self.random())
        self.refusals += 1

    def accepted(self) -> None:
        """Begin with the shortest wait again at the next refusal."""
        self.refusals = 0

    def wait_seconds(self, now: float) -> float:
        return max(0.0, self.until - now)


Answer = TypeVar("Answer")


def retrying(
    attempt: Callable[[], Answer],
    waits: Iterable[float],
    *,
    passes: Callable[[Exception], bool],
    sleep: Callable[[float], object],
) -> Answer:
    """Return the result of the first attempt that does not fail; raise the last attempt's error.

    `waits`: seconds between attempts, so that there is one attempt more than waits. `passes`: whether another attempt
    may succeed after this error; called once for every failed attempt.
    """
    left = iter(waits)
    while True:
        try:
            return attempt()
        except Exception as error:
            if not passes(error) or (wait_seconds := next(left, None)) is None:
                raise
        sleep(wait_seconds)


def jittered(waits: int, random: Callable[[], float]) -> Iterator[float]:
    """Yield waits that double from 0.1 seconds, each drawn at random from the whole span ("full jitter")."""
    return (random() * FIRST_SECONDS * 2**number for number in range(waits))


PASSING_FAULTS = 10
"""How often in a row a walk retries after temporary errors before it gives up, after 33 seconds on average. The first
of many walks that gives up ends the batch, and all that `skipscan keys` has read is lost and paid for again. With 5
retries 16 walks outlived no outage of two seconds; now they outlive ten seconds in 19 of 20 cases."""

POLL_SECONDS = 0.005
"""How long to wait for a page whose answer decides whether another one may begin."""


class Booking(NamedTuple):
    """What one request is reserved with.

    `walk`: the number of the segment or task that waits after a refusal. `units`: what it is expected to consume of
    its rate. `ceiling`: the most that it can consume of the budget, `ceiling_units` of the rate.
    """

    walk: int
    units: float = 0.0
    ceiling: Amounts = NOTHING
    ceiling_units: float = 0.0


class Pace:
    """One worker's pace. A hot key range slows only its own walk; lack of capacity slows all walks.

    A rate spaces out pages, or a job's requests, so that units flow evenly: one begins when those before it are paid
    off. What a page consumes is only known afterwards, so the expected units are reserved, and replaced by the consumed
    ones. Time without requests is not saved up for a burst.

    `burst`: the maximum units of all open pages except the largest; `None` for no bound. `paid_off`: when the first
    page may begin; without a rate 0, long past.
    """

    def __init__(
        self,
        units_per_second: float | None,
        random: Callable[[], float],
        *,
        burst: float | None = None,
        paid_off: float = 0.0,
    ) -> None:
        self._per_second = units_per_second
        self.paid_off = paid_off if units_per_second else 0.0
        self._random = random
        self._burst = burst
        self._under_way: list[float] = []
        self._all = Backoff(random)
        self._walks: dict[int, Backoff] = {}

    @property
    def page_units(self) -> float | None:
        """Return the most that one page should consume; `None` is no bound."""
        return most_page_units_at(self._per_second) if self._per_second else None

    def wait_seconds(self, now: float) -> float:
        """Return how long every walk has to wait; 0 if a page may begin."""
        return max(self.paid_off - now if self._per_second else 0.0, self._all.wait_seconds(now))

    def walk_wait_seconds(self, walk: int, now: float) -> float:
        """Return how long the walk of that segment has to wait."""
        backoff = self._walks.get(walk)
        return backoff.wait_seconds(now) if backoff else 0.0

    def may_begin(self, booking: Booking) -> bool:
        """Return whether a page may begin now, given the open pages."""
        if not self._per_second or self._burst is None:
            return True
        under_way = [*self._under_way, booking.ceiling_units]
        return sum(under_way) - max(under_way) <= self._burst

    def begin(self, booking: Booking, now: float) -> None:
        """Reserve a page that begins now."""
        if self._per_second:
            self._under_way.append(booking.ceiling_units)
            self.paid_off = max(self.paid_off, now) + booking.units / self._per_second

    def recovered(self, walk: int) -> None:
        """Begin with the shortest waits again at the next refusal, of that segment's walk and of all."""
        self._all.accepted()
        self._walks.pop(walk, None)

    def refused(self, booking: Booking, fault: Fault, now: float) -> bool:
        """Cancel a page without an answer; return whether it may be requested again, after a wait."""
        self.release(booking, 0.0)
        if fault is Fault.CAPACITY:
            self._all.refused(now)
            return True
        if fault not in {Fault.KEY_RANGE, Fault.PASSING}:
            return False
        backoff = self._walks.setdefault(booking.walk, Backoff(self._random))
        backoff.refused(now)
        return fault is Fault.KEY_RANGE or backoff.refusals <= PASSING_FAULTS

    def release(self, booking: Booking, consumed: float) -> None:
        """Replace a page's reservation by what it consumed."""
        if self._per_second:
            if booking.ceiling_units in self._under_way:  # a refusal without a reservation has none
                self._under_way.remove(booking.ceiling_units)
            self.paid_off += (consumed - booking.units) / self._per_second
