"""How far one worker has come: the content of state and checkpoint."""

from dataclasses import dataclass, field

from skipscan.pace.counts import Counts
from skipscan.pace.progress import Progress
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
class ScanPosition:
    """`opened`: how many of its segments the worker has started. `cursors`: those started and not ended."""

    opened: int = 0
    cursors: tuple[Cursor, ...] = ()
    limit: LimitPolicy = field(default_factory=LimitPolicy)

    @property
    def under_way(self) -> int:
        return len(self.cursors)

    def left(self, plan: Plan, worker: int) -> int:
        return len(self.cursors) + segments_of_worker(worker, plan.workers, plan.segments) - self.opened


ScanProgress = Progress[ScanPosition, ScanCounts]


def first_progress(plan: Plan, worker: int) -> ScanProgress:
    """Return the progress of a worker before its first batch."""
    return Progress(worker, ScanPosition(limit=LimitPolicy.of(plan)), ScanCounts())
