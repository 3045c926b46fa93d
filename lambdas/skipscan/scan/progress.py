"""How far one worker has come: the content of state and checkpoint."""

from dataclasses import dataclass, field
from typing import Self

from skipscan.pace.bill import Spending
from skipscan.pace.counts import Counts
from skipscan.scan.cursor import Cursor
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan, segments_of_worker


@dataclass(frozen=True)
class ScanCounts(Counts):
    """Counts of pages and Queries; every one is measured.

    `items`: evaluated, and so billed. `requests`: answers received. `read_units`: as DynamoDB reported them.
    `skips_ignored`: walks in which the engine did not honour a skip, so that they continued page by page.
    `throttles`: requests that DynamoDB throttled, and that were made again. `lookups`: those of
    the requests that were Queries for an item to take. `ended`: item collections without one, emptied meanwhile.
    """

    keys: int = 0
    items: int = 0
    requests: int = 0
    read_units: float = 0.0
    skips_ignored: int = 0
    throttles: int = 0
    lookups: int = 0
    ended: int = 0

    @property
    def lines(self) -> int:
        return self.keys

    @property
    def units_done(self) -> int:
        return self.requests


@dataclass(frozen=True)
class ScanProgress:
    """A worker's place between two batches.

    `batch`: the number of the next part. `opened`: how many of its segments the worker has started. `cursors`: those
    started and not ended. The size does not grow with the number of keys.
    """

    worker: int
    batch: int = 0
    opened: int = 0
    cursors: tuple[Cursor, ...] = ()
    limit: LimitPolicy = field(default_factory=LimitPolicy)
    counts: ScanCounts = field(default_factory=ScanCounts)
    spending: Spending = field(default_factory=Spending)

    @classmethod
    def start(cls, plan: Plan, worker: int) -> Self:
        return cls(worker, limit=LimitPolicy.of(plan))

    @property
    def under_way(self) -> int:
        return len(self.cursors)

    def left(self, plan: Plan) -> int:
        """Return how many of the worker's segments have not ended."""
        return len(self.cursors) + segments_of_worker(self.worker, plan.workers, plan.segments) - self.opened

    def done(self, plan: Plan) -> bool:
        """Return whether the loop ends for this worker: no segment is left, or no page fits into its share."""
        return not self.left(plan) or plan.limits.are_spent(self.spending.consumed(self.counts, plan.prices))
