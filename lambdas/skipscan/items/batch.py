"""One bounded batch of a worker: it decides which page to read, which item to write, and when to stop.

The batch only decides. The caller takes a request, makes it, and gives the answer back.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.allowance import Allowance
from skipscan.items.plan import ItemPlan
from skipscan.items.walk import (
    ItemCounts,
    ItemProgress,
    ItemWalk,
    LookAtItem,
    Looked,
    OnItem,
    ReadPage,
    Settled,
    Steps,
    WriteItem,
    Written,
    cursors,
)
from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Clock, Pause
from skipscan.pace.pace import SETTLE_SECONDS, THROTTLED, Fault
from skipscan.pace.profile import BatchProfile
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import segment_at

IDLE_SECONDS = 0.02
"""How long to wait when every open request is another thread's."""

REFUSAL = "DynamoDB refused the write: the item would be invalid, or its item collection is full"

One = TypeVar("One", bound=Steps)
P = TypeVar("P", bound=ItemPlan)
R = TypeVar("R", bound=OnItem[Any])


class ItemBatch(ABC, Generic[P, One, R]):
    """A worker's progress during a batch. A subclass defines the steps of an item.

    `take`, `give` and `fail` are called by one thread at a time; the requests between them may overlap. `write`
    receives the items to list and returns the bytes they take up. `random`: the jitter of waits after refusals, from 0
    to 1. After `bounds.seconds` no request is handed out.
    """

    def __init__(
        self,
        plan: P,
        progress: ItemProgress,
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float] = lambda: 1.0,
        write: Callable[[Sequence[Settled]], int],
    ) -> None:
        self._plan = plan
        self._progress = progress
        self._bounds = bounds
        self._clock = clock.now
        self._write = write
        self._allowance = Allowance(plan, progress, bounds=bounds, clock=clock, random=random)
        self._segments = plan.segments_of(progress.worker)
        self._opened = progress.opened
        self._number = plan.pass_of(progress.opened - 1, progress.worker) if progress.cursors else 0
        self._walks = deque(self._walk(cursor) for cursor in progress.cursors)
        self._under_way: dict[ItemWalk[One], int] = {}
        self._begun = clock.now()
        self._pages = self._bytes = 0
        self._stopped = False
        self._new_counts = type(progress.counts)
        self._profile = BatchProfile("items")
        self.counts = self._new_counts()
        """What this batch alone did and consumed."""

    @abstractmethod
    def _begin(self, item: Item) -> One:
        """Return the steps for an item of a page; `_number`: of the page's pass."""

    @abstractmethod
    def _request(self, walk: ItemWalk[One], item: One) -> R:
        """Return the request for an item's next step."""

    @abstractmethod
    def _found(self, item: One, found: Item | None) -> None:
        """Give an item the answer of its read."""

    @abstractmethod
    def _count(self, settled: Settled) -> ItemCounts:
        """Return the counts of an item that the cursor passes."""

    def _is_listed(self, settled: Settled) -> bool:
        return bool(settled.reason)

    def _not_before(self, item: One) -> float:
        """Return the time before which an item's next step must not begin."""
        return 0.0

    def take(self) -> ReadPage | R | Pause | None:
        """Return the next request, or how long to wait for it; `None` if nothing is left or the batch is over."""
        if self._stopped or self._is_full():
            return None
        self._open()
        if not self._walks:
            return None
        now = self._clock()
        waits = [IDLE_SECONDS] if self._under_way else []
        for step in (self._next_page, self._next_item):
            found = step(now)
            if isinstance(found, float):
                waits.append(found)
            elif found is not None:
                self._under_way[found.walk] = self._under_way.get(found.walk, 0) + 1
                return found
        return Pause(min(*waits, LOOK_SECONDS)) if waits else None

    def give(self, request: ReadPage | R, answer: object) -> None:
        """Take in the answer to a request."""
        walk, before = request.walk, self.counts
        self._answered(walk)
        self.counts += self._new_counts(requests=1)
        if not isinstance(request, ReadPage):
            self._take_answer(request, answer)
            if self._not_before(request.item) > self._clock():
                walk.put_off(request.item)
            else:
                walk.give_back(request.item)
        elif isinstance(answer, Page):
            self._allowance.settle(request, read_units=answer.read_units, items=len(answer.items))
            self.counts += self._new_counts(read_units=answer.read_units)
            walk.receive(answer)
        else:
            raise _no_answer(request, answer)
        self._take_in(walk)
        self._record(walk.segment, before)

    def _take_answer(self, request: OnItem[Any], answer: object) -> None:
        match request, answer:
            case LookAtItem(item=item), Looked():
                self._allowance.settle(request, read_units=answer.read_units)
                self.counts += self._new_counts(read_units=answer.read_units)
                self._found(item, answer.item)
            case WriteItem(item=item), Written():
                self._allowance.settle(request, write_units=answer.write_units)
                self._allowance.written(answer.write_units)
                self.counts += self._new_counts(write_units=answer.write_units)
                item.written()
            case WriteItem(item=item), Conflict():
                self._allowance.settle(request, write_units=answer.write_units)
                self.counts += self._new_counts(conflicts=1, write_units=answer.write_units)
                item.conflicted(answer.item)
            case _:
                raise _no_answer(request, answer)

    def fail(self, request: ReadPage | R, fault: Fault) -> bool:
        """Record a failed request; return whether its walk may continue. If not, the batch is over."""
        walk, before = request.walk, self.counts
        self._answered(walk)
        if fault in THROTTLED:
            self.counts += self._new_counts(throttles=1)
            self._profile.reached(self._clock() - self._begun, self.counts)
        if isinstance(request, WriteItem):
            if fault is Fault.INVALID:  # of this item alone: its size, its key in an index, its full item collection
                self._allowance.settle(request)
                self.counts += self._new_counts(requests=1)
                request.item.refused(REFUSAL)
                self._take_in(walk)
                self._record(walk.segment, before)
                return True
            if fault not in THROTTLED:
                request.item.lost()
        goes_on = self._allowance.fail(request, fault)
        if not isinstance(request, ReadPage):
            walk.give_back(request.item)
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

    def _record(self, segment: int, before: ItemCounts) -> None:
        """Record what an answer added to the counts."""
        seconds, units = self._clock() - self._begun, self.counts.units - before.units
        self._profile.reached(seconds, self.counts)
        self._profile.worked(seconds, segment, settled=self.counts.items - before.items, requests=1, units=units)

    @property
    def progress(self) -> ItemProgress:
        """Return the worker's place now. The batch number is the one that the batch began with."""
        return replace(
            self._progress,
            opened=self._opened,
            cursors=cursors(self._walks),
            counts=self._progress.counts + self.counts,
            spending=self._allowance.spending,
        )

    def _next_page(self, now: float) -> ReadPage | float | None:
        """Return the page of a walk without one; how long to wait for it; `None` if no walk needs one."""
        if self._bounds.pages is not None and self._pages >= self._bounds.pages:
            return None
        if not self._allowance.has_room_for_page:
            return None
        waits: list[float] = []
        for walk in self._walks:
            if walk.wants_page and walk not in self._under_way:
                wait = self._allowance.page_wait_seconds(walk.segment, now)
                if not wait:
                    limit, units = self._allowance.page_size(is_written=not self._number)
                    page = ReadPage(walk, self._number, walk.segment, walk.start_key, limit, units)
                    if self._allowance.begin(page, now):
                        self._pages += 1
                        return page
                    wait = SETTLE_SECONDS
                waits.append(wait)
        return min(waits, default=None)

    def _next_item(self, now: float) -> R | float | None:
        """Return an item's step, walks in turn; how long to wait; `None` if no item has one."""
        waits: list[float] = []
        for turn, walk in enumerate(self._walks):
            if (item := walk.take()) is None:
                continue
            request = self._request(walk, item)
            if not self._allowance.has_room(request):
                walk.give_back(item)
                continue
            wait = max(self._allowance.wait_seconds(request, now), self._not_before(item) - now)
            if wait > 0 or not self._allowance.begin(request, now):
                walk.give_back(item)
                waits.append(max(wait, SETTLE_SECONDS))
                continue
            self._walks.rotate(-turn - 1)
            return request
        return min(waits, default=None)

    def _answered(self, walk: ItemWalk[One]) -> None:
        self._under_way[walk] -= 1
        if not self._under_way[walk]:
            del self._under_way[walk]

    def _take_in(self, walk: ItemWalk[One]) -> None:
        """Count and list the items that the walk's cursor passes, and remove a walk that has ended."""
        listed = []
        for settled in walk.settled():
            self.counts += self._count(settled)
            if self._is_listed(settled):
                listed.append(settled)
        if listed:
            self._bytes += self._write(listed)
        if walk.finished:
            self._walks.remove(walk)

    def _open(self) -> None:
        """Begin as many walks as may be open. A pass begins only when all walks of the pass before have ended."""
        plan, worker = self._plan, self._progress.worker
        while len(self._walks) < plan.reading.walks and self._opened < plan.passes * self._segments:
            number = plan.pass_of(self._opened, worker)
            if number != self._number:
                if self._walks:
                    return
                self._number = number
            visit = worker + self._opened % self._segments * plan.workers
            self._opened += 1
            self._walks.append(self._walk(Cursor(segment_at(visit, plan.reading.segments))))

    def _walk(self, cursor: Cursor) -> ItemWalk[One]:
        return ItemWalk(cursor, self._begin)

    def _is_full(self) -> bool:
        bounds = self._bounds
        return (bounds.bytes is not None and self._bytes >= bounds.bytes) or (
            bounds.seconds is not None and self._clock() - self._begun >= bounds.seconds
        )


def _no_answer(request: object, answer: object) -> TypeError:
    return TypeError(f"{type(answer).__name__} is no answer to {type(request).__name__}")
