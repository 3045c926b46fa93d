"""Keys that are acted on as one, and what came of it."""

from dataclasses import dataclass

from skipscan.act.counts import ActCounts


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
class Outcome:
    """A task that is settled. `failed`: by the key's place in the task, a short code of the reason."""

    counts: ActCounts
    failed: tuple[tuple[int, str], ...] = ()

    @classmethod
    def refused(cls, task: Task, reason: str) -> "Outcome":
        """Return the outcome of a task all of whose keys failed."""
        return cls(ActCounts(failed=len(task.lines)), tuple((place, reason) for place in range(len(task.lines))))


@dataclass(frozen=True)
class Again:
    """A task that failed in a way that may pass. `reason`: the code to list if it does not."""

    reason: str


@dataclass(frozen=True)
class Answer:
    """What a call brought: of each of its tasks in order, and the units that it consumed.

    `requests`: how many it took, the looks included whether collections live; these consume the `read_units`.
    """

    results: tuple[Outcome | Again, ...]
    write_units: float = 0.0
    read_units: float = 0.0
    requests: int = 1
