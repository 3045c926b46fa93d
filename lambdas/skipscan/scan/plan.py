"""The plan of a run, made once: every worker and Finish use it. And which segments a worker walks, in which order.

Segments are equal ranges of the hash space, and neighbours are in the same partition. So they are visited in strides of
the golden ratio, which keeps any few consecutive ones far apart: the workers never all read one partition. The i-th
visit belongs to worker i modulo the number of workers, so a worker's place in its list is one number.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import ceil, gcd, sqrt
from typing import Any

from skipscan import form
from skipscan.dynamodb.page import STEP_BYTES, most_page_units
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import TableIdentity
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.pace.bill import amounts, bounded
from skipscan.pace.limits import Limits
from skipscan.pace.rate import SharedRate
from skipscan.scan.cursor import CURSORS_BYTES
from skipscan.scan.groups import Groups
from skipscan.scan.take import Take
from skipscan.scan.taken import LAST


class Strategy(StrEnum):
    """How to pass over item collections."""

    AUTO = "auto"  # skip if there is a sort key, else read page by page
    SKIP = "skip"
    PAGE = "page"


class Optimize(StrEnum):
    """The goal for which a page's Limit is chosen."""

    COST = "cost"  # the fewest read units, with any number of requests
    BALANCED = "balanced"  # the least money: read units, and the worker's time for each request
    SPEED = "speed"  # few requests, even if that reads more


@dataclass(frozen=True)
class Only:
    """The keys of a run that lists no others: how many, each once, and the id of their list, which names its objects.

    Each is a segment of its own, read by Query: its number is the key's place in the list.
    """

    id: str
    keys: int


WALKS = 16
"""Segments that a worker may walk at once before its keys are known. A batch opens more where they pay and fit."""


@dataclass(frozen=True)
class Plan:
    """The decisions of a run; the bounds are those of all workers together.

    `prices`: of the table's region, class and billing mode, in which the run's dollars are counted.
    `item_bytes`: the average item size DescribeTable knew of; 0 if it knew none. `batch_seconds`: how long batches are
    at least, so that all of them fit into a worker's history; `None` for as long as the environment says. `take`: what
    each line has beside the key. `sort_range`: the keys are those of collections with an item in it, and items are
    taken from it. `only`: the keys to list; `None` for all.
    """

    source: Source
    identity: TableIdentity
    strategy: Strategy
    segments: int
    workers: int
    consistent_read: bool
    optimize: Optimize
    format: str
    item_bytes: float
    max_read_units_per_second: float | None
    max_read_units: float | None
    max_dollars: float | None
    prices: Prices
    batch_seconds: float | None
    take: Take
    sort_range: SortRange | None
    only: Only | None

    @property
    def has_group_pages(self) -> bool:
        """Whether each page is of one group alone: a Query finds it, from whichever end is requested."""
        return self.only is not None and self.source.level is None

    @property
    def is_backwards(self) -> bool:
        """Whether pages have a group's items from the last one on."""
        return self.has_group_pages and (self.take.descends or [*self.take.attributes] == [LAST])

    def segment_of(self, visit: int) -> int:
        """Return the segment of a visit. Keys have no order in the hash space, and are stored in that of visits."""
        return segment_at(visit, self.segments) if self.only is None else visit

    @property
    def groups(self) -> Groups:
        """What the run lists."""
        return Groups(self.source, self.sort_range)

    @property
    def projected(self) -> tuple[str, ...] | None:
        """Return what a page must contain; `None` for all attributes.

        A projection does not change what a page consumes.
        """
        return self.take.projected(self.source) if self.take.attributes else self.groups.projected

    @property
    def page_lookups(self) -> int:
        """The Queries that a page may need, for items to take that it does not show."""
        if self.is_backwards or (self.has_group_pages and self.take.reads_on):
            return 0
        return self.take.page_lookups(self.source, skips_in_range=self.sort_range is not None and self.skips)

    @property
    def skips(self) -> bool:
        return self.strategy is Strategy.SKIP

    @cached_property
    def limits(self) -> Limits:
        return Limits(
            workers=self.workers,
            prices=self.prices,
            budget=bounded(self.max_read_units, None, self.max_dollars),
            least=amounts(self.prices, self.step_units * (1 + self.page_lookups)),
            page=amounts(self.prices, self.page_units),
            reads=SharedRate(self.max_read_units_per_second, self.page_units),
        )

    @property
    def page_units(self) -> float:
        """Return the most that a page can consume."""
        return most_page_units(self.step_units)

    @property
    def step_units(self) -> float:
        """Return the read units of 4 KB (developer guide, "Read consistency")."""
        return 1.0 if self.consistent_read else 0.5

    @property
    def walks(self) -> int:
        """How many segments one worker may walk at once whatever their keys are, so that its cursors fit into state."""
        return min(WALKS, CURSORS_BYTES // (self.source.key_bytes * 3 // 2))

    @property
    def table(self) -> str:
        return self.source.table

    @property
    def tables(self) -> dict[str, TableIdentity]:
        return {self.table: self.identity}

    @property
    def bounds(self) -> dict[str, float | None]:
        return {"max_read_units": self.max_read_units, "max_dollars": self.max_dollars}

    @property
    def stated(self) -> dict[str, Any]:
        return {
            "table": self.source.table,
            "identity": form.write(self.identity),
            "index": self.source.index,
            "partition_key": [form.write(attribute) for attribute in self.source.partition_key],
            "sort_key": [form.write(attribute) for attribute in self.source.sort_key],
            "format": self.format,
            "strategy": self.strategy,
            "optimize": self.optimize,
            "consistent_read": self.consistent_read,
            "take": self.take.words,
            "level": self.source.level_stated,
            "range": self.sort_range and self.sort_range.stated,
            "only": self.only and form.write(self.only),
        }


GOLDEN = 0.6180339887498949

SEGMENT_BYTES = 1 << 28  # a terabyte in 4096 segments: their 0.5 read units each are 0.4 % of a million-key scan
SEGMENTS_OF_ROOT = 1 / 8
"""How many segments a smaller table has, by the root of its steps of 4 KB: the end of each takes a page, which is to be
little beside what the table takes. That lies anywhere between a page for each collection and all steps."""

FAR_SEGMENTS = 3
"""The multiplier for the segments of a small table when latency is high: they cost read units, but each walk waits
long."""

NEAR_WALKS = 16  # of one worker beside the table: a table of unknown size costs only 8 read units if it is empty
WORKER_SEGMENTS = 1024  # a worker keeps up with so many: few workers cost less than many (orchestration)
MOST_CHOSEN_WORKERS = 16
WORKER_READ_UNITS = 500  # units a second that one worker consumes easily


def choose(
    segments: int | None,
    workers: int | None,
    size_bytes: int,
    read_units_per_second: float | None = None,
    walks: int = NEAR_WALKS,
) -> tuple[int, int]:
    """Return the numbers of segments and workers for a table of that size; given numbers stay.

    `size_bytes` is DescribeTable's, hours old or zero: it decides how a run is split up, never what it finds. A bound
    on `read_units_per_second` also bounds how many workers have work. `walks`: how many of one worker may pay.
    """
    if segments is None:
        segments = _of_size(size_bytes, walks) if size_bytes else walks
        segments = max(segments, NEAR_WALKS * workers if workers and workers > 1 else 1)
    if workers is None:
        workers = min(ceil(segments / WORKER_SEGMENTS), MOST_CHOSEN_WORKERS)
        if read_units_per_second is not None:
            workers = min(workers, ceil(read_units_per_second / WORKER_READ_UNITS))
    return segments, min(workers, segments)  # where a few keys are given


def _of_size(size_bytes: int, walks: int) -> int:
    """Return the segments of a table of so many bytes: few where they would cost, many where a worker can use them."""
    more = FAR_SEGMENTS if walks > NEAR_WALKS else 1
    small = min(round(sqrt(size_bytes / STEP_BYTES) * SEGMENTS_OF_ROOT * more), walks)
    return max(1, small, min(ceil(size_bytes / SEGMENT_BYTES), MAX_SEGMENTS))


def stride(segments: int) -> int:
    """Return the step between two visits: near the golden ratio of all, without a common divisor."""
    step = max(1, round(segments * GOLDEN))
    while gcd(step, segments) != 1:
        step += 1
    return step


def segment_at(visit: int, segments: int) -> int:
    """Return the segment of a visit, 0 to segments - 1; every segment has exactly one."""
    return visit * stride(segments) % segments


def segments_of_worker(worker: int, workers: int, segments: int) -> int:
    """Return how many segments a worker has."""
    return len(range(worker, segments, workers))
