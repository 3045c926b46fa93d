"""What a kind of job tells its engine: a worker's lanes and units, and what requests consume, count and list."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from skipscan.dynamodb.step import ItemSteps, Wait
from skipscan.pace.bill import Amounts
from skipscan.pace.bounds import Bounds
from skipscan.pace.counts import Counts
from skipscan.pace.ledger import Account, Booking
from skipscan.pace.pace import Fault

THREADS = 16
"""Concurrent requests of a worker: a Lambda function that makes one 5 ms request at a time is mostly paid for waiting.
"""


class Size(NamedTuple):
    """How a request is booked. `least`: what the smallest one of its kind consumes.

    `is_page`: it counts against a bound of pages. `is_of_table`: unless another service answers it, whose throttling
    says nothing of the table. `holds`: its reservation is that of all steps of its unit, which so follow one another
    without a wait.
    """

    account: Account
    booking: Booking
    least: Amounts
    is_page: bool = False
    is_of_table: bool = True
    holds: bool = False


class Unit:
    """A unit being worked on. `step`: the next one, not before the time `not_before`; `None` once it has ended."""

    __slots__ = ("_clock", "_work", "not_before", "result", "step")

    def __init__(self, work: ItemSteps, clock: Callable[[], float]) -> None:
        self._work, self._clock = work, clock
        self.not_before = 0.0
        self.result: Any = None
        self.step: Any = None
        self.go_on(None)

    def go_on(self, answer: object) -> bool:
        """Take in the answer to the step; return whether the next one has to wait."""
        is_waiting = False
        try:
            while isinstance(step := self._work.send(answer), Wait):
                self.not_before, answer, is_waiting = self._clock() + step.seconds, None, True
        except StopIteration as end:
            self.step, self.result = None, end.value
        else:
            self.step = step
        return is_waiting


class Lane(Protocol):
    """Units in an order, of which some have ended."""

    is_reading: bool

    @property
    def is_finished(self) -> bool: ...
    @property
    def needs_page(self) -> bool: ...

    def receive(self, answer: Any) -> None:
        """Take in what was read."""

    def take(self) -> Any:
        """Return the next `Unit` that has a step to do, or how many seconds to wait for one; `None`: no more."""

    def give_back(self, unit: Any) -> None:
        """Take back a unit whose step could not begin: it is next."""

    def answered(self, unit: Any, account: Account, *, waits: bool) -> None:
        """Take back a unit after an answer. `waits`: it is behind all others."""

    def failed(self, unit: Any, fault: Fault) -> None:
        """Take back a unit whose request failed."""

    def passed(self) -> Iterable[Any]:
        """Return the results that now count, each once."""

    def visited(self, unit: Any) -> int:
        """Return the segment or slice of a unit, for the profile."""


@dataclass(frozen=True, eq=False)
class UnitRequest:
    """What a lane reads, or the step of one of its units."""

    lane: Any
    unit: Any
    step: Any
    size: Size


class Job(ABC):
    """What a worker does in one batch: its lanes, and all else in which one kind of job differs from another.

    `done`: the count that people follow.
    """

    done: ClassVar[str]
    lanes: deque[Any]

    def open(self) -> None:  # noqa: B027 (there may be one lane, open from the beginning)
        """Open as many lanes as may be open."""

    def is_full(self, bounds: Bounds, pages: int, counts: Any) -> bool:
        """Return whether the batch has reached a bound of the job's own."""
        return False

    @abstractmethod
    def read(self, lane: Any) -> tuple[Any, Size]:
        """Return what a lane reads next."""

    @abstractmethod
    def size(self, unit: Any, lane: Any) -> Size:
        """Return the size of a unit's step."""

    @abstractmethod
    def count(self, answer: Any) -> Any:
        """Return the counts of an answer, and learn from it."""

    def consumed(self, request: UnitRequest, counts: Counts) -> float:
        """Return what a request consumed of its rate. `counts`: of its last answer."""
        return counts.units

    @abstractmethod
    def ended(self, result: Any, lane: Any) -> tuple[int, Any, Sequence[Any]]:
        """Return the segment or slice of a result, its counts, and what to list of it."""

    @abstractmethod
    def reached(self, progress: Any) -> Any:
        """Return the progress with the place that the worker has reached."""
