"""One bounded batch of a retrofit's worker: which page is read next, which item written, and when it is time to stop.

The batch decides and never waits: whoever drives it takes a request, makes it, and gives the answer back.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from skipscan.backoff import Fault
from skipscan.batch import LOOK_SECONDS, Bounds, Pause
from skipscan.cursor import Cursor
from skipscan.limit.item_size import UNKNOWN_BYTES
from skipscan.pace import Pace
from skipscan.page import Page
from skipscan.retrofit.item_walk import ItemWalk, Settled, cursors
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.retrofit.progress import RetrofitProgress
from skipscan.retrofit.settling import Look, Outcome, Settling
from skipscan.retrofit.tally import Tally
from skipscan.retrofit.targets import Change
from skipscan.segments import segment_at
from skipscan.source import Item

PAGE_ITEMS = 1000
"""At most so many items a page: 25 half read units for 100 KB of them, and little to read again after a batch's end."""

PAGE_WRITE_SECONDS = 2.0
"""A page holds no more than its worker may write in so long, so that a slow rate does not read far ahead."""

IDLE_SECONDS = 0.02
"""When nothing is to be done until another thread's answer is there."""


@dataclass(frozen=True)
class ReadPage:
    """The next page of one walk. `read_units`: expected of it."""

    walk: ItemWalk[Settling]
    segment: int
    start_key: Item | None
    limit: int
    read_units: float


@dataclass(frozen=True)
class WriteItem:
    """An update of one item. `write_units`: expected of it."""

    walk: ItemWalk[Settling]
    settling: Settling
    change: Change
    write_units: float


@dataclass(frozen=True)
class LookAtItem:
    """A strongly consistent look at one item. `read_units`: expected of it."""

    walk: ItemWalk[Settling]
    settling: Settling
    read_units: float


Request = ReadPage | WriteItem | LookAtItem


@dataclass(frozen=True)
class Written:
    """An update was made."""

    write_units: float


@dataclass(frozen=True)
class Conflict:
    """An update's condition failed. `item`: as it is now, if the answer held it.

    `write_units`: computed from its size, for DynamoDB bills them and does not report them.
    """

    item: Item | None
    write_units: float


@dataclass(frozen=True)
class Looked:
    """What a look found; no `item`: it is gone."""

    item: Item | None
    read_units: float


Answer = Page | Written | Conflict | Looked


class RetrofitBatch:
    """A worker's progress in the making.

    `take`, `give` and `fail` are called by one thread at a time; the requests between them may overlap. `write`
    receives the items that are to be listed and returns the bytes they take up. `random` draws from 0 to 1 how much of
    a wait is waited after a refusal.
    """

    def __init__(
        self,
        plan: RetrofitPlan,
        progress: RetrofitProgress,
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
        self._key_names = [attribute.name for attribute in plan.reading.source.key]
        self._segments = plan.segments_of(progress.worker)
        self._most_walks = plan.reading.walks
        self._opened = progress.opened
        self._verifying = bool(progress.cursors) and progress.is_verifying(plan)
        self._walks = deque(self._walk(cursor) for cursor in progress.cursors)
        self._under_way: dict[ItemWalk[Settling], int] = {}
        self._begun = clock()
        self._pages = self._bytes = 0
        self._update_units = Mean(plan.update_units or 1.0)
        step_bytes = 4096 / plan.reading.step_units
        self._item_units = Mean((plan.reading.item_bytes or UNKNOWN_BYTES) / step_bytes)
        self._stopped = False
        self.counts = Tally()
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
        self.counts += Tally(requests=1)
        match request, answer:
            case ReadPage(), Page():
                self._reading.accepted(walk.segment, request.read_units, answer.read_units)
                self.counts += Tally(read_units=answer.read_units)
                if answer.items:
                    self._item_units.add(answer.read_units, len(answer.items))
                walk.receive(answer)
            case LookAtItem(), Looked():
                self._reading.accepted(walk.segment, request.read_units, answer.read_units)
                self.counts += Tally(read_units=answer.read_units)
                request.settling.found(answer.item)
                walk.give_back(request.settling)
            case WriteItem(), Written():
                self._writing.accepted(walk.segment, request.write_units, answer.write_units)
                self._update_units.add(answer.write_units, 1)
                self.counts += Tally(write_units=answer.write_units)
                request.settling.written()
                walk.give_back(request.settling)
            case WriteItem(), Conflict():
                self._writing.accepted(walk.segment, request.write_units, answer.write_units)
                self.counts += Tally(conflicts=1, write_units=answer.write_units)
                request.settling.conflicted(answer.item)
                walk.give_back(request.settling)
            case _:
                raise TypeError(f"{type(answer).__name__} is no answer to {type(request).__name__}")
        self._take_in(walk)

    def fail(self, request: Request, fault: Fault) -> bool:
        """Take back a request that failed; return whether its walk may go on, else the batch is over."""
        walk = request.walk
        self._answered(walk)
        if fault in {Fault.KEY_RANGE, Fault.CAPACITY}:
            self.counts += Tally(throttles=1)
        if isinstance(request, WriteItem):
            if fault is Fault.INVALID:  # this item, by its size or by something else that only the service knows
                self._writing.accepted(walk.segment, request.write_units, 0.0)
                self.counts += Tally(requests=1)
                request.settling.refused("DynamoDB refused the update as invalid")
                self._take_in(walk)
                return True
            goes_on = self._writing.refused(walk.segment, request.write_units, fault, self._clock())
        else:
            goes_on = self._reading.refused(walk.segment, request.read_units, fault, self._clock())
        if not isinstance(request, ReadPage):
            if fault not in {Fault.KEY_RANGE, Fault.CAPACITY}:
                request.settling.lost()
            walk.give_back(request.settling)
        if not goes_on:
            self.stop()
        return goes_on

    def stop(self) -> None:
        """End the batch: nothing more is handed out, and an item whose answer never came is not passed."""
        self._stopped = True

    @property
    def progress(self) -> RetrofitProgress:
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
                    return ReadPage(walk, walk.segment, walk.start_key, limit, read_units)
                waits.append(wait)
        return min(waits, default=None)

    def _next_item(self, now: float) -> WriteItem | LookAtItem | float | None:
        """Return an item's step, the walks taking turns; how long to wait; `None` if no item waits for one."""
        waits: list[float] = []
        for turn, walk in enumerate(self._walks):
            if not walk.has_waiting:
                continue
            settling = walk.take()
            looks = isinstance(settling.step, Look)
            pace = self._reading if looks else self._writing
            wait = max(pace.wait_seconds(now), pace.walk_wait_seconds(walk.segment, now))
            if wait:
                walk.give_back(settling)
                waits.append(wait)
                continue
            self._walks.rotate(-turn - 1)
            if not isinstance(settling.step, Change):
                pace.begin(now, 1.0)
                return LookAtItem(walk, settling, 1.0)
            write_units = self._update_units.of(1)
            pace.begin(now, write_units)
            return WriteItem(walk, settling, settling.step, write_units)
        return min(waits, default=None)

    def _page_items(self) -> int:
        bounds = [PAGE_ITEMS]
        if rate := self._plan.worker_write_units_per_second:
            bounds.append(int(PAGE_WRITE_SECONDS * rate / self._update_units.of(1)))
        if (most := self._reading.page_units) is not None:
            bounds.append(int(most / self._item_units.of(1)))
        return max(1, min(bounds))

    def _answered(self, walk: ItemWalk[Settling]) -> None:
        self._under_way[walk] -= 1
        if not self._under_way[walk]:
            del self._under_way[walk]

    def _take_in(self, walk: ItemWalk[Settling]) -> None:
        """Count and list the items that the walk's cursor passes, and drop a walk that is at its end."""
        listed = []
        for settled in walk.settled():
            outcome = Outcome(settled.outcome)
            self.counts += Tally.verifying(outcome) if self._verifying else Tally.of(outcome)
            if settled.reason and (not self._verifying or settled.outcome.value == "wrong"):
                listed.append(settled)
        if listed:
            self._bytes += self._write(listed)
        if walk.finished:
            self._walks.remove(walk)

    def _open(self) -> None:
        """Begin walks, as many as may be open; those of a verification only when every other is at its end."""
        segments = self._segments
        while len(self._walks) < self._most_walks and self._opened < self._plan.passes * segments:
            verifies = self._opened >= segments
            if verifies != self._verifying:
                if self._walks:
                    return
                self._verifying = verifies
            visit = self._progress.worker + self._opened % segments * self._plan.reading.workers
            cursor = Cursor(segment_at(visit, self._plan.reading.segments), skipping=False)
            self._opened += 1
            self._walks.append(self._walk(cursor))

    def _walk(self, cursor: Cursor) -> ItemWalk[Settling]:
        return ItemWalk(cursor, self._begin)

    def _begin(self, item: Item) -> Settling:
        key = {name: item[name] for name in self._key_names}
        return Settling(self._plan.targets, key, item, writes=not self._verifying)

    def _is_full(self) -> bool:
        bounds, before, now = self._bounds, self._progress.tally, self.counts
        return (
            (bounds.bytes is not None and self._bytes >= bounds.bytes)
            or (bounds.seconds is not None and self._clock() - self._begun >= bounds.seconds)
            or self._plan.has_spent(before.read_units + now.read_units, before.write_units + now.write_units)
        )


class Mean:
    """What one of something consumes, by all that were measured; `expected` counts as a few of them."""

    def __init__(self, expected: float) -> None:
        self._sum, self._count = 4 * expected, 4.0

    def add(self, units: float, count: int) -> None:
        self._sum += units
        self._count += count

    def of(self, count: int) -> float:
        return self._sum / self._count * count
