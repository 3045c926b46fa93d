"""How an item ended, and a worker's progress over all items: the content of state and checkpoint."""

from dataclasses import dataclass, field
from enum import StrEnum

from skipscan.dynamodb.source import Item
from skipscan.items.plan import ItemPlan
from skipscan.pace.bill import Spending
from skipscan.pace.counts import Counts
from skipscan.scan.cursor import Cursor

REFUSAL = "DynamoDB refused the write: the item would be invalid, or its item collection is full"


@dataclass(frozen=True)
class ItemResult:
    """How one item ended. `reason`: why it is listed; empty if it is not.

    `seen`: the item when it was last read, if a count needs it; `None` if it was gone.
    """

    key: Item
    outcome: StrEnum
    reason: str = ""
    seen: Item | None = None


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


@dataclass(frozen=True)
class ItemProgress:
    """A worker's place between two batches.

    `batch`: the number of the next part. `opened`: how many walks the worker started, in all passes. `cursors`: those
    started and not ended, all of one pass.
    """

    worker: int
    batch: int = 0
    opened: int = 0
    cursors: tuple[Cursor, ...] = ()
    counts: ItemCounts = field(default_factory=ItemCounts)
    spending: Spending = field(default_factory=Spending)

    @property
    def under_way(self) -> int:
        return len(self.cursors)

    def left(self, plan: ItemPlan) -> int:
        """Return how many of the worker's walks have not ended."""
        return len(self.cursors) + plan.passes * plan.segments_of(self.worker) - self.opened

    def done(self, plan: ItemPlan) -> bool:
        """Return whether the loop ends for this worker: no walk is left, or its share of a budget is used up."""
        return not self.left(plan) or plan.limits.are_spent(self.spending.consumed(self.counts, plan.prices))
