"""Keys that are settled together, and their result."""

from collections.abc import Mapping
from dataclasses import dataclass

from skipscan.pace.counts import Counts
from skipscan.pace.pace import Fault


@dataclass(frozen=True)
class ActCounts(Counts):
    """Counts of keys and requests.

    `keys`: settled ones, each once; the sum of the counts up to `failed`. `put`, `deleted`, `sent` (to a function or a
    queue): done. `present`: an item exists that must not be changed. `absent`: no item to delete. `ended`: skipped,
    because the item collection has no item any more. `failed`: listed with the reason. `requests`: answered ones,
    retries included. `read_units`: of checks whether collections live. `write_units`: as DynamoDB reported them; those
    of failed conditions are computed, because DynamoDB does not report them. `throttles`: throttled requests, which
    were made again.
    """

    keys: int = 0
    put: int = 0
    present: int = 0
    deleted: int = 0
    absent: int = 0
    sent: int = 0
    ended: int = 0
    failed: int = 0
    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    throttles: int = 0

    @property
    def outcomes(self) -> Mapping[str, int]:
        return self.nonzero("put", "present", "deleted", "absent", "sent", "ended", "failed")

    @property
    def lines(self) -> int:
        return self.failed

    @property
    def units_done(self) -> int:
        return self.keys


@dataclass(frozen=True)
class Task:
    """One task of a job.

    `number`: its place in the batch. `lines`: its keys as in the part. `visit`, `end`: the worker's place once the task
    is settled. `id`: part and offset of its first line, the same whenever it is repeated.
    """

    number: int
    lines: tuple[bytes, ...]
    visit: int
    end: int
    id: str


@dataclass(frozen=True)
class TaskResult:
    """A settled task. `failed`: by the key's place in the task, a short code of the reason."""

    counts: ActCounts
    failed: tuple[tuple[int, str], ...] = ()

    @classmethod
    def refused(cls, task: Task, reason: str) -> "TaskResult":
        """Return the result of a task whose keys all failed."""
        return cls(ActCounts(failed=len(task.lines)), tuple((place, reason) for place in range(len(task.lines))))


@dataclass(frozen=True)
class Again:
    """A task that was refused and may be tried again.

    `reason`: the code of the refusal. `fault`: of a temporary one, which is repeated as for any request. Without it the
    refusal counts as a try, and the last try lists the keys with the reason.
    """

    reason: str
    fault: Fault | None = None


@dataclass(frozen=True)
class CallResult:
    """The result of a call: of each of its tasks in order, and the consumed units.

    `requests`: how many it took, including the reads before the action, which consumed the `read_units`.
    """

    results: tuple[TaskResult | Again, ...]
    write_units: float = 0.0
    read_units: float = 0.0
    requests: int = 1


@dataclass(frozen=True)
class Interrupted:
    """A call that failed after some of its reads were answered. `error`: what the failed request raised."""

    error: Exception
    fault: Fault
    read_units: float
    requests: int


@dataclass
class Reads:
    """The reads of one call before its action: checks whether collections live, an undo's, the lean client's first.

    Each is added when it is answered, because the requests after it may fail.
    """

    requests: int = 0
    read_units: float = 0.0

    def add(self, read_units: float) -> None:
        self.requests += 1
        self.read_units += read_units
