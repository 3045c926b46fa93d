"""Work with budgets and rates in the world: its workers run at the same time, and all that they consume is kept.

The functions are those that are deployed, over tables that are made up. Time passes only when everybody waits.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

from skipscan.pace.bill import TURN, Amounts, Bill, Services, around
from skipscan.pace.bounds import WORKER_GB
from tests.fakes.s3 import FakeS3
from tests.fakes.services import Queue
from tests.simulation.money.work import Work
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.clock import Clock
from tests.simulation.world.execution import Execution, State, planned
from tests.simulation.world.fault import DATA, Call, Fault, Kind
from tests.simulation.world.fibre import Fibre
from tests.simulation.world.functions import BUCKET, functions
from tests.simulation.world.world import World

NAME = "work"
LATENCY_SECONDS = 0.005
LONGEST_LIFE = 400
"""The calls after which an invocation dies at the latest, if it does."""

WALKS = 16
TROUBLED = 0.03
"""The share of requests that are refused, or are carried out without an answer, where invocations die."""

TROUBLE = (Fault.KEY_RANGE, Fault.PROVISIONED, Fault.LOST)


class Abreast(Clock):
    """Time that passes for all at once: who waits lets the others go on."""

    def sleep(self, seconds: float) -> None:
        fibre = Fibre.running
        if not fibre or seconds <= 0:
            return
        due = fibre.due = self.seconds + seconds
        fibre.pause(lambda: self.seconds >= due)


class Taken(NamedTuple):
    """A request: when it was made, what it took, and whose it was."""

    at: float
    read_units: float
    write_units: float
    worker: int


class Money(World):
    """One piece of work, from its plan on.

    `lost`: of ten invocations, how many die; if any do, requests fail, too. `threads`: of a worker of a job. `taken`:
    by all attempts, those that died included. `lost_at`: when each of these ended.
    """

    most_attempts = most_calls = 1_000_000
    batch_seconds = 4.0
    """Short, so that a rate has to hold from one batch to the next, and invocations die."""

    def __init__(self, work: Work, lost: int = 0, threads: int = 4) -> None:
        self.work, self.lost, self.threads = work, lost, threads
        services: dict[str, Callable[[], Any]] = {"dynamodb": lambda: self.work, "sqs": Queue}
        super().__init__(FakeS3(BUCKET), services, seed=1, call_seconds=0.0)
        self.s3.objects |= work.objects
        self.clock = Abreast()
        self.trouble = self._take
        self.taken: list[Taken] = []
        self.lost_at: list[float] = []
        self.used = Services()
        self._deaths: dict[Attempt, int] = {}
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def drive(self, work: Work, seconds: float, start: float) -> None:
        """Begin an execution, and let it run until it ends or so many seconds are over."""
        self.work, self.clock.seconds = work, start
        self._due.clear()
        planned_as = planned(work.kind, work.plan, NAME)
        at_once = work.plan.limits.at_once
        execution = Execution(self, work.kind.machine, NAME, {}, planned=planned_as, at_once=at_once)
        self.executions.append(execution)
        with functions().simulated(WALKS):
            while self._due and self._due[0][0] <= start + seconds:
                self.clock.seconds, _, act = heappop(self._due)
                act()

    # What the world asks.

    def batch_pages(self) -> None:
        return None

    def take_turns(self, fibre: Fibre) -> None:
        """Do nothing: they do when they wait."""

    def later(self, at: float, act: Callable[[], None]) -> None:
        heappush(self._due, (max(at, self.clock.now()), next(self._numbers), act))

    def invoke(self, function: str, event: State, on_end: Callable[[Attempt], None] = lambda _: None) -> Attempt:
        attempt = super().invoke(function, event, lambda attempt: self._ended(attempt, on_end))
        if self.random.random() * 10 < self.lost and "worker" in event:
            self._deaths[attempt] = self.random.randrange(1, LONGEST_LIFE)
        self.later(self.clock.now(), partial(self._go_on, attempt))
        return attempt

    def chance(self, call: Call) -> Fault | None:
        assert self.running
        if self.lost and call.kind in DATA and self.random.random() < TROUBLED:
            return self.random.choice(TROUBLE)
        if (death := self._deaths.get(self.running)) is None:
            return None
        if call.kind is Kind.PART:  # what it consumed is not committed
            return Fault.CRASH_BEFORE
        return Fault.CRASH_AFTER if self.running.calls >= death else None

    def _go_on(self, attempt: Attempt) -> None:
        self.go_on(attempt)
        if not attempt.ended:
            self.later(attempt.due, partial(self._go_on, attempt))

    def _ended(self, attempt: Attempt, on_end: Callable[[Attempt], None]) -> None:
        if attempt.place:
            self.used += TURN + Services(gb_seconds=(self.clock.now() - attempt.started) * WORKER_GB)
            if attempt.error:
                self.lost_at.append(self.clock.now())
        on_end(attempt)

    def _take(self, call: Call) -> Any:
        answer = call.perform()
        if call.kind in DATA:
            assert self.running
            assert self.running.place
            units = answer["ConsumedCapacity"]["CapacityUnits"]
            reads, writes = (0.0, units) if call.kind is Kind.WRITE else (units, 0.0)
            self.taken.append(Taken(self.clock.now(), reads, writes, self.running.place[0]))
            self.clock.sleep(LATENCY_SECONDS)
        return answer

    # What came of it.

    @property
    def plan(self) -> Any:
        return self.work.plan

    @property
    def ended(self) -> list[int]:
        """The workers that came to their ends."""
        return [worker.number for worker in self.executions[-1].workers if worker.report]

    @property
    def units_done(self) -> list[int]:
        """How many keys or items each worker settled."""
        states = [worker.states[-1] for worker in self.executions[-1].workers if worker.states]
        return [self.work.kind.progress(state, self.plan).counts.units_done for state in states]

    @property
    def stated(self) -> dict[str, float]:
        """By how much each budget may be exceeded: what the plan states, and a turn for each attempt that was lost.

        Lambda and Step Functions are paid for an attempt before it can look at what is left.
        """
        turn = Bill.of(self.plan.prices, 0, 0, TURN).total
        stated: dict[str, float] = self.plan.limits.overrun
        return stated | {name: most + len(self.lost_at) * turn for name, most in stated.items() if name == "dollars"}

    @property
    def amounts(self) -> Amounts:
        reads, writes = sum(t.read_units for t in self.taken), sum(t.write_units for t in self.taken)
        services = self.used + around(self.plan.workers, self.plan.workers)
        return Amounts(reads, writes, Bill.of(self.plan.prices, reads, writes, services).total)

    def worst_ten_seconds(self, unit: str = "read_units", after: float = 0.0) -> float:
        """The most that was consumed within ten seconds, from any request on.

        An attempt that was lost takes its debt with it. So for each that ended in the ten seconds the largest request
        is left out, as is promised.
        """
        worst = units = 0.0
        first, largest = 0, self.largest(unit)
        taken = [(t.at, getattr(t, unit)) for t in self.taken if t.at >= after]
        for at, one in taken:
            units += one
            while taken[first][0] <= at - 10:
                units -= taken[first][1]
                first += 1
            forgotten = bisect_right(self.lost_at, at) - bisect_left(self.lost_at, at - 10)
            worst = max(worst, units - forgotten * largest)
        return worst

    def largest(self, unit: str = "read_units") -> float:
        return max((getattr(t, unit) for t in self.taken), default=0.0)


def drive(work: Work, *, lost: int = 0, seconds: float = 30.0, threads: int = 4) -> Money:
    """Return what work consumed until it ended, its budget stopped it, or so many seconds were over."""
    money = Money(work, lost, threads)
    money.drive(work, seconds, 0.0)
    return money


def resumed(work: Work, slower: Work, seconds: float = 20.0, lost: int = 0) -> Money:
    """Return what the resumed work consumes, after an execution of a fifth of a second and a pause."""
    money = Money(work)
    money.drive(work, 0.2, 0.0)
    assert money.taken
    money.taken.clear()
    money.lost = lost
    money.drive(slower, seconds, 100.0)
    return money
