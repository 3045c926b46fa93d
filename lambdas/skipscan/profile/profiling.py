"""Makes a profile from the segments that were read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from skipscan.dynamodb.capacity import PARTITION_BYTES, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS
from skipscan.dynamodb.page import STEP_BYTES, STEP_UNITS
from skipscan.dynamodb.prices import MonthlyPrices, Prices
from skipscan.dynamodb.table_description import IndexDescription, SourceKind, TableDescription
from skipscan.pace.bill import amounts
from skipscan.profile.advice import advise
from skipscan.profile.figures import BYTES, ITEMS, KEYS, Figures
from skipscan.profile.form import Expiry, bin_of
from skipscan.profile.segments import ReadSegments
from skipscan.profile.table_profile import (
    Attribute,
    Collections,
    EntityType,
    IndexProfile,
    Items,
    MarkerIndex,
    Money,
    ReadPart,
    Skew,
    TableProfile,
    TimeToLive,
)
from skipscan.profile.tally import ITEM_EDGES, OTHER, WRITE_STEP_BYTES, IndexRule, TallyRules
from skipscan.sample.interval import Interval

LOCAL_INDEX_BYTES = 10e9
"""Of an item collection of a table with a local index (developer guide, "Item collections in LSIs")."""

MOST_ATTRIBUTES, MOST_TYPES, MOST_CELLS = 60, 20, 8
"""The maximum numbers of attributes, types and cells that a profile names. Nobody reads a longer page."""

COMMON_KEYS, COMMON_PART = 10, 0.01
"""The least number of collections, and the least part of them, with a prefix that the profile names. A rarer prefix may
be a value of the data."""

BYTE_EDGES = tuple(256 * 4.0**power for power in range(13))


@dataclass(frozen=True)
class ExpirySetting:
    """The table's time to live, as DescribeTimeToLive says. `attribute`: `None` if none is configured."""

    attribute: str | None
    status: str


@dataclass(frozen=True)
class Circumstances:
    """The inputs of a profile besides the counts. `description`, `expiry`: `None` if they could not be read.

    `prices`: of the table's class; the more expensive ones if it is not known. `missing`: the reasons for what is left
    out. `now`: seconds since 1970; `made`: the same as ISO 8601.
    """

    table: str
    region: str
    made: str
    now: float
    seed: int
    description: TableDescription | None
    expiry: ExpirySetting | None
    prices: Prices
    monthly: MonthlyPrices
    missing: Sequence[str] = ()

    @property
    def is_infrequent_access(self) -> bool:
        return self.description is not None and self.description.is_infrequent_access

    @property
    def rules(self) -> TallyRules:
        """Return what to count."""
        description, ttl = self.description, self.expiry.attribute if self.expiry else None
        if description is None:
            return TallyRules((), None, (), ttl, self.now)
        sort_key = next((key.name for key in description.sort_key if key.type == "S"), None)
        return TallyRules(
            tuple(key.name for key in description.partition_key),
            sort_key,
            tuple(_rule(index, description) for index in description.indexes),
            ttl,
            self.now,
        )

    def stored(self, size_bytes: float, items: float) -> float:
        """Return the dollars a month for storage, in the table's class."""
        return self.monthly.stored(size_bytes, items, is_infrequent_access=self.is_infrequent_access)


def _rule(index: IndexDescription, description: TableDescription) -> IndexRule:
    keys = frozenset(key.name for key in (*description.key, *index.key))
    projected = None if index.projection == "ALL" else keys | frozenset(index.non_key_attributes)
    return IndexRule(index.name, tuple((key.name, key.type) for key in index.key), projected)


def profiled(read: ReadSegments, of: Circumstances) -> TableProfile:
    """Return the profile of a table. Sections that were not read, or not described, are left out."""
    described = of.description
    items, size_bytes = (described.items, described.size_bytes) if described else (0, 0)
    figures = Figures(read, items, size_bytes)
    has_items = read.requests > 0
    profile = TableProfile(
        table=of.table,
        region=of.region,
        made=of.made,
        partition_key=of.rules.partition_key,
        described_items=items,
        described_bytes=size_bytes,
        reading=ReadPart(
            read.segments,
            len(read.tallies),
            figures.counts[ITEMS],
            read.requests,
            read.read_units,
            amounts(of.prices, read.read_units).dollars,
            figures.is_exact,
            read.cut is not None,
            of.seed,
        ),
        collections=_collections(figures, described) if has_items and described else None,
        items=_items(figures) if has_items else None,
        attributes=tuple(_attributes(figures, of)),
        entity_types=tuple(_entity_types(figures)),
        time_to_live=_time_to_live(figures, of.expiry),
        indexes=tuple(_indexes(figures, of) if has_items else _described_indexes(of)),
        vector_indexes=described.vector_indexes if described else (),
        skew=_skew(figures, described),
        money=_money(figures, of) if has_items or described is None else _described_money(of, described),
        missing=tuple(of.missing),
        advice=(),
    )
    return replace(profile, advice=tuple(advise(profile)))


def _collections(figures: Figures, described: TableDescription) -> Collections:
    read = figures.tallies
    largest = max((tally.largest_bytes for tally in read), default=0)
    has_local = any(index.kind is SourceKind.LOCAL_INDEX for index in described.indexes)
    percentiles = {"50": 0.5, "90": 0.9, "99": 0.99}
    total = figures.counts[KEYS] or 1
    bounds = [bin_of(int(edge)) for edge in BYTE_EDGES]
    by_bytes = [(int(key[1]), count) for key, count in figures.counts.items() if key[0] == "keys by bytes"]
    histogram = [
        (edge, sum(count for place, count in by_bytes if low < place <= high) / total)
        for edge, (low, high) in zip(BYTE_EDGES, pairwise([-1, *bounds]), strict=True)
    ]
    return Collections(
        count=figures.keys,
        items={name: figures.quantile(part, "items") for name, part in percentiles.items()},
        bytes={name: figures.quantile(part, "bytes") for name, part in percentiles.items()},
        top={name: figures.top(part, "bytes") for name, part in (("10%", 0.1), ("1%", 0.01), ("0.1%", 0.001))},
        largest_items=max((tally.largest_items for tally in read), default=0),
        largest_bytes=largest,
        unseen_larger=figures.unseen_larger(),
        local_index_part=largest / LOCAL_INDEX_BYTES if has_local else None,
        histogram=histogram,
    )


def _items(figures: Figures) -> Items:
    counts, total = figures.counts, figures.counts[ITEMS] or 1
    reads, writes = (figures.steps((name,), step) for name, step in _STEPS)
    rounding = [1 - counts[BYTES] / step / counts[name,] if counts[name,] else 0.0 for name, step in _STEPS]
    return Items(
        count=figures.total(ITEMS),
        bytes=figures.total(BYTES),
        mean_bytes=figures.item_bytes(),
        histogram=[(edge, counts["items of size", edge] / total) for edge in ITEM_EDGES],
        above={str(kilobytes): _above(figures, 1024 * kilobytes) for kilobytes in (4, 64, 256)},
        read_units=reads.scaled(STEP_UNITS),
        write_units=writes,
        read_rounding=rounding[0],
        write_rounding=rounding[1],
        deepest=max((tally.deepest for tally in figures.tallies), default=0),
    )


_STEPS = (("read steps", STEP_BYTES), ("write units", WRITE_STEP_BYTES))


def _above(figures: Figures, edge: int) -> Interval:
    """Return the share of items above a size, which is one of the edges."""
    return figures.share_of(("items of size", one) for one in ITEM_EDGES if one > edge)


def _attributes(figures: Figures, of: Circumstances) -> Iterable[Attribute]:
    counts, total = figures.counts, figures.counts[BYTES] or 1
    monthly = of.stored(figures.total(BYTES).estimate, 0.0)
    kinds: dict[tuple[str | int, str | int], dict[str, int]] = {}
    for key, count in counts.items():
        if key[0] in ("type", "form"):
            kinds.setdefault(key[:2], {})[str(key[2])] = count  # type: ignore[arg-type]
    for name in figures.names("attribute bytes")[:MOST_ATTRIBUTES]:
        held, size = counts["attribute items", name], counts["attribute bytes", name]
        types, forms = (
            {one: count / held for one, count in kinds.get((kind, name), {}).items()} for kind in ("type", "form")
        )
        yield Attribute(
            name=name,
            presence=figures.share(("attribute items", name), ITEMS),
            bytes_share=figures.share(("attribute bytes", name), BYTES),
            name_share=counts["name bytes", name] / total,
            mean_bytes=size / held,
            types=types,
            forms=forms,
            dollars_a_month=monthly * size / total,
        )


def _entity_types(figures: Figures) -> Iterable[EntityType]:
    counts = figures.counts
    least = max(COMMON_KEYS, COMMON_PART * counts[KEYS])
    common = [name for name in figures.names("prefix bytes") if counts["prefix keys", name] >= least]
    for name in common[:MOST_TYPES]:
        cells = [(count, str(key[2])) for key, count in counts.items() if key[:2] == ("prefix attribute", name)]
        size = counts["prefix bytes", name]
        yield EntityType(
            prefix=name,
            keys=figures.share(("prefix keys", name), KEYS),
            items=figures.share(("prefix items", name), ITEMS),
            bytes=figures.share(("prefix bytes", name), BYTES),
            attributes={one: count / size for count, one in sorted(cells, reverse=True)[:MOST_CELLS]},
        )


def _time_to_live(figures: Figures, setting: ExpirySetting | None) -> TimeToLive | None:
    if setting is None or setting.attribute is None:
        return None if setting is None else TimeToLive(None, setting.status)
    return TimeToLive(
        setting.attribute,
        setting.status,
        figures.share_of(("ttl", state) for state in Expiry) if figures.counts[ITEMS] else None,
        {state.value: figures.share(("ttl", state), ITEMS) for state in Expiry if figures.counts["ttl", state]},
    )


def _indexes(figures: Figures, of: Circumstances) -> Iterable[IndexProfile]:
    counts, rules = figures.counts, of.rules.indexes
    items, read = figures.total(ITEMS).estimate, counts[ITEMS] or 1
    described = of.description.indexes if of.description else ()
    for place, index in enumerate(described):
        held = counts["index items", index.name]
        mean = counts["index bytes", index.name] / held if held else 0.0
        alike = [
            one.name
            for other, one in enumerate(described)
            if other != place and held and rules[other].projected == rules[place].projected
            if _is_same(figures, place, other)
        ]
        yield IndexProfile(
            name=index.name,
            kind=str(index.kind),
            partition_key=[key.name for key in index.partition_key],
            projection=index.projection,
            items=figures.share(("index items", index.name), ITEMS),
            mean_bytes=mean,
            dollars_a_month=of.stored(mean * items * held / read, items * held / read),
            write_units=counts["index write units", index.name] / read,
            same_keys=_same_keys(index, described),
            same_content=alike,
        )


def _same_keys(index: IndexDescription, described: Sequence[IndexDescription]) -> list[str]:
    return [one.name for one in described if one.key == index.key and one is not index]


def _is_same(figures: Figures, one: int, other: int) -> bool:
    """Return whether two indexes have the same entries for the items that were read."""
    sets = [str(key[1]) for key in figures.counts if key[0] == "indexes"]
    return all(held_by != OTHER and held_by[one] == held_by[other] for held_by in sets)


def _described_indexes(of: Circumstances) -> Iterable[IndexProfile]:
    """Return the indexes as DescribeTable describes them."""
    described = of.description
    for index in described.indexes if described else ():
        yield IndexProfile(
            name=index.name,
            kind=str(index.kind),
            partition_key=[key.name for key in index.partition_key],
            projection=index.projection,
            items=Interval.exactly(index.items / described.items if described and described.items else 0.0),
            mean_bytes=index.size_bytes / index.items if index.items else 0.0,
            dollars_a_month=of.stored(index.size_bytes, index.items),
            write_units=None,
            same_keys=_same_keys(index, described.indexes if described else ()),
            same_content=(),
        )


def _skew(figures: Figures, described: TableDescription | None) -> Skew:
    fullest = figures.fullest_tenth()
    if described is None:
        return Skew(fullest, None, None, None, None)
    of = described.throughput
    reads, writes = of.read_units or of.warm_read_units, of.write_units or of.warm_write_units
    served = max((reads or 0) / PARTITION_READ_UNITS, (writes or 0) / PARTITION_WRITE_UNITS)
    by_size = max(1, ceil(described.size_bytes / PARTITION_BYTES))
    return Skew(fullest, reads, writes, by_size, max(1, ceil(served)) if reads or writes else None)


def _money(figures: Figures, of: Circumstances) -> Money:
    size, items = figures.total(BYTES), figures.total(ITEMS)
    scan = size.scaled(_dollars(of, STEP_UNITS / STEP_BYTES))
    first_item_units = figures.counts["first steps",] / (figures.counts[KEYS] or 1) * STEP_UNITS
    listing = min(scan, figures.keys.scaled(_dollars(of, first_item_units)), key=lambda way: way.estimate)
    has_keys = of.description is not None
    return _priced(
        of,
        size,
        items,
        {
            SCAN: scan,
            **({"list the keys, at most": listing} if has_keys else {}),
            EXPORT: size.scaled(of.prices.exported_gb.of(1) / 1e9),
        },
        _marker_index(figures, of, listing.estimate),
    )


SCAN, EXPORT = "scan or count all items", "export to S3"


def _described_money(of: Circumstances, described: TableDescription) -> Money:
    """Return what DescribeTable's counts cost; they are hours old."""
    size, items = (Interval.exactly(float(one)) for one in (described.size_bytes, described.items))
    scan = size.scaled(_dollars(of, STEP_UNITS / STEP_BYTES))
    return _priced(of, size, items, {SCAN: scan, EXPORT: size.scaled(of.prices.exported_gb.of(1) / 1e9)}, None)


def _dollars(of: Circumstances, read_units: float) -> float:
    return amounts(of.prices, read_units).dollars


def _priced(
    of: Circumstances, size: Interval, items: Interval, ways: dict[str, Interval], marker_index: MarkerIndex | None
) -> Money:
    described, monthly, is_infrequent = of.description, of.monthly, of.is_infrequent_access

    def a_month(*, is_infrequent: bool) -> Interval:
        ends = zip(vars(size).values(), vars(items).values(), strict=True)
        return Interval(*(monthly.stored(end, count, is_infrequent_access=is_infrequent) for end, count in ends))

    return Money(
        table_class=("Standard-IA" if is_infrequent else "Standard") if described else None,
        billing=("on demand" if described.is_on_demand else "provisioned") if described else None,
        storage=a_month(is_infrequent=is_infrequent),
        storage_other_class=a_month(is_infrequent=not is_infrequent),
        storage_region=monthly.region,
        capacity=_capacity(described, monthly) if described and not described.is_on_demand else None,
        infrequent_access_pays_below=monthly.infrequent_access_pays_below * a_month(is_infrequent=False).estimate,
        ways=ways,
        marker_index=marker_index,
        prices=of.prices.origins,
    )


def _capacity(described: TableDescription, monthly: MonthlyPrices) -> float:
    """Return the dollars a month of the provisioned units of a table and its global indexes."""
    own = [index.throughput for index in described.indexes if index.kind is SourceKind.GLOBAL_INDEX]
    all_units = [described.throughput, *own]
    reads, writes = sum(one.read_units or 0 for one in all_units), sum(one.write_units or 0 for one in all_units)
    return monthly.provisioned(reads, writes, is_infrequent_access=described.is_infrequent_access)


def _marker_index(figures: Figures, of: Circumstances, listing: float) -> MarkerIndex | None:
    """Return what an index of markers costs. A marker has the table's key, and the partition key once more.

    A write unit puts it into the table, and another one into the index (the page about markers). A table without a sort
    key has no room for markers.
    """
    described, items = of.description, figures.counts[ITEMS]
    if described is None or not described.sort_key or not items:
        return None
    keys = figures.keys.estimate
    names = [key.name for key in (*described.partition_key, *described.key)]
    size = keys * sum(figures.counts["attribute bytes", name] for name in names) / items
    through, set_up = _dollars(of, size / STEP_BYTES * STEP_UNITS), of.prices.write_units.of(2 * keys)
    saved = listing - through
    return MarkerIndex(through, set_up, of.stored(2 * size, 2 * keys), set_up / saved if saved > 0 else None)
