"""Whole runs with budgets and rates, over answers that are made up and a clock that only waiting moves.

Every worker is driven as its function drives it: attempts are allotted, batches end, debts and counts ride in progress
as JSON. An attempt that is lost has consumed what it consumed, and commits nothing. As many workers run at once as the
plan allows; the next one begins when one has ended and its debts are paid off.
"""

import json
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from heapq import heappop, heappush
from random import Random
from typing import Any, NamedTuple, Protocol

from skipscan.loop.allotment import allot
from skipscan.loop.kind import PAID_OFF, Kind, progress_to_json, worker_state
from skipscan.loop.results import Results
from skipscan.pace.bill import TURN, Amounts, Bill, Services, around
from skipscan.pace.bounds import WORKER_GB, Bounds, Clock, Pause

LATENCY_SECONDS = 0.005
BATCH_SECONDS = 8.0
RETRY_SECONDS = 2.0
THREADS = 16


class Taken(NamedTuple):
    """A request: when it began, what it took, and whose it was."""

    at: float
    read_units: float
    write_units: float
    worker: int


@dataclass
class Names:
    """Storage that holds names alone, which is all that allotments need."""

    held: list[str] = field(default_factory=list)

    def put_once(self, name: str, body: bytes, *, expires: bool = False) -> bool:
        self.held.append(name)
        return True

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        return ((name, datetime.now(UTC)) for name in self.held if name.startswith(prefix))


@dataclass
class Consumed:
    """`services`: of all attempts, those that were lost included. `lost_at`: when each of these ended.

    `reached`, `names`: what work that stopped leaves behind, each worker's last commit and the allotments. `ended`: the
    workers that came to their ends, with the times when they did.
    """

    plan: Any
    taken: list[Taken] = field(default_factory=list)
    reached: dict[int, Any] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    ended: dict[int, float] = field(default_factory=dict)
    attempts: int = 0
    services: Services = field(default_factory=Services)
    lost_at: list[float] = field(default_factory=list)

    @property
    def lost(self) -> int:
        return len(self.lost_at)

    @property
    def stated(self) -> dict[str, float]:
        """By how much each budget may be exceeded: what the plan states, and a turn for each attempt that was lost.

        Lambda and Step Functions are paid for an attempt before it can look at what is left.
        """
        turn = Bill.of(self.plan.prices, 0, 0, TURN).total
        stated: dict[str, float] = self.plan.limits.overrun
        return stated | {name: amount + self.lost * turn for name, amount in stated.items() if name == "dollars"}

    @property
    def amounts(self) -> Amounts:
        reads, writes = sum(t.read_units for t in self.taken), sum(t.write_units for t in self.taken)
        services = self.services + around(self.plan.workers, self.plan.workers)
        return Amounts(reads, writes, Bill.of(self.plan.prices, reads, writes, services).total)

    def worst_ten_seconds(self, unit: str = "read_units") -> float:
        """The most that was consumed within ten seconds, from any request on.

        An attempt that was lost takes its debt with it. So for each that ended in the ten seconds the largest request
        is left out, as is promised.
        """
        worst = units = 0.0
        first, largest = 0, self.largest(unit)
        taken = [(t.at, getattr(t, unit)) for t in self.taken]
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


class World(Protocol):
    """One piece of work. `answer`: what a request is answered, with its read and write units."""

    @property
    def kind(self) -> Kind[Any]: ...
    @property
    def plan(self) -> Any: ...
    def batch(self, progress: Any, **given: Any) -> Any: ...
    def answer(self, request: Any) -> tuple[Any, float, float]: ...


@dataclass
class Drive:
    """`lost`: of ten attempts, how many. `clock`: one for all workers."""

    world: World
    lost: int
    random: Random
    consumed: Consumed
    results: Results
    clock: float = 0.0

    def worker(self, number: int) -> Iterator[float]:
        """Run a worker's turns; yield the seconds of each wait."""
        world, plan = self.world, self.world.plan
        progress = self.consumed.reached.get(number) or world.kind.start(plan, number)
        while not progress.done(plan):
            self.consumed.attempts += 1
            begun, opened, allotted = self.clock, progress, None
            if plan.limits.budget.is_bounded:
                so_far = progress.spending
                allotted, spending = allot(
                    self.results,
                    number,
                    progress.batch,
                    f"{self.consumed.attempts:032x}",
                    share=plan.limits.worker_budget,
                    consumed=so_far.consumed(progress.counts, plan.prices) - so_far.lost,
                    page=plan.limits.most_request,
                    so_far=so_far,
                )
                opened = replace(progress, spending=spending)
            is_lost = self.random.random() * 10 < self.lost
            bounds = Bounds(seconds=BATCH_SECONDS, allotted=allotted)
            clock = Clock(lambda: self.clock)
            batch = world.batch(opened, bounds=bounds, clock=clock, random=self.random.random, write=len)
            yield from self._attempt(batch, number, self.random.randrange(1, 400) if is_lost else None)
            services = TURN + Services(gb_seconds=(self.clock - begun) * WORKER_GB)
            self.consumed.services += services
            if is_lost:
                self.consumed.lost_at.append(self.clock)
                yield RETRY_SECONDS
                continue
            reached = batch.progress
            spending = replace(reached.spending, services=reached.spending.services + services)
            reached = replace(reached, batch=progress.batch + 1, spending=spending)
            document = json.loads(json.dumps(progress_to_json(reached, plan)))
            self.consumed.reached[number] = progress = world.kind.progress(document, plan)
        if due := worker_state(progress, plan).get(PAID_OFF):
            yield max(0.0, datetime.fromisoformat(due).timestamp() - self.clock)
        self.consumed.ended[number] = self.clock

    def _attempt(self, batch: Any, number: int, ends_after: int | None) -> Iterator[float]:
        under_way: list[tuple[float, Any, Any]] = []
        taken = 0
        while ends_after is None or taken < ends_after:
            step = batch.take() if len(under_way) < THREADS else None
            if step is not None and not isinstance(step, Pause):
                taken += 1
                answer, reads, writes = self.world.answer(step)
                under_way.append((self.clock + LATENCY_SECONDS, step, answer))
                self.consumed.taken.append(Taken(self.clock, reads, writes, number))
                continue
            if isinstance(step, Pause) and not (under_way and under_way[0][0] <= self.clock):
                wait = min(step.seconds, under_way[0][0] - self.clock) if under_way else step.seconds
                yield max(wait, 1e-6)
            elif not under_way:
                return
            elif under_way[0][0] > self.clock:
                yield under_way[0][0] - self.clock
            while under_way and under_way[0][0] <= self.clock:
                _, request, answer = under_way.pop(0)
                batch.give(request, answer)


def drive(
    world: World, *, lost: int = 0, seconds: float = 30.0, begun: Consumed | None = None, start: float = 0.0
) -> Consumed:
    """Return what work consumed until it ended, its budget stopped it, or so many seconds were over.

    `begun`: work that stopped and is resumed. `start`: when it is.
    """
    consumed = replace(begun, plan=world.plan, ended={}) if begun else Consumed(world.plan)
    results = Results(consumed.names, world.kind.layout("p", "Orders", "run"))  # type: ignore[arg-type]
    going = Drive(world, lost, Random(1), consumed, results, start)
    turns = [going.worker(worker) for worker in range(world.plan.workers)]
    waiting = deque(range(world.plan.workers))
    due: list[tuple[float, int]] = []
    while due or waiting:
        while waiting and len(due) < world.plan.limits.at_once:
            heappush(due, (going.clock, waiting.popleft()))
        now, worker = heappop(due)
        if now > start + seconds:
            break
        going.clock = now
        if (wait := next(turns[worker], None)) is not None:
            heappush(due, (now + wait, worker))
    return consumed


def planned(world: World, plan: Any) -> Any:
    """Return the work with another plan, as a resumed one has it."""
    other = copy(world)
    vars(other)["plan"] = plan
    return other
