"""What the kernel needs besides storage: a log, metrics, clocks, a meter of what it uses, and knowledge of errors."""

import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol

from skipscan.loop.kind import Failure
from skipscan.loop.results import Results
from skipscan.pace.bill import COMMIT, Services
from skipscan.pace.bounds import WORKER_GB, Clock
from skipscan.pace.pace import Fault


@dataclass
class Meter:
    """Counts since the function's environment was created. `gigabytes`: the function's memory."""

    gigabytes: float = WORKER_GB
    s3_puts: int = 0
    s3_gets: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add(self, *, s3_puts: int = 0, s3_gets: int = 0) -> None:
        with self._lock:
            self.s3_puts += s3_puts
            self.s3_gets += s3_gets

    def begin_invocation(self, clock: Callable[[], float]) -> Callable[[], Services]:
        """Begin to measure one invocation; return what returns the services until then, and those of its commit."""
        started, puts, gets = clock(), self.s3_puts, self.s3_gets

        def services() -> Services:
            taken = Services(
                gb_seconds=(clock() - started) * self.gigabytes,
                invocations=1,
                transitions=2,
                s3_puts=self.s3_puts - puts,
                s3_gets=self.s3_gets - gets,
            )
            return taken + COMMIT

        return services


class Log(Protocol):
    """A structured logger. It must never be given a key value."""

    def append_keys(self, **keys: object) -> None: ...
    def info(self, message: str, /, **fields: Any) -> None: ...
    def warning(self, message: str, /, **fields: Any) -> None: ...
    def error(self, message: str, /, **fields: Any) -> None: ...


@dataclass(frozen=True)
class Dependencies:
    """`emit`: emits values of metrics, of the `table` with this name; other properties are no dimensions.

    `fault`: classifies a failed request. `scrub`: returns an error without key values, safe to raise.

    `clock`: monotonic seconds. `wall`: seconds since 1970, which debts use because they outlive a function.
    `attempt_name`: returns a name that no other attempt ever has. `meter`: measures what the function uses besides
    units. `failed`: takes why an attempt committed nothing, before the error travels on.
    """

    log: Log
    emit: Callable[..., object]
    fault: Callable[[Exception], Fault]
    scrub: Callable[[Exception], Exception]
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep
    random: Callable[[], float] = random.random
    attempt_name: Callable[[], str] = lambda: uuid.uuid4().hex
    meter: Meter = field(default_factory=Meter)
    failed: Callable[[Results, Failure], object] = lambda results, failure: None

    def batch_clock(self) -> Clock:
        """Return the clock of a batch that begins now."""
        return Clock.started(self.clock, self.wall)
