"""What to expect after a failed request, and how long to wait before the next attempt. Numbers only; the caller waits.

A throttled request has a reason (API reference, `ThrottlingReasons`, since 2025): a hot key range concerns its segment,
the capacity of a table or an account concerns every request.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

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
