"""One bounded batch of a job's worker: it decides the next request, and what counts as done.

The batch only decides. The caller takes a step, does it, and gives the result back. Keys are settled in any order, and
a commit holds each of them: the first open task as the worker's place, and what became of the tasks behind it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skipscan.act.parts import Slice
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import (
    ActCounts,
    ActProgress,
    CallResult,
    Interrupted,
    RefusedTask,
    Task,
    TaskResult,
    TaskSource,
)
from skipscan.errors import OMITTED, BatchError
from skipscan.pace.bill import amounts
from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Clock, Pause
from skipscan.pace.ledger import Booking, Ledger, Reserved
from skipscan.pace.pace import SETTLE_SECONDS, THROTTLED, Fault, Pace
from skipscan.pace.profile import BatchProfile

WINDOW = 1024
"""The most tasks between the first and the last open one, so that a waiting task does not hold back ever more done
ones. A worker's state holds what became of each of them."""

LARGE_WINDOW = 64  # of tasks with whole items, which stay in memory so long
IDLE_SECONDS = 0.01  # until another thread has fetched bytes
ATTEMPTS = 3
"""How often a task whose function raises an error is tried, over all batches, before its keys are listed as failed."""

REQUEST_BYTES = 250_000  # of the tasks in one request: SQS takes 1 MiB, and took 256 KiB until 2025
ENVELOPE_BYTES = 1_000  # around the keys of a message


class ActStep:
    """The request of a batch: a fetch or a call."""


@dataclass(frozen=True)
class Fetch(ActStep):
    """Bytes of a part that are needed next."""

    range: Slice


@dataclass(frozen=True)
class Call(ActStep):
    """One request. `booking`: its `ceiling_units` are those of the largest request until now."""

    tasks: tuple[Task, ...]
    booking: Booking


class ActBatch:
    """A worker's progress during a batch. `take`, `give` and `fail` are called by one thread at a time.

    `write` receives failed keys, as pairs of the key's line and a reason, and returns the bytes they take up.
    """

    def __init__(
        self,
        plan: ActPlan,
        slices: Sequence[Slice],
        progress: ActProgress,
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float] = lambda: 1.0,
        write: Callable[[Sequence[tuple[bytes, str]]], int],
    ) -> None:
        self._plan = plan
        self._progress = progress
        self._bounds = bounds
        self._clock = clock.now
        self._write = write
        of_worker = (progress.worker, progress.spending, progress.counts)
        self._ledger = Ledger(plan.limits, *of_worker, bounds=bounds, clock=clock, random=random)
        self._writes = self._ledger.writes()
        self._fetches = Pace(None, random)  # of S3, whose answers say nothing of the table's capacity
        self._least = plan.limits.least
        self._source = TaskSource(plan, slices, progress)
        self._is_fetching = False
        self._first = 0
        self._most_open = LARGE_WINDOW if plan.action.takes_items else WINDOW
        self._window = dict(enumerate(progress.window))
        self._unpassed: deque[Task] = deque()
        self._again: deque[Task] = deque()
        self._put_off: tuple[Task, ...] = ()
        self._begun = clock.now()
        self._requests_taken = 0
        self._keys_taken = 0
        self._is_out_of_keys = False
        self._bytes = 0
        self._stopped = False
        self._profile = BatchProfile("keys")
        self.counts = ActCounts()
        """What this batch alone did and consumed."""

    def take(self) -> ActStep | Pause | None:
        """Return the next step, or how long to wait for one; `None` if the batch is over."""
        now = self._clock()
        if self._stopped or self._is_full(now):
            return None
        range_ = None if self._is_fetching or self._is_out_of_keys else self._source.wanted
        if range_ is not None and not self._fetches.wait_seconds(now) + self._fetches.walk_wait_seconds(0, now):
            self._is_fetching = True
            return Fetch(range_)
        is_over = (self._source.is_exhausted or self._is_out_of_keys) and not self._unpassed
        return None if is_over else self._next(now)

    def _next(self, now: float) -> Call | Pause:
        """Return the next request, or how long to wait for one."""
        if wait := self._writes.wait_seconds(now):
            return Pause(min(wait, LOOK_SECONDS))
        tasks = self._put_off or self._repeated(now) or self._fresh()
        self._put_off = ()
        if not tasks:
            return Pause(IDLE_SECONDS)
        call = self._call(tasks)
        if self._writes.reserve(call.booking, now) is not Reserved.YES:
            self._put_off = tasks
            return Pause(SETTLE_SECONDS)
        self._requests_taken += 1
        return call

    def give(self, step: ActStep, result: bytes | CallResult | Interrupted) -> None:
        """Record the bytes of a fetch, or the answer to a call; raise the error of a call that must not be repeated."""
        if isinstance(step, Fetch):
            self._is_fetching = False
            self._fetches.recovered(0)
            self._source.feed(result if isinstance(result, bytes) else b"")
            return
        if isinstance(step, Call) and isinstance(result, Interrupted):
            self._interrupt(step, result)
            return
        if not isinstance(step, Call) or not isinstance(result, CallResult):
            raise TypeError("a call is answered by a CallResult")
        # The rate of an action that writes nothing is in keys. A write that was not needed counts as one, too: nothing
        # else holds back the reads of an act whose work is done.
        consumed = result.write_units or step.booking.units
        largest = max(self._progress.largest_units, consumed / sum(map(_keys, step.tasks)))
        self._progress = replace(self._progress, largest_units=largest)
        spent = amounts(self._plan.prices, result.read_units, result.write_units)
        self._writes.settle(step.booking, spent, consumed)
        self.counts += ActCounts(requests=result.requests, read_units=result.read_units, write_units=result.write_units)
        given_up = []
        for task, outcome in zip(step.tasks, result.results, strict=True):
            if isinstance(outcome, TaskResult):
                self._settle(task, outcome)
            elif not self._put_back(task, outcome):
                given_up.append(outcome.reason)
        if any(isinstance(outcome, RefusedTask) and outcome.fault is Fault.CAPACITY for outcome in result.results):
            self._throttled(Fault.CAPACITY)
            self._writes.refused(step.tasks[0].number, Fault.CAPACITY)
        self._pass_settled()
        self._record(step.tasks, result.requests, result.read_units + result.write_units)
        if given_up:
            raise BatchError(
                f"{self._plan.action.name}",
                OMITTED,
                f"was refused several times in a row for the same keys, each time as a temporary error ({given_up[0]})",
                "check the target",
            )

    def fail(self, step: ActStep, fault: Fault) -> bool:
        """Record a failed step; return whether it may be tried again. If not, the batch is over."""
        if isinstance(step, Fetch):
            self._is_fetching = False
            goes_on = self._fetches.refused(0, 0.0, fault, self._clock())
        elif isinstance(step, Call):
            goes_on = self._refuse(step, fault, step.booking)
        else:
            raise TypeError("a step is a fetch or a call")
        if not goes_on:
            self.stop()
        return goes_on

    def _interrupt(self, call: Call, interrupted: Interrupted) -> None:
        """Count the reads, and refuse what is left of the call."""
        reads, requests = interrupted.read_units, interrupted.requests
        self.counts += ActCounts(requests=requests, read_units=reads)
        self._record(call.tasks, requests, reads)
        rest = self._writes.settle_part(call.booking, amounts(self._plan.prices, reads))
        if not self._refuse(call, interrupted.fault, rest):
            raise interrupted.error

    def _refuse(self, call: Call, fault: Fault, booking: Booking) -> bool:
        """Put a request without an answer back; return whether it may be tried again."""
        self._again.extend(call.tasks)
        self._throttled(fault)
        return self._writes.fail(booking, fault)

    def stop(self) -> None:
        """End the batch: no more requests; the next batch takes the tasks that are not settled."""
        self._stopped = True

    @property
    def profile(self) -> dict[str, Any]:
        """Return how the batch went until now, as JSON."""
        return self._profile.to_json()

    def _record(self, tasks: Sequence[Task], requests: int, units: float) -> None:
        """Record answers in the profile: the counts until now, and each task's part of the units."""
        seconds, lines = self._clock() - self._begun, sum(len(task.lines) for task in tasks)
        self._profile.reached(seconds, self.counts)
        for task in tasks:
            part = len(task.lines) / lines
            own = requests if task is tasks[0] else 0
            self._profile.worked(seconds, self._slice(task), requests=own, units=part * units)

    def _slice(self, task: Task) -> int:
        return self._progress.worker + task.visit * self._plan.workers

    @property
    def progress(self) -> ActProgress:
        """Return the worker's place now. The batch number is the one that the batch began with."""
        counts = self._progress.counts + self.counts
        reached = replace(self._progress, counts=counts, spending=self._ledger.spending)
        if self._source.is_exhausted and not self._unpassed:
            return replace(reached, visit=self._source.visits, offset=None, window=())
        behind = range(self._first, max(self._window, default=self._first - 1) + 1)
        return replace(reached, window=tuple(self._window.get(number, 0) for number in behind))

    def _call(self, tasks: tuple[Task, ...]) -> Call:
        """Return the request for tasks.

        Nobody knows the size of an item that exists until a write to it is billed. So a worker's first request is
        taken for the largest there is, and every other one for the largest that the worker has met.
        """
        plan, largest = self._plan, self._progress.largest_units
        most = max(plan.most_key_units, largest) if largest else plan.worst_key_units
        keys = sum(map(_keys, tasks))
        ceiling = plan.consumed_by(plan.worst_key_units * keys, keys)
        return Call(tasks, Booking(tasks[0].number, plan.key_units * keys, ceiling, most * keys))

    def _repeated(self, now: float) -> tuple[Task, ...]:
        """Return the first task that may be tried again."""
        for place, task in enumerate(self._again):
            if not self._writes.walk_wait_seconds(task.number, now):
                del self._again[place]
                return (task,)
        return ()

    def _fresh(self) -> tuple[Task, ...]:
        tasks: list[Task] = []
        size_bytes = 0
        most = self._plan.request_keys // self._plan.action.keys_together
        while len(tasks) < most and (task := self._source.take()) is not None:
            if self._window.get(task.number, 0) is None:  # an earlier batch settled it
                self._unpassed.append(task)
                self._pass_settled()
                continue
            size_bytes += sum(map(len, task.lines)) + ENVELOPE_BYTES
            if self._keys_taken and self._keys_taken + len(task.lines) > self._plan.repeated_keys:
                self._is_out_of_keys = True
                self._source.put_back(task)
                break
            if task.number - self._first >= self._most_open or (tasks and size_bytes > REQUEST_BYTES):
                self._source.put_back(task)
                break
            tasks.append(task)
            self._keys_taken += len(task.lines)
            self._unpassed.append(task)
        return tuple(tasks)

    def _put_back(self, task: Task, refused: RefusedTask) -> bool:
        """Return whether a refused task may be tried again, now or in the next batch; list it after its last try."""
        if refused.fault is Fault.CAPACITY:  # of all the request's tasks together
            goes_on = True
        elif refused.fault is not None:
            goes_on = self._writes.refused(task.number, refused.fault)
        else:
            tries = self._window[task.number] = (self._window.get(task.number) or 0) + 1
            if tries >= ATTEMPTS:
                self._settle(task, TaskResult.refused(task, refused.reason))
                return True
            # It waits as after a hot key range, while others continue.
            goes_on = self._writes.refused(task.number, Fault.KEY_RANGE)
        self._again.append(task)
        return goes_on

    def _settle(self, task: Task, result: TaskResult) -> None:
        """Count a task, and list its failed keys."""
        self._writes.recovered(task.number)
        self._window[task.number] = None
        if result.failed:
            self._bytes += self._write([(task.lines[place], reason) for place, reason in result.failed])
        self.counts += result.counts + ActCounts(keys=len(task.lines))
        self._profile.worked(self._clock() - self._begun, self._slice(task), settled=len(task.lines))

    def _pass_settled(self) -> None:
        """Move the worker's place past every settled task that has no open one before it."""
        while self._unpassed and self._window.get(self._unpassed[0].number, 0) is None:
            task = self._unpassed.popleft()
            del self._window[task.number]
            self._first = task.number + 1
            self._progress = replace(self._progress, visit=task.visit, offset=task.end)

    def _throttled(self, fault: Fault) -> None:
        if fault in THROTTLED:
            self.counts += ActCounts(throttles=1)
            self._profile.reached(self._clock() - self._begun, self.counts)

    def _is_full(self, now: float) -> bool:
        bounds = self._bounds
        return (
            (bounds.pages is not None and self._requests_taken >= bounds.pages)
            or (bounds.keys is not None and self.counts.keys >= bounds.keys)
            or (bounds.bytes is not None and self._bytes >= bounds.bytes)
            or (bounds.seconds is not None and now - self._begun >= bounds.seconds)
            or not self._ledger.has_room(self._least)
        )


def _keys(task: Task) -> int:
    return len(task.lines)
