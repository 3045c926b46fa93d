"""Keys that are acted on as one, and what came of it."""

from dataclasses import dataclass

from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class ActCounts(Counts):
    """Counts of keys and requests.

    `keys`: settled, each once, and so the sum of those up to `failed`. `put`, `deleted`, `sent` (to a function or a
    queue): done. `present`: an item is there that is not to be touched. `absent`: there is nothing to delete.
    `failed`: listed with the reason. `requests`: answered, retries included. `write_units`: as DynamoDB reported them;
    those of refused conditions are computed, for it does not report them. `throttles`: requests refused for want of
    throughput, and made again.
    """

    keys: int = 0
    put: int = 0
    present: int = 0
    deleted: int = 0
    absent: int = 0
    sent: int = 0
    failed: int = 0
    requests: int = 0
    write_units: float = 0.0
    throttles: int = 0

    @property
    def lines(self) -> int:
        return self.failed

    @property
    def moved(self) -> int:
        return self.keys


@dataclass(frozen=True)
class Task:
    """One step of a job.

    `number`: its place in the batch. `lines`: its keys as they stand in the part. `visit`, `end`: where the worker is
    once it is settled. `id`: part and offset of its first line, the same whenever it is repeated.
    """

    number: int
    lines: tuple[bytes, ...]
    visit: int
    end: int
    id: str


@dataclass(frozen=True)
class TaskResult:
    """A task that is settled. `failed`: by the key's place in the task, a short code of the reason."""

    counts: ActCounts
    failed: tuple[tuple[int, str], ...] = ()

    @classmethod
    def refused(cls, task: Task, reason: str) -> "TaskResult":
        """Return the outcome of a task all of whose keys failed."""
        return cls(ActCounts(failed=len(task.lines)), tuple((place, reason) for place in range(len(task.lines))))


@dataclass(frozen=True)
class Again:
    """A task that failed in a way that may pass. `reason`: the code to list if it does not."""

    reason: str


@dataclass(frozen=True)
class CallResult:
    """What a request brought: of each of its tasks in order, and the write units it consumed."""

    results: tuple[TaskResult | Again, ...]
    write_units: float = 0.0
