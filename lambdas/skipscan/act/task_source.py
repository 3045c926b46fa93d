"""A worker's tasks, cut from its slices one after the other, and how far it has come: the content of a state."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from skipscan.act.parts import LineReader, Records, Slice
from skipscan.act.plan import ActPlan
from skipscan.act.task import ActCounts, Task
from skipscan.lines.convert import to_keys
from skipscan.pace.bill import Spending
from skipscan.pace.shares import is_spent
from skipscan.scan.segments import segments_of_worker


@dataclass(frozen=True)
class ActProgress:
    """A worker's place between two batches: every key before it is settled.

    `batch`: the number of the next part. `visit`: how many slices are done. `offset`: where the next line of the
    current slice begins in the part; `None` at the slice's beginning. `window`: of each task from there on, how often
    it has failed, or `None` once it is settled; tasks behind the last one are untouched.
    `largest_units`: of the rate, of the most expensive key until now; 0 before the first answer.
    """

    worker: int
    batch: int = 0
    visit: int = 0
    offset: int | None = None
    window: tuple[int | None, ...] = ()
    largest_units: float = 0.0
    counts: ActCounts = field(default_factory=ActCounts)
    spending: Spending = field(default_factory=Spending)

    @property
    def under_way(self) -> int:
        return int(self.offset is not None)

    def left(self, plan: ActPlan) -> int:
        """Return how many of the worker's slices are not completely settled."""
        return segments_of_worker(self.worker, plan.workers, plan.slices) - self.visit

    def done(self, plan: ActPlan) -> bool:
        return not self.left(plan) or is_spent(plan, self.spending.consumed(self.counts, plan.prices))

    def place(self, plan: ActPlan) -> dict[str, Any]:
        return {
            "visit": self.visit,
            "offset": self.offset,
            "window": [*self.window],
            "largest_units": self.largest_units,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any], plan: ActPlan) -> Self:
        return cls(
            worker=document["worker"],
            batch=document["batch"],
            visit=document["visit"],
            offset=document["offset"],
            window=tuple(document["window"]),
            largest_units=document["largest_units"],
            counts=ActCounts.from_json(document["counts"]),
            spending=Spending.from_json(document["spending"]),
        )


AHEAD = 256
"""The number of ready tasks below which more bytes are fetched."""


class TaskSource:
    """Cuts tasks from a worker's place on.

    The cuts depend on the lines only, never on when bytes were fetched. So a task that is repeated in a later batch has
    the same keys and the same id.
    """

    def __init__(self, plan: ActPlan, slices: Sequence[Slice], progress: ActProgress) -> None:
        self._plan = plan
        as_stored = plan.line_format == plan.format and not plan.has_items
        self._to_key = None if as_stored else to_keys(plan.partition_key, plan.format, plan.line_format)
        self._records = Records.of(plan.partition_key, plan.format)
        self._slices = slices[progress.worker :: plan.workers]
        self._visit = progress.visit
        self._number = 0
        self._cut: list[bytes] = []
        self._cut_bytes = 0
        self._ready: deque[Task] = deque()
        self._open(progress.offset)

    @property
    def wanted(self) -> Slice | None:
        """Return what to fetch next; `None` while enough tasks are ready, and at the end."""
        return self._reader.wanted if self._reader and len(self._ready) < AHEAD else None

    @property
    def is_exhausted(self) -> bool:
        """Return whether every task was taken."""
        return not self._reader and not self._ready

    @property
    def visits(self) -> int:
        return len(self._slices)

    def feed(self, body: bytes) -> None:
        """Add fetched bytes."""
        reader = self._reader
        if not reader:
            raise ValueError("nothing was wanted")
        reader.feed(body)
        for line in reader.lines():
            if not self._cut:
                self._begin = reader.offset - len(line)
            key = line if self._to_key is None else self._to_key(line)
            self._cut.append(key)
            self._cut_bytes += len(key)
            if len(self._cut) >= self._plan.action.keys_together or self._cut_bytes >= self._plan.action.bytes_together:
                self._close(reader)
        if reader.wanted is None and not reader.is_finished:
            raise ValueError("a part ends in the middle of a line: it differs from what its run wrote")
        if reader.is_finished:
            self._close(reader)
            self._visit += 1
            self._open(None)

    def take(self) -> Task | None:
        """Return the next task; `None` if none is ready."""
        return self._ready.popleft() if self._ready else None

    def put_back(self, task: Task) -> None:
        """Put a taken task back as the next one."""
        self._ready.appendleft(task)

    def _open(self, offset: int | None) -> None:
        """Begin the current slice; skip slices with nothing left."""
        self._reader: LineReader | None = None
        while self._visit < len(self._slices):
            self._reader = LineReader(self._slices[self._visit], offset, records=self._records)
            if not self._reader.is_finished:
                return
            self._visit, offset, self._reader = self._visit + 1, None, None

    def _close(self, reader: LineReader) -> None:
        if not self._cut:
            return
        part = self._slices[self._visit].part
        lines = tuple(self._cut)
        self._ready.append(Task(self._number, lines, self._visit, reader.offset, f"{part}-{self._begin}"))
        self._number += 1
        self._cut, self._cut_bytes = [], 0
