"""The clock of a batch. Only this module says how its times and those of other functions belong together."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Clock:
    """`now`: monotonic seconds, for durations inside a batch; no other process can read them.

    `epoch`: add it to `now()` to get seconds since 1970. Debts and first-seen times are stored in these, because they
    outlive a function. It is fixed for a batch: if the system's clock is set meanwhile, no wait becomes longer.
    """

    now: Callable[[], float]
    epoch: float = 0.0

    @classmethod
    def started(cls, now: Callable[[], float] = time.monotonic, unix: Callable[[], float] = time.time) -> Self:
        """Return the clock of a batch that begins now. `unix`: seconds since 1970."""
        return cls(now, unix() - now())

    def unix(self) -> float:
        """Return seconds since 1970."""
        return self.now() + self.epoch
