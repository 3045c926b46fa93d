"""When to try again after DynamoDB said no: numbers only, the waiting is done by whoever asked.

A throttled request says why (API reference, `ThrottlingReasons`, since 2025): a hot key range concerns the segment
that lies in it, the capacity of a table or an account concerns every request.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

FIRST_SECONDS, LONGEST_SECONDS = 0.1, 20.0


class Fault(Enum):
    """What a failed request says about the next one."""

    INVALID = "invalid"  # this request will never do
    PASSING = "passing"  # a lost connection, an error of the service: this walk may try again
    KEY_RANGE = "key range"  # throttled: this walk reads a hot partition, and waits
    CAPACITY = "capacity"  # throttled: the table or account gives no more, all walks wait
    FATAL = "fatal"


def throttling(reasons: Iterable[str]) -> Fault:
    """Return whom throttling concerns, by its reasons such as `TableReadKeyRangeThroughputExceeded`.

    Without a reason it is taken to concern all: slowing down too much costs time, too little other people's requests.
    """
    names = list(reasons)
    return Fault.KEY_RANGE if names and all("KeyRange" in name for name in names) else Fault.CAPACITY


@dataclass
class Backoff:
    """Waits that double from 0.1 to 20 seconds, each drawn anew from the whole span ("full jitter")."""

    random: Callable[[], float]
    until: float = 0.0
    refusals: int = 0

    def refused(self, now: float) -> None:
        """Wait longer than after the refusal before, counted from now."""
        longest = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(self.refusals, 10))
        self.until = max(self.until, now + longest * self.random())
        self.refusals += 1

    def accepted(self) -> None:
        """Begin anew with the shortest wait at the next refusal."""
        self.refusals = 0

    def wait_seconds(self, now: float) -> float:
        return max(0.0, self.until - now)
