"""How an item ended, and a worker's progress over all items: the content of state and checkpoint."""

from dataclasses import dataclass
from enum import StrEnum

from skipscan.dynamodb.source import Item
from skipscan.items.plan import ItemPlan
from skipscan.pace.counts import Counts
from skipscan.pace.progress import Progress
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
class ItemPosition:
    """`opened`: how many walks the worker started, in all passes. `cursors`: those not ended, all of one pass."""

    opened: int = 0
    cursors: tuple[Cursor, ...] = ()

    @property
    def under_way(self) -> int:
        return len(self.cursors)

    def left(self, plan: ItemPlan, worker: int) -> int:
        return len(self.cursors) + plan.passes * plan.segments_of(worker) - self.opened


ItemProgress = Progress[ItemPosition, ItemCounts]
