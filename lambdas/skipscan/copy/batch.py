"""One bounded batch of a copy's worker: which page is read next, which item put, and when it is time to stop.

The batch decides and never waits: whoever drives it takes a request, makes it, and gives the answer back.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from skipscan.backoff import Fault
from skipscan.batch import LOOK_SECONDS, Bounds, Pause
from skipscan.copy.comparing import Comparing
from skipscan.copy.copying import Copying, HandOver, Outcome
from skipscan.copy.late_look import bodies
from skipscan.copy.plan import CopyPlan
from skipscan.copy.progress import CopyProgress
from skipscan.copy.reconciling import LookAt, PutTarget, Side
from skipscan.copy.tally import CopyTally
from skipscan.cursor import Cursor
from skipscan.limit.item_size import UNKNOWN_BYTES
from skipscan.pace import Pace
from skipscan.page import Page
from skipscan.retrofit.batch import (
    IDLE_SECONDS,
    PAGE_ITEMS,
    PAGE_WRITE_SECONDS,
    Conflict,
    Looked,
    Mean,
    Written,
)
from skipscan.retrofit.item_walk import ItemWalk, Settled, cursors
from skipscan.segments import segment_at
from skipscan.source import Item

OneItem = Copying | Comparing
Walk = ItemWalk[OneItem]


@dataclass(frozen=True)
class ReadPage:
    """The next page of one walk. `keys_only`: nothing else is looked at. `read_units`: expected of it."""

    walk: Walk
    side: Side
    segment: int
    start_key: Item | None
    limit: int
    keys_only: bool
    read_units: float


@dataclass(frozen=True)
class PutItem:
    """A put into the new table, where no item is. `write_units`: expected of it."""

    walk: Walk
    item: Copying
    put: PutTarget
    write_units: float


@dataclass(frozen=True)
class HandKeyOver:
    """A message to the replicator, to be delivered at once."""

    walk: Walk
    item: Copying
    body: str


@dataclass(frozen=True)
class LookAtItem:
    """A strongly consistent look at one item. `read_units`: expected of it."""

    walk: Walk
    item: Comparing
    side: Side
    read_units: float


Request = ReadPage | PutItem | HandKeyOver | LookAtItem


@dataclass(frozen=True)
class HandedOver:
    """The queue has the key."""


Answer = Page | Written | Conflict | Looked | HandedOver


class CopyBatch:
    """A worker's progress in the making.

    `take`, `give` and `fail` are called by one thread at a time; the requests between them may overlap. `write`
    receives the items that are to be listed and returns the bytes they take up. `random` draws from 0 to 1 how much of
    a wait is waited after a refusal. Once `bounds.seconds` are over nothing is handed out: what the replicator's late
    look rests on, see `skipscan.copy.late_look`.
    """

    def __init__(
        self,
        plan: CopyPlan,
        progress: CopyProgress,
        *,
        bounds: Bounds,
        clock: Callable[[], float],
        random: Callable[[], float] = lambda: 1.0,
        write: Callable[[Sequence[Settled]], int],
    ) -> None:
        self._plan = plan
        self._progress = progress
        self._bounds = bounds
        self._clock = clock
        self._write = write
        self._reading = Pace(plan.reading.worker_read_units_per_second, random)
        self._writing = Pace(plan.worker_write_units_per_second, random)
        self._segments = plan.segments_of(progress.worker)
        self._opened = progress.opened
        self._side = plan.verified_side(progress.opened - 1, progress.worker) if progress.cursors else None
        self._walks = deque(self._walk(cursor) for cursor in progress.cursors)
        self._under_way: dict[Walk, int] = {}
        self._begun = clock()
        self._pages = self._bytes = 0
        self._put_units = Mean(plan.put_units or 1.0)
        step_bytes = 4096 / plan.reading.step_units
        self._item_units = Mean((plan.reading.item_bytes or UNKNOWN_BYTES) / step_bytes)
        self._stopped = False
        self.counts = CopyTally()
        """What this batch alone did and consumed."""

    def take(self) -> Request | Pause | None:
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

    def give(self, request: Request, answer: Answer) -> None:
        """Take in the answer to a request."""
        walk = request.walk
        self._answered(walk)
        self.counts += CopyTally(requests=1)
        match request, answer:
            case ReadPage(), Page():
                self._reading.accepted(walk.segment, request.read_units, answer.read_units)
                self.counts += CopyTally(read_units=answer.read_units)
                if answer.items:
                    self._item_units.add(answer.read_units, len(answer.items))
                walk.receive(answer)
            case LookAtItem(item=item), Looked():
                self._reading.accepted(walk.segment, request.read_units, answer.read_units)
                self.counts += CopyTally(read_units=answer.read_units)
                item.found(answer.item, self._clock())
                if item.not_before > self._clock():
                    walk.put_off(item)
                else:
                    walk.give_back(item)
            case PutItem(item=item), Written():
                self._writing.accepted(walk.segment, request.write_units, answer.write_units)
                self._put_units.add(answer.write_units, 1)
                self.counts += CopyTally(write_units=answer.write_units)
                item.written()
            case PutItem(item=item), Conflict():
                self._writing.accepted(walk.segment, request.write_units, answer.write_units)
                self.counts += CopyTally(conflicts=1, write_units=answer.write_units)
                item.conflicted(answer.item)
                walk.give_back(item)
            case HandKeyOver(item=item), HandedOver():
                self._writing.accepted(walk.segment, 0.0, 0.0)
                item.handed_over()
            case _:
                raise TypeError(f"{type(answer).__name__} is no answer to {type(request).__name__}")
        self._take_in(walk)

    def fail(self, request: Request, fault: Fault) -> bool:
        """Take back a request that failed; return whether its walk may go on, else the batch is over."""
        walk = request.walk
        self._answered(walk)
        if fault in {Fault.KEY_RANGE, Fault.CAPACITY}:
            self.counts += CopyTally(throttles=1)
        now = self._clock()
        match request:
            case PutItem(item=item) if fault is Fault.INVALID:  # this item: its size, or its key in an index
                self._writing.accepted(walk.segment, request.write_units, 0.0)
                self.counts += CopyTally(requests=1)
                item.refused("DynamoDB refused the put as invalid")
                self._take_in(walk)
                return True
            case PutItem(item=item):
                goes_on = self._writing.refused(walk.segment, request.write_units, fault, now)
                if fault not in {Fault.KEY_RANGE, Fault.CAPACITY}:
                    item.lost()
                walk.give_back(item)
            case HandKeyOver(item=item):
                goes_on = self._writing.refused(walk.segment, 0.0, fault, now)
                walk.give_back(item)
            case LookAtItem():
                goes_on = self._reading.refused(walk.segment, request.read_units, fault, now)
                walk.give_back(request.item)
            case ReadPage():
                goes_on = self._reading.refused(walk.segment, request.read_units, fault, now)
        if not goes_on:
            self.stop()
        return goes_on

    def stop(self) -> None:
        """End the batch: nothing more is handed out, and an item whose answer never came is not passed."""
        self._stopped = True

    @property
    def progress(self) -> CopyProgress:
        """Where the worker stands now. The batch number is the one the batch began with."""
        return replace(
            self._progress,
            opened=self._opened,
            cursors=cursors(self._walks),
            tally=self._progress.tally + self.counts,
        )

    def _next_page(self, now: float) -> ReadPage | float | None:
        """Return the page of a walk that has none; how long to wait for it; `None` if no walk wants one."""
        if self._bounds.pages is not None and self._pages >= self._bounds.pages:
            return None
        waits: list[float] = []
        for walk in self._walks:
            if walk.wants_page and walk not in self._under_way:
                wait = max(self._reading.wait_seconds(now), self._reading.walk_wait_seconds(walk.segment, now))
                if not wait:
                    limit = self._page_items()
                    self._pages += 1
                    read_units = self._item_units.of(limit)
                    self._reading.begin(now, read_units)
                    side, keys_only = self._side or Side.SOURCE, self._side is not None
                    return ReadPage(walk, side, walk.segment, walk.start_key, limit, keys_only, read_units)
                waits.append(wait)
        return min(waits, default=None)

    def _next_item(self, now: float) -> PutItem | HandKeyOver | LookAtItem | float | None:
        """Return an item's step, the walks taking turns; how long to wait; `None` if no item waits for one."""
        waits: list[float] = []
        for turn, walk in enumerate(self._walks):
            if not walk.has_waiting:
                continue
            item = walk.take()
            pace = self._reading if isinstance(item, Comparing) else self._writing
            wait = max(pace.wait_seconds(now), pace.walk_wait_seconds(walk.segment, now))
            if isinstance(item, Comparing):
                wait = max(wait, item.not_before - now)
            if wait > 0:
                walk.give_back(item)
                waits.append(wait)
                continue
            self._walks.rotate(-turn - 1)
            return self._asked(walk, item, now)
        return min(waits, default=None)

    def _asked(self, walk: Walk, item: OneItem, now: float) -> PutItem | HandKeyOver | LookAtItem:
        match item, item.step:
            case Comparing(), LookAt(side=side):
                self._reading.begin(now, 1.0)
                return LookAtItem(walk, item, side, 1.0)
            case Copying(), PutTarget() as put:
                write_units = self._put_units.of(1)
                self._writing.begin(now, write_units)
                return PutItem(walk, item, put, write_units)
            case Copying(), HandOver():
                return HandKeyOver(walk, item, next(bodies([item.key])))
        raise TypeError("an item that waits has a step")

    def _page_items(self) -> int:
        bounds = [PAGE_ITEMS]
        if self._side is None and (rate := self._plan.worker_write_units_per_second):
            bounds.append(int(PAGE_WRITE_SECONDS * rate / self._put_units.of(1)))
        if (most := self._reading.page_units) is not None:
            bounds.append(int(most / self._item_units.of(1)))
        return max(1, min(bounds))

    def _answered(self, walk: Walk) -> None:
        self._under_way[walk] -= 1
        if not self._under_way[walk]:
            del self._under_way[walk]

    def _take_in(self, walk: Walk) -> None:
        """Count and list the items that the walk's cursor passes, and drop a walk that is at its end."""
        listed = []
        for settled in walk.settled():
            outcome = Outcome(settled.outcome)
            if self._side is None:
                self.counts += CopyTally.of(outcome, listed=bool(settled.reason))
            else:
                self.counts += CopyTally.verifying(self._side, outcome)
            if settled.reason:
                listed.append(settled)
        if listed:
            self._bytes += self._write(listed)
        if walk.finished:
            self._walks.remove(walk)

    def _open(self) -> None:
        """Begin walks, as many as may be open; those of a pass only when all of the pass before are at their end."""
        plan, worker = self._plan, self._progress.worker
        while len(self._walks) < plan.reading.walks and self._opened < plan.passes * self._segments:
            side = plan.verified_side(self._opened, worker)
            if side is not self._side:
                if self._walks:
                    return
                self._side = side
            visit = worker + self._opened % self._segments * plan.workers
            self._opened += 1
            self._walks.append(self._walk(Cursor(segment_at(visit, plan.reading.segments), skipping=False)))

    def _walk(self, cursor: Cursor) -> Walk:
        return ItemWalk(cursor, self._begin)

    def _begin(self, item: Item) -> OneItem:
        key = {name: item[name] for name in self._plan.key_names}
        if self._side is None:
            return Copying(self._plan.transform, key, item)
        drawn = crc32(repr(sorted(key.items())).encode("utf-8", "surrogatepass")) / 2**32
        return Comparing(self._plan.transform, key, counts_only=drawn >= self._plan.compared_share)

    def _is_full(self) -> bool:
        bounds, before, now = self._bounds, self._progress.tally, self.counts
        return (
            (bounds.bytes is not None and self._bytes >= bounds.bytes)
            or (bounds.seconds is not None and self._clock() - self._begun >= bounds.seconds)
            or self._plan.has_spent(before.read_units + now.read_units, before.write_units + now.write_units)
        )
