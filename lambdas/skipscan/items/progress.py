"""How far one worker has come in its walks over all items: the content of state and checkpoint."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from skipscan.items.plan import ItemPlan
from skipscan.pace.counts import Counts
from skipscan.pace.shares import is_spent
from skipscan.pace.spending import Spending
from skipscan.scan.cursor import Cursor


@dataclass(frozen=True)
class ItemCounts(Counts):
    """`items`: those that the job was to write, each once. `conflicts`: writes whose condition failed.

    `write_units`: as DynamoDB reported them; those of conflicts are computed, because DynamoDB does not report them.
    `throttles`: throttled requests, which were made again.
    """

    items: int = 0
    requests: int = 0
    conflicts: int = 0
    throttles: int = 0
    read_units: float = 0.0
    write_units: float = 0.0


C = TypeVar("C", bound=ItemCounts)


@dataclass(frozen=True)
class ItemProgress(Generic[C]):
    """A worker's place between two batches.

    `batch`: the number of the next part. `opened`: how many walks the worker has begun, in all passes. `cursors`: those
    begun and not ended, all of one pass.
    """

    worker: int
    counts: C
    batch: int = 0
    opened: int = 0
    cursors: tuple[Cursor, ...] = ()
    spending: Spending = field(default_factory=Spending)

    @property
    def under_way(self) -> int:
        return len(self.cursors)

    def left(self, plan: ItemPlan) -> int:
        """Return how many of the worker's walks have not ended."""
        return len(self.cursors) + plan.passes * plan.segments_of(self.worker) - self.opened

    def done(self, plan: ItemPlan) -> bool:
        """Return whether the loop ends for this worker: no walk is left, or its share of a budget is used up."""
        return not self.left(plan) or is_spent(plan, self.spending.consumed(self.counts, plan.prices))

    def place(self, plan: ItemPlan) -> dict[str, Any]:
        return {
            "opened": self.opened,
            "cursors": [cursor.to_json(plan.reading.source) for cursor in self.cursors],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any], plan: ItemPlan, counts: type[C]) -> Self:
        return cls(
            worker=document["worker"],
            counts=counts.from_json(document["counts"]),
            batch=document["batch"],
            opened=document["opened"],
            cursors=tuple(Cursor.from_json(cursor, plan.reading.source) for cursor in document["cursors"]),
            spending=Spending.from_json(document["spending"]),
        )
