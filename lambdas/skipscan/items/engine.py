"""One bounded batch of a worker over items: it decides which page to read, which step to do, and when to stop.

The engine only decides. The caller takes a request, makes it, and gives the answer back.

What is done to an item is a generator of steps, see `skipscan.dynamodb.step`. All that the engine holds of it beside is
the reservation of its request, which is settled or failed, and its place, which its lane has not passed. So nothing
needs cleaning up when a generator is dropped, and whatever is lost with a batch is done again.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import LOST, Answer, Conflict, ItemSteps
from skipscan.items.lane import Lane, Unit
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemCounts, ItemProgress, ItemResult
from skipscan.items.sizes import ReadPage, Size, Sizes
from skipscan.pace.bill import amounts
from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Clock, Pause
from skipscan.pace.ledger import Ledger, Reserved
from skipscan.pace.pace import SETTLE_SECONDS, THROTTLED, Fault
from skipscan.pace.profile import BatchProfile
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import segment_at

IDLE_SECONDS = 0.02
"""How long to wait when every open request is another thread's."""


class ItemJob(ABC):
    """What a kind of work does with an item of a page. `number`: of the page's pass."""

    plan: ItemPlan

    @abstractmethod
    def begin(self, item: Item, number: int, counts: ItemCounts) -> ItemSteps:
        """Return the work on an item. `counts`: of the batch until now."""

    @abstractmethod
    def count(self, result: ItemResult, number: int) -> ItemCounts:
        """Return the counts of an item that the cursor passes."""

    def is_listed(self, result: ItemResult, number: int) -> bool:
        return bool(result.reason)


@dataclass(frozen=True, eq=False)
class ItemRequest:
    """A page of a lane, or the step of one of its items."""

    lane: Lane
    unit: Unit | None
    step: Any
    size: Size


class Engine:
    """A worker's progress during a batch.

    `take`, `give` and `fail` are called by one thread at a time; the requests between them may overlap. `write`
    receives the items to list and returns the bytes they take up. `random`: the jitter of waits after refusals, from 0
    to 1. After `bounds.seconds` no request is handed out.
    """

    def __init__(
        self,
        job: ItemJob,
        progress: ItemProgress,
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float] = lambda: 1.0,
        write: Callable[[Sequence[ItemResult]], int],
    ) -> None:
        self._job, self._plan, self._progress = job, job.plan, progress
        self._bounds, self._clock, self._write = bounds, clock.now, write
        of_worker = (progress.worker, progress.spending, progress.counts)
        self._ledger = Ledger(self._plan.limits, *of_worker, bounds=bounds, clock=clock, random=random)
        self._sizes = Sizes(self._plan, self._ledger)
        self._segments = self._plan.segments_of(progress.worker)
        self._opened = progress.opened
        self._number = self._plan.pass_of(progress.opened - 1, progress.worker) if progress.cursors else 0
        self._lanes = deque(Lane(cursor, self._begin) for cursor in progress.cursors)
        self._begun = clock.now()
        self._under_way = self._pages = self._bytes = 0
        self._stopped = False
        self._profile = BatchProfile("items")
        self._new_counts = type(progress.counts)
        self.counts: Any = self._new_counts()
        """What this batch alone did and consumed."""

    def take(self) -> ItemRequest | Pause | None:
        """Return the next request, or how long to wait for it; `None` if nothing is left or the batch is over."""
        if self._stopped or self._is_full():
            return None
        self._open()
        if not self._lanes:
            return None
        now = self._clock()
        waits = [IDLE_SECONDS] if self._under_way else []
        for find in (self._next_page, self._next_step):
            found = find(now)
            if isinstance(found, ItemRequest):
                found.lane.under_way += 1
                self._under_way += 1
                return found
            waits += found
        return Pause(min(*waits, LOOK_SECONDS)) if waits else None

    def give(self, request: ItemRequest, answer: Page | Answer) -> None:
        """Take in the answer to a request."""
        if isinstance(answer, Page) is not isinstance(request.step, ReadPage):
            raise TypeError(f"{type(answer).__name__} is no answer to {type(request.step).__name__}")
        lane, unit, before = request.lane, request.unit, self.counts
        lane.under_way -= 1
        self._under_way -= 1
        reads, writes = answer.read_units, 0.0 if isinstance(answer, Page) else answer.write_units
        self._sizes.learn(answer)
        account, booking, _ = request.size
        account.settle(booking, amounts(self._plan.prices, reads, writes), reads + writes)
        account.recovered(lane.segment)
        self.counts += self._new_counts(requests=1, read_units=reads, write_units=writes)
        if isinstance(answer, Page):
            lane.receive(answer)
        elif unit:
            if isinstance(answer.value, Conflict):
                self.counts += self._new_counts(conflicts=1)
            lane.give_back(unit, waits=unit.go_on(answer.value))
        self._pass(lane)
        self._record(lane.segment, before)

    def fail(self, request: ItemRequest, fault: Fault) -> bool:
        """Record a failed request; return whether its lane may continue. If not, the batch is over."""
        lane, unit = request.lane, request.unit
        lane.under_way -= 1
        self._under_way -= 1
        if fault in THROTTLED:
            self.counts += self._new_counts(throttles=1)
            self._profile.reached(self._clock() - self._begun, self.counts)
        account, booking, _ = request.size
        goes_on = account.fail(booking, fault)
        if unit:
            if fault is Fault.PASSING:
                unit.go_on(LOST)
            lane.give_back(unit)
            self._pass(lane)
        if not goes_on:
            self.stop()
        return goes_on

    def stop(self) -> None:
        """End the batch: no more requests, and the cursor does not pass an item without its answer."""
        self._stopped = True

    @property
    def profile(self) -> dict[str, Any]:
        """Return how the batch went until now, as JSON."""
        return self._profile.to_json()

    @property
    def progress(self) -> ItemProgress:
        """Return the worker's place now. The batch number is the one that the batch began with."""
        return replace(
            self._progress,
            opened=self._opened,
            cursors=tuple(lane.cursor for lane in self._lanes),
            counts=self._progress.counts + self.counts,
            spending=self._ledger.spending,
        )

    def _next_page(self, now: float) -> ItemRequest | list[float]:
        """Return the page of a lane without one, or how long to wait for it."""
        waits: list[float] = []
        if self._bounds.pages is not None and self._pages >= self._bounds.pages:
            return waits
        for lane in self._lanes:
            if not lane.needs_page:
                continue
            page, size = self._sizes.page(lane, self._number, is_written=not self._number)
            if not self._ledger.has_room(size.least):
                break
            if not (wait := self._wait(size, lane, now)):
                if size.account.reserve(size.booking, now) is Reserved.YES:
                    self._pages += 1
                    return ItemRequest(lane, None, page, size)
                wait = SETTLE_SECONDS
            waits.append(wait)
        return waits

    def _next_step(self, now: float) -> ItemRequest | list[float]:
        """Return an item's step, lanes in turn, or how long to wait for one."""
        waits: list[float] = []
        for turn, lane in enumerate(self._lanes):
            if (unit := lane.take()) is None:
                continue
            size = self._sizes.step(unit.step, lane.segment)
            if size.booking.units and not self._ledger.has_room(size.least):
                lane.give_back(unit)
                continue
            wait = max(self._wait(size, lane, now), unit.not_before - now)
            if wait > 0 or size.account.reserve(size.booking, now) is not Reserved.YES:
                lane.give_back(unit)
                waits.append(max(wait, SETTLE_SECONDS))
                continue
            self._lanes.rotate(-turn - 1)
            return ItemRequest(lane, unit, unit.step, size)
        return waits

    def _wait(self, size: Size, lane: Lane, now: float) -> float:
        return max(size.account.wait_seconds(now), size.account.walk_wait_seconds(lane.segment, now))

    def _begin(self, item: Item) -> Unit:
        return Unit(self._job.begin(item, self._number, self.counts), self._clock)

    def _pass(self, lane: Lane) -> None:
        """Count and list the items that the lane's cursor passes, and remove a lane that has ended."""
        listed = []
        for result in lane.passed():
            self.counts += self._job.count(result, self._number)
            if self._job.is_listed(result, self._number):
                listed.append(result)
        if listed:
            self._bytes += self._write(listed)
        if lane.is_finished:
            self._lanes.remove(lane)

    def _record(self, segment: int, before: ItemCounts) -> None:
        """Record what an answer added to the counts."""
        seconds, units = self._clock() - self._begun, self.counts.units - before.units
        self._profile.reached(seconds, self.counts)
        self._profile.worked(seconds, segment, settled=self.counts.items - before.items, requests=1, units=units)

    def _open(self) -> None:
        """Open as many lanes as may be open. A pass begins only when all lanes of the pass before have ended."""
        plan, worker = self._plan, self._progress.worker
        while len(self._lanes) < plan.reading.walks and self._opened < plan.passes * self._segments:
            number = plan.pass_of(self._opened, worker)
            if number != self._number:
                if self._lanes:
                    return
                self._number = number
            visit = worker + self._opened % self._segments * plan.workers
            self._opened += 1
            self._lanes.append(Lane(Cursor(segment_at(visit, plan.reading.segments), skipping=False), self._begin))

    def _is_full(self) -> bool:
        bounds = self._bounds
        return (bounds.bytes is not None and self._bytes >= bounds.bytes) or (
            bounds.seconds is not None and self._clock() - self._begun >= bounds.seconds
        )
