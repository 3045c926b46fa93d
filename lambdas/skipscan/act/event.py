"""What the state machine hands to Act, read whole before anything is read or written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.act.job import Job
from skipscan.act.progress import ActProgress
from skipscan.loop.event import event_of, require
from skipscan.loop.seal import check


@dataclass(frozen=True)
class ActTurn:
    """Act's event. `progress`: of the turn before; `None` on a worker's first."""

    job: Job
    worker: int
    progress: ActProgress | None

    @classmethod
    def from_json(cls, event: Mapping[str, Any]) -> Self:
        """Return the event; raise `InputError` for a malformed one, `StateError` for a state of another turn."""
        with event_of("Act"):
            job, worker = Job.from_json(event["job"]), event["worker"]
            require(isinstance(job.name, str) and isinstance(job.plan.table, str) and isinstance(job.plan.run, str))
            require(type(worker) is int and 0 <= worker < job.plan.workers)
            standing = event.get("progress")
            if standing is not None:
                check(standing, job, worker)
            return cls(job, worker, None if standing is None else ActProgress.from_json(standing))
