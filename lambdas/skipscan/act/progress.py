"""How far one worker of a job has come: the content of state and checkpoint."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from skipscan.act.plan import ActPlan
from skipscan.act.task import ActCounts
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
