"""A worker's tasks in their order, and what became of each behind the first open one.

A repeat may do harm, so a task is counted when it ends, and a commit holds each: the first open task as the worker's
place, and what became of the tasks behind it. After a refusal each task waits for itself: a hot one must not keep the
others.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from skipscan.act.item import ActCounts
from skipscan.act.parts import Slice
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActPosition, ActProgress, RefusedTask, Task, TaskResult, TaskSource
from skipscan.dynamodb.step import Answer, First, ItemSteps
from skipscan.errors import OMITTED, BatchError
from skipscan.items.job import Job, Size, Unit, UnitRequest
from skipscan.pace.bounds import Bounds
from skipscan.pace.counts import Counts
from skipscan.pace.ledger import Account, Booking, Ledger
from skipscan.pace.pace import Fault

WINDOW = 1024
"""The most tasks between the first and the last open one, so that a waiting task does not hold back ever more done
ones. A worker's state holds what became of each of them."""

LARGE_WINDOW = 64  # of tasks with whole items, which stay in memory so long
IDLE_SECONDS = 0.01  # until another thread has fetched bytes
ATTEMPTS = 3
"""How often a task whose function raises an error is tried, over all batches, before its keys are listed as failed."""

REQUEST_BYTES = 250_000  # of the tasks in one request: SQS takes 1 MiB, and took 256 KiB until 2025
ENVELOPE_BYTES = 1_000  # around the keys of a message


class TaskUnit(Unit):
    """The tasks of one request at work."""

    __slots__ = ("tasks",)

    def __init__(self, tasks: tuple[Task, ...], work: ItemSteps, clock: Callable[[], float]) -> None:
        self.tasks = tasks
        super().__init__(work, clock)

    @property
    def keys(self) -> int:
        return sum(len(task.lines) for task in self.tasks)


class TaskJob(Job):
    """A job over the tasks of a worker, and its one lane."""

    done = "keys"

    def __init__(self, plan: ActPlan, slices: Sequence[Slice], ledger: Ledger) -> None:
        progress = ledger.progress
        position = progress.position
        self.plan = plan
        self._clock = ledger.clock.now
        self._worker = progress.worker
        self._tasks = TaskSource(plan, slices, progress)
        self._account = ledger.writes()
        self._fetches = ledger.others()  # of S3, whose answers say nothing of the table's capacity
        self._least = plan.limits.least
        self._most = plan.request_keys // plan.action.keys_together
        self._most_open = LARGE_WINDOW if plan.action.takes_items else WINDOW
        self._largest_units = position.largest_units
        self._visit = position.visit
        self._offset = position.offset
        self._first = 0
        self._window = dict(enumerate(position.window))
        self._unpassed: deque[Task] = deque()
        self._again: deque[tuple[tuple[Task, ...], TaskUnit | None]] = deque()
        self._ready: deque[TaskUnit] = deque()
        self._ended: list[tuple[Task, TaskResult]] = []
        self._keys_taken = 0
        self._is_out_of_keys = False
        self.is_reading = False
        self.lanes = deque((self,))

    @abstractmethod
    def begin(self, tasks: tuple[Task, ...]) -> ItemSteps:
        """Return the work on the tasks of a request. It returns a result or a refusal for each."""

    @property
    def is_finished(self) -> bool:
        return (self._tasks.is_exhausted or self._is_out_of_keys) and not self._unpassed

    @property
    def needs_page(self) -> bool:
        return not self.is_reading and not self._is_out_of_keys and self._tasks.needed is not None

    def is_full(self, bounds: Bounds, pages: int, counts: ActCounts) -> bool:
        # Bytes from S3 cost next to nothing, so a bound of pages is one of calls.
        return (bounds.pages is not None and pages >= bounds.pages) or (
            bounds.keys is not None and counts.keys >= bounds.keys
        )

    def read(self, lane: Any) -> tuple[Slice | None, Size]:
        return self._tasks.needed, Size(self._fetches, Booking(0), self._least, is_of_table=False)

    def receive(self, answer: Answer) -> None:
        self._tasks.feed(answer.value)

    def size(self, unit: TaskUnit, lane: Any) -> Size:
        """Return the size of all steps of a unit.

        Nobody knows the size of an item that exists until a write to it is billed. So a worker's first request is
        taken for the largest there is, and every other one for the largest that the worker has met.
        """
        plan, largest, keys = self.plan, self._largest_units, unit.keys
        most = max(plan.most_key_units, largest) if largest else plan.worst_key_units
        ceiling = plan.consumed_by(plan.worst_key_units * keys, keys)
        booking = Booking(unit.tasks[0].number, plan.key_units * keys, ceiling, most * keys)
        # A look is followed by its write at once: what happens between them is what no condition can see.
        return Size(self._account, booking, self._least, is_page=True, holds=True)

    def count(self, answer: Answer) -> ActCounts:
        """Return the counts of an answer. The messages of a request are throttled together."""
        results = answer.value if isinstance(answer.value, tuple) else ()
        is_throttled = any(isinstance(each, RefusedTask) and each.fault is Fault.CAPACITY for each in results)
        return ActCounts(
            requests=answer.requests,
            read_units=answer.read_units,
            write_units=answer.write_units,
            throttles=int(is_throttled),
        )

    def consumed(self, request: UnitRequest, counts: Counts) -> float:
        if request.unit is None:
            return 0.0
        # The rate of an action that writes nothing is in keys. A write that was not needed counts as one, too: nothing
        # else holds back the reads of an act whose work is done.
        consumed = counts.write_units or request.size.booking.units
        self._largest_units = max(self._largest_units, consumed / request.unit.keys)
        return consumed

    def take(self) -> TaskUnit | float | None:
        """Return the next unit that may begin.

        None begins while the rate or a throttled table holds the writes back, so that what is refused meanwhile goes
        before what is fresh. No look runs ahead either way, because it books what its write consumes.
        """
        if not self._ready:
            now = self._clock()
            if not self._account.budget.has_room(self._least):
                return None
            if wait := self._account.wait_seconds(now):
                return wait
            while not self._ready and (unit := self._repeated(now) or self._fresh()):
                if unit.step is None:
                    self.answered(unit, self._account)
                else:
                    self._ready.append(unit)
        if self._ready:
            return self._ready.popleft()
        return None if self.is_finished else IDLE_SECONDS

    def give_back(self, unit: TaskUnit) -> None:
        self._ready.appendleft(unit)

    def answered(self, unit: TaskUnit, account: Account, *, waits: bool = False) -> None:
        """Record the results of a unit; raise `BatchError` for a task that was refused too often in a row."""
        given_up = []
        for task, outcome in zip(unit.tasks, unit.result, strict=True):
            if isinstance(outcome, TaskResult):
                self._end(task, outcome)
            elif not self._put_back(task, outcome):
                given_up.append(outcome.reason)
        if any(isinstance(each, RefusedTask) and each.fault is Fault.CAPACITY for each in unit.result):
            account.refused(unit.tasks[0].number, Fault.CAPACITY)
        if given_up:
            raise BatchError(
                self.plan.action.name,
                OMITTED,
                f"was refused several times in a row for the same keys, each time as a temporary error ({given_up[0]})",
                "check the target",
            )

    def failed(self, unit: TaskUnit, fault: Fault) -> None:
        """Take back a unit whose request failed.

        It continues behind the looks that were answered: else a table with little capacity would answer the first looks
        again and again. Once the action was tried, each task begins anew, and every key is looked at again.
        """
        if isinstance(unit.step, First):
            self._again.append((unit.tasks, unit))
        else:
            self._again.extend(((task,), None) for task in unit.tasks)

    def passed(self) -> Iterable[tuple[Task, TaskResult]]:
        ended, self._ended = self._ended, []
        self._pass_ended()
        return ended

    def ended(self, result: tuple[Task, TaskResult], lane: Any) -> tuple[int, ActCounts, Sequence[tuple[bytes, str]]]:
        task, outcome = result
        return self._slice(task), outcome.counts + ActCounts(keys=len(task.lines)), outcome.failed

    def visited(self, unit: TaskUnit) -> int:
        return self._slice(unit.tasks[0])

    def reached(self, progress: ActProgress) -> ActProgress:
        if self._tasks.is_exhausted and not self._unpassed:
            return replace(progress, position=ActPosition(len(self._tasks.slices), largest_units=self._largest_units))
        behind = range(self._first, max(self._window, default=self._first - 1) + 1)
        window = tuple(self._window.get(number, 0) for number in behind)
        return replace(progress, position=ActPosition(self._visit, self._offset, window, self._largest_units))

    def _slice(self, task: Task) -> int:
        return self._worker + task.visit * self.plan.workers

    def _unit(self, tasks: tuple[Task, ...]) -> TaskUnit:
        return TaskUnit(tasks, self.begin(tasks), self._clock)

    def _repeated(self, now: float) -> TaskUnit | None:
        """Return the first unit that may be tried again."""
        for place, (tasks, unit) in enumerate(self._again):
            if not self._account.walk_wait_seconds(tasks[0].number, now):
                del self._again[place]
                return unit or self._unit(tasks)
        return None

    def _fresh(self) -> TaskUnit | None:
        tasks: list[Task] = []
        size_bytes = 0
        ready = self._tasks.ready
        while len(tasks) < self._most and ready:
            task = ready[0]
            if self._window.get(task.number, 0) is None:  # an earlier batch did it
                self._unpassed.append(ready.popleft())
                self._pass_ended()
                continue
            size_bytes += sum(map(len, task.lines)) + ENVELOPE_BYTES
            if self._keys_taken and self._keys_taken + len(task.lines) > self.plan.repeated_keys:
                self._is_out_of_keys = True
                break
            if task.number - self._first >= self._most_open or (tasks and size_bytes > REQUEST_BYTES):
                break
            tasks.append(ready.popleft())
            self._keys_taken += len(task.lines)
            self._unpassed.append(task)
        return self._unit(tuple(tasks)) if tasks else None

    def _put_back(self, task: Task, refused: RefusedTask) -> bool:
        """Return whether a refused task may be tried again, now or in the next batch; list it after its last try."""
        goes_on = True
        if refused.fault is None:
            tries = self._window[task.number] = (self._window.get(task.number) or 0) + 1
            if tries >= ATTEMPTS:
                self._end(task, TaskResult.refused(task, refused.reason))
                return True
            # It waits as after a hot key range, while others continue.
            goes_on = self._account.refused(task.number, Fault.KEY_RANGE)
        elif refused.fault is not Fault.CAPACITY:  # which is of all the request's tasks together
            goes_on = self._account.refused(task.number, refused.fault)
        self._again.append(((task,), None))
        return goes_on

    def _end(self, task: Task, result: TaskResult) -> None:
        self._account.recovered(task.number)
        self._window[task.number] = None
        self._ended.append((task, result))

    def _pass_ended(self) -> None:
        """Move the worker's place past every task that has ended and has no open one before it."""
        while self._unpassed and self._window.get(self._unpassed[0].number, 0) is None:
            task = self._unpassed.popleft()
            del self._window[task.number]
            self._first = task.number + 1
            self._visit, self._offset = task.visit, task.end
