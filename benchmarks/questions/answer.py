"""One way to answer a question about a table, with the whole bill of what it consumes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from benchmarks.first_items.way import Way
from skipscan.dynamodb.capacity import FRESH_READ_UNITS
from skipscan.dynamodb.prices import MONTHLY_US_EAST_1, US_EAST_1
from skipscan.listing.estimate.cost import UNIT_SECONDS, Concurrency, unit_seconds, worker_seconds
from skipscan.pace.bill import amounts
from skipscan.profile.tally import WRITE_STEP_BYTES
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts

LAST_DAY = "the items of the last day"
LEVELS = "the groups of each key"
COUNTS = "counts up to 1,000"
FEW = "counts up to 100"

FULL_SCAN = "a full scan with a filter"
INDEX, STORED = "a new index: writing it", "a new index: a month of storage"


@dataclass(frozen=True)
class Answer:
    """`found`: the lines of a run, each a key, a group or an item; 0 for ways that were not run."""

    question: str
    way: Way
    found: int = 0

    @classmethod
    def ours(cls, question: str, plan: Plan, counts: ScanCounts) -> Self:
        """Return a deployed run's, whose workers are as fast as plans assume."""
        each = unit_seconds(plan)
        paid = worker_seconds(counts.read_units, counts.requests, each) / plan.workers
        seconds = stated_seconds(counts.read_units, counts.requests, plan.workers, each)
        units = round(counts.read_units, 1)
        way = Way("Skipscan", units, counts.requests, seconds, plan.workers, paid_seconds=round(paid, 3))
        return cls(question, way, counts.keys)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(document["question"], Way.from_json(document["way"]), document["found"])


def stated_seconds(read_units: float, requests: int, workers: int, each: float = UNIT_SECONDS) -> float:
    """Return the seconds that a plan states, of a new on-demand table. `each`: of a worker for a read unit."""
    return round(Concurrency(workers, FRESH_READ_UNITS, each).minutes(read_units, requests) * 60, 1)


def full_scan(read_units: float, requests: int, workers: int) -> Way:
    """Return a script's full scan that is as fast as a deployed run with so many workers."""
    return Way(FULL_SCAN, read_units, requests, stated_seconds(read_units, requests, workers))


def others(full: Way, sizes: Iterable[tuple[int, int]]) -> list[Answer]:
    """Return what every question takes in other ways. `sizes`: an item's bytes, and how many have them.

    A full scan is a script, which pays for units alone. An index of all attributes, by day, answers for the last day.
    """
    items = size_bytes = write_units = 0
    for item_bytes, number in sizes:
        items += number
        size_bytes += item_bytes * number
        write_units += -(-item_bytes // WRITE_STEP_BYTES) * number
    written = amounts(US_EAST_1, 0.0, write_units).dollars
    stored = MONTHLY_US_EAST_1.stored(size_bytes, items, is_infrequent_access=False)
    return [
        Answer("each of them", full),
        Answer("each of them", Way.exported(size_bytes)),
        Answer(LAST_DAY, Way(INDEX, 0.0, 0, None, more_dollars=written)),
        Answer(LAST_DAY, Way(STORED, 0.0, 0, None, more_dollars=stored)),
    ]
