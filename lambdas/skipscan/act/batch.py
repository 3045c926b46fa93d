"""One bounded batch of a job's worker: it decides the next request, and what counts as done.

The batch only decides. The caller takes a step, does it, and gives the result back. Keys are settled in any order but
counted in the order of the part, so that a single number says where the worker is.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skipscan.act.plan import ActPlan
from skipscan.act.progress import ActProgress
from skipscan.act.slices import Slice
from skipscan.act.task import ActCounts, Again, CallResult, Task, TaskResult
from skipscan.act.task_source import TaskSource
from skipscan.loop.job_profile import JobProfile
from skipscan.pace.amounts import Amounts
from skipscan.pace.backoff import Fault
from skipscan.pace.bill import amounts
from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Pause
from skipscan.pace.budget import Budget
from skipscan.pace.pace import SETTLE_SECONDS, Pace
from skipscan.pace.rate import first_due
from skipscan.pace.shares import share as share_of

WINDOW = 1024
"""The most tasks between the first and the last open one, so that a waiting task does not hold back ever more done
ones."""

IDLE_SECONDS = 0.01  # until another thread has fetched bytes
ATTEMPTS = 3
"""How often a task that a function or a queue refuses is tried before its keys are listed as failed."""

REQUEST_BYTES = 250_000  # of the tasks in one request: SQS takes 1 MiB, and took 256 KiB until 2025
ENVELOPE_BYTES = 1_000  # around the keys of a message
FETCHES = -1  # their name for the pace; tasks have their numbers


class Step:
    """The request of a batch: a fetch or a call."""


@dataclass(frozen=True)
class Fetch(Step):
    """Bytes of a part that are needed next."""

    range: Slice


@dataclass(frozen=True)
class Call(Step):
    """One request. `units`, `most`: what it is expected to consume of the rate, and the most it can."""

    tasks: tuple[Task, ...]
    units: float
    most: float


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
        clock: Callable[[], float],
        random: Callable[[], float] = lambda: 1.0,
        epoch: float = 0.0,
        write: Callable[[Sequence[tuple[bytes, str]]], int],
    ) -> None:
        self._plan = plan
        self._progress = progress
        self._bounds = bounds
        self._clock = clock
        self._write = write
        self._epoch = epoch
        paid_off = first_due(progress.spending.writes_paid_off, clock(), epoch, progress.worker, plan.workers_at_once)
        self._pace = Pace(plan.worker_units_per_second, random, burst=plan.worker_burst, paid_off=paid_off)
        consumed = progress.spending.consumed(progress.counts, plan.prices)
        self._budget = Budget.of_batch(bounds, share_of(plan), consumed, plan.prices, clock)
        self._least = plan.least
        self._source = TaskSource(plan, slices, progress)
        self._is_fetching = False
        self._unsettled: deque[Task] = deque()
        self._outcomes: dict[int, TaskResult] = {}
        self._again: deque[Task] = deque()
        self._put_off: Call | None = None
        self._attempts: dict[int, int] = {}
        self._begun = clock()
        self._requests_taken = 0
        self._keys_taken = 0
        self._is_out_of_keys = False
        self._bytes = 0
        self._stopped = False
        self._profile = JobProfile("keys")
        self.counts = ActCounts()
        """What this batch alone did and consumed."""

    def take(self) -> Step | Pause | None:
        """Return the next step, or how long to wait for one; `None` if the batch is over."""
        now = self._clock()
        if self._stopped or self._is_full(now):
            return None
        range_ = None if self._is_fetching or self._is_out_of_keys else self._source.wanted
        if range_ is not None and not self._pace.walk_wait_seconds(FETCHES, now):
            self._is_fetching = True
            return Fetch(range_)
        is_over = (self._source.is_exhausted or self._is_out_of_keys) and not self._unsettled
        return None if is_over else self._next(now)

    def _next(self, now: float) -> Call | Pause:
        """Return the next request, or how long to wait for one."""
        if wait := self._pace.wait_seconds(now):
            return Pause(min(wait, LOOK_SECONDS))
        call = self._put_off or self._call(now)
        self._put_off = None
        if call is None:
            return Pause(IDLE_SECONDS)
        if not (self._budget.may_begin(self._most(call)) and self._pace.may_begin(call.most)):
            self._put_off = call
            return Pause(SETTLE_SECONDS)
        self._requests_taken += 1
        self._budget.begin(self._most(call))
        self._pace.begin(now, call.units, call.most)
        return call

    def give(self, step: Step, result: bytes | CallResult) -> None:
        """Record the bytes of a fetch, or the answer to a call."""
        if isinstance(step, Fetch):
            self._is_fetching = False
            self._pace.accepted(FETCHES, 0.0, 0.0)
            self._source.feed(result if isinstance(result, bytes) else b"")
            return
        if not isinstance(step, Call) or not isinstance(result, CallResult):
            raise TypeError("a call is answered by an Answer")
        # The rate of an action that writes nothing is in keys.
        consumed = result.write_units or step.units
        spent = amounts(self._plan.prices, result.read_units, result.write_units)
        self._budget.settle(self._most(step), spent)
        first, *others = step.tasks
        self._pace.accepted(first.number, step.units, consumed, step.most)
        for task in others:
            self._pace.forget(task.number)
        self.counts += ActCounts(requests=result.requests, read_units=result.read_units, write_units=result.write_units)
        for task, outcome in zip(step.tasks, result.results, strict=True):
            self._receive(task, outcome)
        self._count()
        self._record(step.tasks, result)

    def fail(self, step: Step, fault: Fault) -> bool:
        """Record a failed step; return whether it may be tried again. If not, the batch is over."""
        if isinstance(step, Fetch):
            self._is_fetching = False
            # Throttled by S3 or by its key: the table has capacity, so the present tasks continue.
            own = Fault.KEY_RANGE if fault is Fault.CAPACITY else fault
            goes_on = self._pace.refused(FETCHES, 0.0, own, self._clock())
        elif isinstance(step, Call):
            goes_on = self._refuse(step, fault)
        else:
            raise TypeError("a step is a fetch or a call")
        if not goes_on:
            self.stop()
        return goes_on

    def _refuse(self, call: Call, fault: Fault) -> bool:
        most = self._most(call)
        self._budget.fail(most, fault)
        self._again.extend(call.tasks)
        if fault in {Fault.KEY_RANGE, Fault.CAPACITY}:
            self.counts += ActCounts(throttles=1)
            self._profile.reached(self._clock() - self._begun, self.counts)
        return self._pace.refused(call.tasks[0].number, call.units, fault, self._clock(), call.most)

    def _most(self, call: Call) -> Amounts:
        return self._plan.consumed_by(call.most, sum(len(task.lines) for task in call.tasks))

    def stop(self) -> None:
        """End the batch: no more requests; the next batch takes the tasks that are not settled."""
        self._stopped = True

    @property
    def profile(self) -> dict[str, Any]:
        """Return how the batch went until now, as JSON."""
        return self._profile.to_json()

    def _record(self, tasks: Sequence[Task], result: CallResult) -> None:
        """Record what an answer added to the counts, and what each task took of it."""
        seconds, lines = self._clock() - self._begun, sum(len(task.lines) for task in tasks)
        self._profile.reached(seconds, self.counts)
        for task in tasks:
            part = len(task.lines) / lines
            units = part * (result.read_units + result.write_units)
            self._profile.worked(seconds, self._slice(task), requests=int(task is tasks[0]), units=units)

    def _slice(self, task: Task) -> int:
        return self._progress.worker + task.visit * self._plan.workers

    @property
    def progress(self) -> ActProgress:
        """Return the worker's place now. The batch number is the one that the batch began with."""
        paid_off = self._pace.paid_off + self._epoch
        spending = self._progress.spending.after(self._budget.unseen, writes_paid_off=paid_off)
        reached = replace(self._progress, counts=self._progress.counts + self.counts, spending=spending)
        if self._source.is_exhausted and not self._unsettled:
            return replace(reached, visit=self._source.visits, offset=None)
        return reached

    def _call(self, now: float) -> Call | None:
        """Return the next request; `None` if none may be made."""
        tasks = self._repeated(now) or self._fresh()
        keys = sum(len(task.lines) for task in tasks)
        return Call(tasks, self._plan.key_units * keys, self._plan.most_key_units * keys) if tasks else None

    def _repeated(self, now: float) -> tuple[Task, ...]:
        """Return the first task that may be tried again."""
        for place, task in enumerate(self._again):
            if not self._pace.walk_wait_seconds(task.number, now):
                del self._again[place]
                return (task,)
        return ()

    def _fresh(self) -> tuple[Task, ...]:
        tasks: list[Task] = []
        size_bytes = 0
        most = self._plan.request_keys // self._plan.action.keys_together
        while len(tasks) < most and (task := self._source.take()) is not None:
            size_bytes += sum(map(len, task.lines)) + ENVELOPE_BYTES
            first = self._unsettled[0].number if self._unsettled else task.number
            if self._keys_taken and self._keys_taken + len(task.lines) > self._plan.repeated_keys:
                self._is_out_of_keys = True
                self._source.put_back(task)
                break
            if task.number - first >= WINDOW or (tasks and size_bytes > REQUEST_BYTES):
                self._source.put_back(task)
                break
            tasks.append(task)
            self._keys_taken += len(task.lines)
            self._unsettled.append(task)
        return tuple(tasks)

    def _receive(self, task: Task, result: TaskResult | Again) -> None:
        if isinstance(result, Again):
            attempts = self._attempts[task.number] = self._attempts.get(task.number, 0) + 1
            # A call that takes longer than a batch would begin again in every batch. So the end of a batch fails it.
            is_last_chance = not self.counts.keys and self._is_full(self._clock())
            if attempts < ATTEMPTS and not is_last_chance:  # and waits as after a hot key range, while others continue
                self._pace.refused(task.number, 0.0, Fault.KEY_RANGE, self._clock())
                self._again.append(task)
                return
            result = TaskResult.refused(task, result.reason)
        self._attempts.pop(task.number, None)
        self._outcomes[task.number] = result

    def _count(self) -> None:
        """Move the worker's place past every settled task that has no unsettled one before it."""
        while self._unsettled and (outcome := self._outcomes.pop(self._unsettled[0].number, None)) is not None:
            task = self._unsettled.popleft()
            if outcome.failed:
                self._bytes += self._write([(task.lines[place], reason) for place, reason in outcome.failed])
            self.counts += outcome.counts + ActCounts(keys=len(task.lines))
            self._profile.worked(self._clock() - self._begun, self._slice(task), settled=len(task.lines))
            self._progress = replace(self._progress, visit=task.visit, offset=task.end)

    def _is_full(self, now: float) -> bool:
        bounds = self._bounds
        return (
            (bounds.pages is not None and self._requests_taken >= bounds.pages)
            or (bounds.keys is not None and self.counts.keys >= bounds.keys)
            or (bounds.bytes is not None and self._bytes >= bounds.bytes)
            or (bounds.seconds is not None and now - self._begun >= bounds.seconds)
            or not self._budget.has_room(self._least)
        )
