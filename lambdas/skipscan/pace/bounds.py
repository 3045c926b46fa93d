"""The bounds of a batch, its clock, and how long it waits while no request may begin."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from skipscan.pace.bill import Amounts

WORKER_GB = 1769 / 1024
"""Memory: from 1769 MB on a Lambda function has one full vCPU (developer guide, "Configure function memory")."""

REQUEST_SECONDS = 0.00043
"""Processor time of a worker for a short page over TLS. Measured in 2026-11: 0.26 of a bare `client.scan`,
0.28 ms on a quiet machine. Lambda was not measured; this is half as much again."""

LOOK_SECONDS = 1.0
"""The longest pause, so that a batch notices its end."""

BATCH_SECONDS = 240.0
"""A batch that a crash loses is paid for twice, so batches are short; a turn of the loop costs next to nothing."""

FIRST_SECONDS = (15.0, 60.0)
"""The durations of a worker's first batches, so that a run has its first figures soon. Two more turns a worker cost a
hundredth of a cent."""


@dataclass(frozen=True)
class Bounds:
    """The bounds of a batch; the first one reached ends it. `None` is no bound.

    Each is checked before a page is requested, so that a batch exceeds it by one page per walk at most. `allotted`:
    what the worker may have consumed of its budgets when the batch ends; a single page may exceed it. `gigabytes`: the
    function's memory, because its time counts against a budget in dollars.
    """

    seconds: float | None = None
    pages: int | None = None
    keys: int | None = None
    bytes: int | None = None
    allotted: Amounts | None = None
    gigabytes: float = WORKER_GB


@dataclass(frozen=True)
class Pause:
    """No request can begin for this number of seconds."""

    seconds: float


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
