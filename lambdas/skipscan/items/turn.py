"""What the state machine hands to a worker's function, read whole before anything is read or written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemProgress
from skipscan.loop.event import event_of, require
from skipscan.loop.seal import check
from skipscan.loop.work import Work

J = TypeVar("J", bound=Work[Any])
P = TypeVar("P", bound=ItemProgress[Any])


@dataclass(frozen=True)
class ItemTurn(Generic[J, P]):
    """`progress`: of the turn before; `None` on a worker's first."""

    job: J
    worker: int
    progress: P | None

    @classmethod
    def of(cls, event: Mapping[str, Any], state: str, job_type: type[J], progress_type: type[P]) -> "ItemTurn[J, P]":
        """Return the event; raise `InputError` for a malformed one, `StateError` for a state of another turn."""
        with event_of(state):
            job, worker = job_type.from_json(event[job_type.noun]), event["worker"]
            plan: ItemPlan = job.plan
            require(isinstance(job.name, str) and isinstance(plan.reading.source.table, str))
            require(type(worker) is int and 0 <= worker < plan.workers)
            standing = event.get("progress")
            if standing is not None:
                check(standing, job, worker)
            return ItemTurn(job, worker, None if standing is None else progress_type.from_json(standing, plan))
