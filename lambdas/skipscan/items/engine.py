"""One bounded batch of a worker: it decides which request to make next, and when to stop.

The engine only decides. The caller takes a request, makes it, and gives the answer back. All kinds of jobs have this
engine. What differs between them is their `Job`: where units of work come from (keys or items of a run's parts, pages
of a table), the steps of a unit, what a repeat may do, the counts and lines of an end, and what a request may cost.

What is done to a unit is a generator of steps, see `skipscan.dynamodb.step`. All that the engine holds of it beside is
the reservation of its request, which is released or failed, and its place, which its lane has not passed. So nothing
needs cleaning up when a generator is dropped, and whatever is lost with a batch is done again.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skipscan.items.job import Job, Lane, Size, Unit, UnitRequest
from skipscan.pace.bill import amounts
from skipscan.pace.bounds import LOOK_SECONDS, Pause
from skipscan.pace.ledger import Ledger, Reserved
from skipscan.pace.pace import THROTTLED, Fault
from skipscan.pace.profile import BatchProfile

IDLE_SECONDS = 0.02
"""How long to wait when every open request is another thread's: also for one whose answer gives room to another."""


class Engine:
    """A worker's progress during a batch.

    `take`, `give` and `fail` are called by one thread at a time; the requests between them may overlap. `ledger`: the
    batch's, on which its job books, too. `write` receives what to list and returns the bytes it takes up. After
    `bounds.seconds` no request is handed out.
    """

    def __init__(self, job: Job, ledger: Ledger, *, write: Callable[[Sequence[Any]], int]) -> None:
        self._job, self._ledger, self._write = job, ledger, write
        self._bounds, self._clock = ledger.bounds, ledger.clock.now
        self._lanes: deque[Lane] = job.lanes
        self._held: deque[UnitRequest] = deque()
        """The next steps of units whose reservation goes on."""
        self._start = self._clock()
        self._under_way = self._pages = self._bytes = 0
        self._stopped = False
        self._profile = BatchProfile(job.done)
        self._new_counts = type(ledger.progress.counts)
        self.counts: Any = self._new_counts()
        """What this batch alone did and consumed."""

    def take(self) -> UnitRequest | Pause | None:
        """Return the next request, or how long to wait for it; `None` if nothing is left or the batch is over."""
        now = self._clock()
        bounds = self._bounds
        if self._stopped or (bounds.seconds is not None and now - self._start >= bounds.seconds):
            return None
        if self._held:
            self._under_way += 1
            return self._held.popleft()
        has_bytes = bounds.bytes is not None and self._bytes >= bounds.bytes
        if has_bytes or self._job.is_full(bounds, self._pages, self.counts):
            return None
        self._job.open()
        if not self._lanes:
            return None
        waits = [IDLE_SECONDS] if self._under_way else []
        for find in (self._next_page, self._next_step):
            found = find(now)
            if isinstance(found, UnitRequest):
                self._under_way += 1
                self._pages += found.size.is_page
                return found
            waits += found
        for lane in tuple(self._lanes):  # a unit may have ended without a step
            self._pass(lane)
        return Pause(min(*waits, LOOK_SECONDS)) if waits else None

    def give(self, request: UnitRequest, answer: Any) -> None:
        """Take in the answer to a request; raise the error of a unit that must not go on."""
        lane, unit, size = request.lane, request.unit, request.size
        self._under_way -= 1
        added = self._job.count(answer)
        self.counts += added
        spent = amounts(self._ledger.limits.prices, added.read_units, added.write_units)
        waits = unit is not None and unit.go_on(answer.value)
        if is_held := size.holds and unit.step is not None:
            rest = size._replace(booking=size.account.release_part(size.booking, spent), is_page=False)
            self._held.append(replace(request, step=unit.step, size=rest))
        else:
            size.account.release(size.booking, spent, self._job.consumed(request, added))
        try:
            if unit is None:
                lane.is_reading = False
                size.account.recovered(size.booking.walk)
                lane.receive(answer)
            elif not is_held:
                lane.answered(unit, size.account, waits=waits)
        finally:  # what has ended counts, even if another unit of the request must not go on
            self._pass(lane)
            if size.is_of_table:
                seconds = self._clock() - self._start
                self._profile.reached(seconds, self.counts)
                self._profile.worked(seconds, lane.visited(unit), requests=added.requests, units=added.units)

    def fail(self, request: UnitRequest, fault: Fault) -> bool:
        """Record a failed request; return whether its lane may continue. If not, the batch is over."""
        lane, unit, size = request.lane, request.unit, request.size
        self._under_way -= 1
        if fault in THROTTLED and size.is_of_table:
            self.counts += self._new_counts(throttles=1)
            self._profile.reached(self._clock() - self._start, self.counts)
        goes_on = size.account.fail(size.booking, fault)
        if unit is None:
            lane.is_reading = False
        else:
            lane.failed(unit, fault)
        if not goes_on:
            self.stop()
        return goes_on

    def stop(self) -> None:
        """End the batch: no more requests, and no place passes a unit without its answer."""
        self._stopped = True

    @property
    def profile(self) -> dict[str, Any]:
        """Return how the batch went until now, as JSON."""
        return self._profile.to_json()

    @property
    def progress(self) -> Any:
        """Return the worker's place now. The batch number is the one that the batch started with."""
        before = self._ledger.progress
        return self._job.reached(replace(before, counts=before.counts + self.counts, spending=self._ledger.spending))

    def _next_page(self, now: float) -> UnitRequest | list[float]:
        """Return what a lane has to read, or how long to wait for it."""
        waits: list[float] = []
        if self._bounds.pages is not None and self._pages >= self._bounds.pages:
            return waits
        for lane in self._lanes:
            if not lane.needs_page:
                continue
            step, size = self._job.read(lane)
            if not self._ledger.has_room(size.least):
                break
            if wait := _wait(size, now):
                waits.append(wait)
            elif size.account.reserve(size.booking, now) is Reserved.YES:
                lane.is_reading = True
                return UnitRequest(lane, None, step, size)
        return waits

    def _next_step(self, now: float) -> UnitRequest | list[float]:
        """Return a unit's step, lanes in turn, or how long to wait for one."""
        waits: list[float] = []
        for turn, lane in enumerate(self._lanes):
            unit = lane.take()
            if not isinstance(unit, Unit):
                waits += [] if unit is None else [unit]
                continue
            size = self._job.size(unit, lane)
            if size.booking.units and not self._ledger.has_room(size.least):
                lane.give_back(unit)
                continue
            wait = max(_wait(size, now), unit.not_before - now)
            if wait <= 0 and size.account.reserve(size.booking, now) is Reserved.YES:
                self._lanes.rotate(-turn - 1)
                return UnitRequest(lane, unit, unit.step, size)
            lane.give_back(unit)
            if wait > 0:
                waits.append(wait)
        return waits

    def _pass(self, lane: Lane) -> None:
        """Count and list the results that now count, and remove a lane that has ended."""
        listed: list[Any] = []
        for result in lane.passed():
            segment, counts, lines = self._job.ended(result, lane)
            self.counts += counts
            listed += lines
            self._profile.worked(self._clock() - self._start, segment, done=vars(counts)[self._job.done])
        if listed:
            self._bytes += self._write(listed)
        if lane.is_finished and lane in self._lanes:
            self._lanes.remove(lane)


def _wait(size: Size, now: float) -> float:
    return max(size.account.wait_seconds(now), size.account.walk_wait_seconds(size.booking.walk, now))
