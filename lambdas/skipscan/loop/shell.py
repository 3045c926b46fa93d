"""What the kernel needs besides storage: a logger, metrics, clocks, and knowledge of errors."""

import random
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from skipscan.loop.failure import Failure
from skipscan.loop.meter import Meter
from skipscan.loop.results import Results
from skipscan.metrics.metric import Metric
from skipscan.pace.backoff import Fault
from skipscan.pace.clock import Clock


class Log(Protocol):
    """A structured logger. It must never be given a key value."""

    def append_keys(self, **keys: object) -> None: ...
    def info(self, message: str, /, **fields: Any) -> None: ...
    def warning(self, message: str, /, **fields: Any) -> None: ...
    def error(self, message: str, /, **fields: Any) -> None: ...


class Emit(Protocol):
    """Emits metrics. `table`: its name. Other properties are written to the line and are not dimensions."""

    def __call__(self, figures: Mapping[Metric, float], *, table: str = "", **properties: str) -> None: ...


@dataclass(frozen=True)
class Dependencies:
    """`fault`: classifies a failed request. `scrub`: returns an error without key values, safe to raise.

    `clock`: monotonic seconds. `wall`: seconds since 1970, which debts use because they outlive a function.
    `attempt_name`: returns a name that no other attempt ever has. `meter`: measures what the function uses besides
    units. `failed`: takes why an attempt committed nothing, before the error travels on.
    """

    log: Log
    emit: Emit
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
