"""What a run has found and consumed so far."""

from dataclasses import dataclass

from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class ScanCounts(Counts):
    """Counts of pages; every one is measured.

    `items`: evaluated, and so billed. `requests`: pages received. `read_units`: as DynamoDB reported them.
    `skips_ignored`: walks in which the engine did not honour a skip, so that they went on page by page.
    `throttles`: requests that DynamoDB refused for want of throughput, and that were made again.
    """

    keys: int = 0
    items: int = 0
    requests: int = 0
    read_units: float = 0.0
    skips_ignored: int = 0
    throttles: int = 0

    @property
    def lines(self) -> int:
        return self.keys

    @property
    def moved(self) -> int:
        return self.requests
