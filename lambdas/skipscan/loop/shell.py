"""What the kernel needs of its surroundings besides storage: somebody who logs, counts and knows errors."""

import random
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from skipscan.loop.meter import Meter
from skipscan.metrics.metric import Metric
from skipscan.pace.backoff import Fault

GO_ON = 'start again with a larger {bounds} for the whole {noun}, and "resume": "{name}" to go on from here'
"""`bounds`: the budgets that there are, by their names in the input."""


class Log(Protocol):
    """A logger of structured lines; never given a key value."""

    def append_keys(self, **keys: object) -> None: ...
    def info(self, message: str, /, **fields: Any) -> None: ...
    def warning(self, message: str, /, **fields: Any) -> None: ...
    def error(self, message: str, /, **fields: Any) -> None: ...


class Emit(Protocol):
    """Writes metrics down. `table`: its name. Others are properties of the line and no dimensions."""

    def __call__(self, figures: Mapping[Metric, float], *, table: str = "", **properties: str) -> None: ...


@dataclass(frozen=True)
class Shell:
    """`fault`: what a failed request says about the next one. `scrub`: an error free of key values, to be raised.

    `clock`: seconds that never go back. `wall`: seconds since 1970, in which debts outlive a function. `attempt_name`:
    another one for every attempt that there ever is. `meter`: what the function takes besides units. `go_on`: how work
    goes on that its budget stopped.
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
    go_on: str = GO_ON

    def epoch(self) -> float:
        """Return what makes the clock's time that since 1970."""
        return self.wall() - self.clock()
