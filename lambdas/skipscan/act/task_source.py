"""A worker's tasks, cut from its slices one after the other, their results, and the worker's progress in its state."""

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial

from skipscan.act.item import ActCounts
from skipscan.act.parts import Slice, line_reader
from skipscan.act.plan import ActPlan
from skipscan.lines.convert import to_keys
from skipscan.pace.pace import Fault
from skipscan.pace.progress import Progress
from skipscan.scan.plan import segments_of_worker


@dataclass(frozen=True)
class Task:
    """One task of a job.

    `number`: its place in the batch. `lines`: its keys as in the part. `visit`, `end`: the worker's place once the task
    is done. `id`: part and offset of its first line, the same whenever it is repeated.
    """

    number: int
    lines: tuple[bytes, ...]
    visit: int
    end: int
    id: str


@dataclass(frozen=True)
class TaskResult:
    """A finished task. `failed`: keys as in the part, each with a short code of the reason."""

    counts: ActCounts
    failed: tuple[tuple[bytes, str], ...] = ()

    @classmethod
    def refused(cls, task: Task, reason: str) -> "TaskResult":
        """Return the result of a task whose keys all failed."""
        return cls(ActCounts(failed=len(task.lines)), tuple((line, reason) for line in task.lines))


@dataclass(frozen=True)
class RefusedTask:
    """A task that was refused and may be tried again.

    `reason`: the code of the refusal. `fault`: of a temporary one, which is repeated as for any request. Without it the
    refusal counts as a try, and the last try lists the keys with the reason.
    """

    reason: str
    fault: Fault | None = None


@dataclass(frozen=True)
class ActPosition:
    """A worker's place: every key before it is done.

    `visit`: how many slices are done. `offset`: where the next line of the current slice begins in the part; `None` at
    the slice's beginning. `window`: of each task from there on, how often it has failed, or `None` once it is done;
    tasks behind the last one are untouched. `largest_units`: of the rate, of the most expensive key until now; 0 before
    the first answer.
    """

    visit: int = 0
    offset: int | None = None
    window: tuple[int | None, ...] = ()
    largest_units: float = 0.0

    @property
    def under_way(self) -> int:
        return int(self.offset is not None)

    def left(self, plan: ActPlan, worker: int) -> int:
        return segments_of_worker(worker, plan.workers, plan.slices) - self.visit


ActProgress = Progress[ActPosition, ActCounts]

AHEAD = 256
"""The number of ready tasks below which more bytes are fetched."""

LARGE_AHEAD = 32
"""The same of tasks with whole items, which may have some hundred KB each."""


class TaskSource:
    """Cuts tasks from a worker's place on.

    The cuts depend on the lines only, never on when bytes were fetched. So a task that is repeated in a later batch has
    the same keys and the same id.
    """

    def __init__(self, plan: ActPlan, slices: Sequence[Slice], progress: ActProgress) -> None:
        self._plan = plan
        self._ahead = LARGE_AHEAD if plan.action.takes_items else AHEAD
        as_stored = plan.line_format == plan.format and (plan.action.takes_items or not plan.has_items)
        self._to_key = None if as_stored else to_keys(plan.partition_key, plan.format, plan.line_format)
        self.slices = slices[progress.worker :: plan.workers]
        self.ready: deque[Task] = deque()
        """Tasks to take, in order."""
        self._number = 0
        self._lines: list[bytes] = []
        """Of the next task."""
        self._begin = self._bytes = 0
        self._cutting = self._cut(progress.position)
        self._needed = next(self._cutting)

    @property
    def needed(self) -> Slice | None:
        """Return what to fetch next; `None` while enough tasks are ready, and at the end."""
        return self._needed if len(self.ready) < self._ahead else None

    @property
    def is_exhausted(self) -> bool:
        """Return whether every task was taken."""
        return self._needed is None and not self.ready

    def feed(self, body: bytes) -> None:
        """Add fetched bytes."""
        self._needed = self._cutting.send(body)

    def _cut(self, position: ActPosition) -> Generator[Slice | None, bytes, None]:
        """Yield what to fetch next, and `None` at the end. It is sent the bytes, and adds the tasks that they end."""
        read, offset = line_reader(self._plan.partition_key, self._plan.format), position.offset
        for visit in range(position.visit, len(self.slices)):
            yield from read(self.slices[visit], offset, partial(self._add, visit))
            offset = None
        yield None

    def _add(self, visit: int, line: bytes, end: int) -> None:
        """Add a line of a slice. `end`: where the next one begins."""
        action, one = self._plan.action, self.slices[visit]
        if not self._lines:
            self._begin, self._bytes = end - len(line), 0
        self._lines.append(line if self._to_key is None else self._to_key(line))
        self._bytes += len(self._lines[-1])
        if end >= one.end or len(self._lines) >= action.keys_together or self._bytes >= action.bytes_together:
            self.ready.append(Task(self._number, tuple(self._lines), visit, end, f"{one.part}-{self._begin}"))
            self._number += 1
            self._lines = []
