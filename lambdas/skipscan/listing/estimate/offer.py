"""The ways to list a table's keys side by side: consumption, cost and missing keys of each.

Counts and sizes of DescribeTable are up to six hours old.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, Self

from skipscan.dynamodb.capacity import served_read_units
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import SourceKind, TableDescription
from skipscan.listing.estimate.cost import START_SECONDS, Concurrency
from skipscan.listing.estimate.estimate import first_item, first_item_steps, size_bytes, skip_scan
from skipscan.listing.estimate.ways import full_scan, with_lookups
from skipscan.pace.bill import Bill
from skipscan.sample.interval import Consumption, Interval
from skipscan.sample.sample import Sample
from skipscan.scan.plan import Plan, Strategy
from skipscan.scan.take import Count


@dataclass(frozen=True)
class Facts:
    """A table or one of its indexes. `items` and `size_bytes`: 0 also if DescribeTable has not counted yet.

    `read_capacity_units`: provisioned a second; `None` on demand. `served_read_units`: a second, at once.
    `added_keys`: key attributes of an index that are not key attributes of its table; items without them are not in the
    index.
    """

    source: Source
    added_keys: tuple[str, ...]
    items: int
    size_bytes: int
    read_capacity_units: int | None
    served_read_units: float

    @classmethod
    def described(cls, table: str, description: TableDescription, index: str | None) -> Self:
        """Return the facts of a description; raise `TableError` for an unknown index."""
        source = Source.described(table, description, index)
        found = None if index is None else description.index(index)
        measured = found or description
        billed = description if source.kind is SourceKind.LOCAL_INDEX else measured
        base = {attribute.name for attribute in description.key}
        return cls(
            source=source,
            added_keys=tuple(a.name for a in source.partition_key + source.sort_key if a.name not in base),
            items=measured.items,
            size_bytes=measured.size_bytes,
            read_capacity_units=billed.throughput.read_units,
            served_read_units=served_read_units(billed.throughput),
        )

    @property
    def item_bytes(self) -> float:
        """The average size of an item; 0 if DescribeTable has not counted yet."""
        return self.size_bytes / self.items if self.items else 0.0

    @property
    def name(self) -> str:
        return f'{self.source.kind} "{self.source.index or self.source.table}"'

    def left_out(self, table_items: int = 0) -> str | None:
        """Return the keys that an index lacks, for people; `None` if it has all of them, as a table does."""
        if not self.added_keys:
            return None
        holds = f" (it holds {self.items:,} of {table_items:,} items)" if table_items else ""
        return f"keys of which no item has {' and '.join(self.added_keys)}{holds}"

    def to_json(self) -> dict[str, Any]:
        key = self.source
        return {
            "kind": key.kind,
            "partition_key": [{"name": a.name, "type": a.type} for a in key.partition_key],
            "sort_key": [{"name": a.name, "type": a.type} for a in key.sort_key],
            "items": self.items,
            "size_bytes": self.size_bytes,
            "read_capacity_units": self.read_capacity_units,
            "served_read_units": self.served_read_units,
        }


SKIP, FIRST_ITEM, FULL, GIVEN = "skip scan", "skip scan, Limit=1", "full scan", "queries"
SAMPLED, DESCRIBED = "sample", "DescribeTable, up to six hours old"
SKIP_MARGIN, SKIP_UNITS = 1.2, 15.0
"""By how much a skip scan may exceed the better of Limit=1 and a full scan, as a part and in read units: for learning
which of them it is, and for the ends of segments."""


@dataclass(frozen=True)
class Offer:
    """One way, with the workers that it would have. `leaves_out` describes the keys that would be missing."""

    strategy: str
    consumed: Consumption
    concurrency: Concurrency
    basis: str
    leaves_out: str | None = None

    @property
    def read_units(self) -> Interval:
        return self.consumed.read_units

    @property
    def requests(self) -> Interval:
        return self.consumed.requests

    @property
    def bill(self) -> Bill:
        return self.concurrency.bill(self.read_units.estimate, self.requests.estimate)

    @property
    def minutes(self) -> float | None:
        """At most; `None` if unknown."""
        most = (START_SECONDS + self.concurrency.seconds(self.read_units.high, self.requests.high)) / 60
        return most if isfinite(most) else None

    def to_json(self) -> dict[str, Any]:
        ends = zip(vars(self.read_units).values(), vars(self.requests).values(), strict=True)
        dollars = Interval(*(self.concurrency.bill(*end).total if isfinite(sum(end)) else inf for end in ends))
        return {
            "strategy": self.strategy,
            "read_units": self.read_units.to_json(1),
            "requests": self.requests.to_json(),
            "dollars": {**dollars.to_json(6), **self.bill.to_json()},
            "minutes": None if self.minutes is None else round(self.minutes, 1),
            "leaves_out": self.leaves_out,
            "basis": self.basis,
        }


def is_expected(offer: Offer, sample: Sample) -> bool:
    """Return whether a run can be planned by the estimates of an offer.

    Those of a skip scan hold if the sample bounds its groups: counts of a table of unknown size have no upper end then.
    """
    return sample.groups.is_bounded if offer.strategy == SKIP else offer.read_units.is_bounded


def offers(plan: Plan, facts: Facts, sample: Sample, *, indexes: Iterable[Facts] = ()) -> Iterator[Offer]:
    """Return all ways, with the adaptive skip scan first if the source can be skipped."""
    concurrency = Concurrency.of(plan, facts.served_read_units)
    read = size_bytes(sample)
    size = facts.size_bytes if read is None else read
    whole = full_scan(size, facts.item_bytes, plan, plan.step_units) if size or read is not None else None
    steps = first_item_steps(sample)
    for strategy, consumed, basis in (
        (SKIP, skip_scan(sample, plan, whole), SAMPLED),
        (FIRST_ITEM, first_item(sample, plan, steps), SAMPLED),
        (FULL, whole, DESCRIBED if facts.size_bytes else SAMPLED),
    ):
        if consumed is not None:
            way = plan if strategy != FULL else replace(plan, strategy=Strategy.PAGE)
            taken = with_lookups(consumed, way, sample.keys, steps, whole)
            yield Offer(strategy, taken, concurrency, basis, facts.left_out())
    for index in indexes:
        through = _through(index, sample.keys, plan)
        yield Offer(index.name, through, concurrency, DESCRIBED, index.left_out(facts.items))


def _through(index: Facts, keys: Interval, plan: Plan) -> Consumption:
    """Return the maximum consumption of an index: reading all of it, or with a sort key one page for each of its keys.

    A skip scan takes at most the better of the two, plus the cost of finding out which it is.
    """
    step = 0.5 if index.source.kind is SourceKind.GLOBAL_INDEX else plan.step_units  # no consistent reads there
    # In one piece: a run through the index has few segments for what it takes, and the margin has their ends.
    whole = full_scan(index.size_bytes, index.item_bytes, replace(plan, segments=1, workers=1), step)
    if not index.source.can_skip or isinstance(plan.take, Count):
        return whole
    pages = max(1.0, min(keys.high, index.items))
    best = min(step * pages * (1 + index.item_bytes / STEP_BYTES), whole.read_units.estimate)
    return Consumption(Interval(best, step, SKIP_MARGIN * best + SKIP_UNITS), Interval(pages, 1.0, pages))
