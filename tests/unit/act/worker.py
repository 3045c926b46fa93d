"""One worker of a job over parts in memory."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from skipscan.act.input import AnyAction
from skipscan.act.item import ActCounts
from skipscan.act.job import ActJob, HandOverTasks
from skipscan.act.parts import slices
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActPosition, ActProgress, RefusedTask, Task, TaskResult
from skipscan.dynamodb.step import Answer, ItemSteps
from skipscan.items.engine import Engine
from skipscan.items.job import UnitRequest
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.pace.progress import Progress
from tests.fakes.acting import PUT, act_plan
from tests.fakes.job_batch import job_batch

FUNCTION = "arn:aws:lambda:us-east-1:111111111111:function:f"
QUEUE = "arn:aws:sqs:us-east-1:111111111111:q"

BEGUN = 1_000.0
"""A machine's clock does not begin at 0, so a time that is not counted from the beginning shows."""

Does = Callable[[Task], TaskResult | RefusedTask | Fault | Answer]
"""`Answer`: of the whole request, whose first task it is."""


def plan(parts: list[bytes], action: AnyAction = PUT, *, workers: int = 1, slice_bytes: int = 1 << 20) -> ActPlan:
    return act_plan(action, slices=len(slices(manifest(parts), slice_bytes)), workers=workers)


def manifest(parts: list[bytes]) -> list[dict[str, object]]:
    return [{"name": str(number), "bytes": len(part), "sha256": ""} for number, part in enumerate(parts)]


def part(*keys: int) -> bytes:
    return b"".join(b'{"pk": "%d"}\n' % key for key in keys)


class InOneStep(ActJob):
    """Does whatever it does with its tasks in one step, whose answer says what came of each."""

    def begin(self, tasks: tuple[Task, ...]) -> ItemSteps:
        return (yield HandOverTasks(tasks))


class Worker:
    """Drives one worker of a job with several requests under way; `does` says what comes of a task."""

    def __init__(self, parts: list[bytes], plan: ActPlan, does: Does, *, at_once: int = 4, slice_bytes: int = 1 << 20):
        self.parts, self.plan, self.does, self.at_once = parts, plan, does, at_once
        self.slices = slices(manifest(parts), slice_bytes)
        self.now = BEGUN
        self.failed: list[tuple[bytes, str]] = []
        self.done: Counter[bytes] = Counter()
        self.ids: dict[bytes, str] = {}
        self.sizes: list[int] = []
        self.profile: dict[str, Any] = {}

    @property
    def passed(self) -> float:
        """The seconds since the worker began."""
        return self.now - BEGUN

    def batch(self, progress: ActProgress, pick: Callable[[int], int] = lambda _: 0, **bounds: Any) -> ActProgress:
        failed: list[tuple[bytes, str]] = []
        batch = job_batch(
            InOneStep,
            self.plan,
            self.slices,
            progress=progress,
            bounds=Bounds(**bounds),
            clock=Clock(lambda: self.now),
            write=lambda lines: failed.extend(lines) or 1,  # type: ignore[func-returns-value]
        )
        under_way: list[UnitRequest] = []
        while True:
            step = batch.take() if len(under_way) < self.at_once else None
            if isinstance(step, UnitRequest):
                under_way.append(step)
            elif under_way:
                self.answer(batch, under_way.pop(pick(len(under_way) - 1)))
            elif isinstance(step, Pause):
                self.now += step.seconds
            else:
                break
        self.failed += failed
        self.profile = batch.profile
        reached: ActProgress = replace(batch.progress, batch=progress.batch + 1)
        return reached

    def answer(self, batch: Engine, request: UnitRequest) -> None:
        if request.unit is None:
            wanted = request.step
            batch.give(request, Answer(self.parts[int(wanted.name)][wanted.start : wanted.end], requests=0))
            return
        tasks = request.step.tasks
        self.sizes.append(len(tasks))
        results = []
        for task in tasks:
            assert self.ids.setdefault(task.lines[0], task.id) == task.id
            result = self.does(task)
            if isinstance(result, Answer):
                batch.give(request, result)
                return
            if isinstance(result, Fault):
                batch.fail(request, result)
                return
            results.append(result)
            if isinstance(result, TaskResult):
                self.done.update(task.lines)
        batch.give(request, Answer(tuple(results), write_units=1.0 * len(tasks)))

    def run(self, number: int = 0, **batches: Any) -> ActProgress:
        """Do all batches. `batches`: see `batch`."""
        progress = Progress(number, ActPosition(), ActCounts())
        while not progress.done(self.plan):
            progress = self.batch(progress, **batches)
        return progress


def put(task: Task) -> TaskResult:
    return TaskResult(ActCounts(put=len(task.lines)))
