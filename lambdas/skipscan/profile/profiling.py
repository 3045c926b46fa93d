"""Make a profile of what was read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from skipscan.dynamodb.page import STEP_BYTES, STEP_UNITS
from skipscan.dynamodb.prices import Prices, infrequent_access_pays_below, stored
from skipscan.dynamodb.table_description import IndexDescription, SourceKind, TableDescription
from skipscan.listing.estimate.interval import Interval
from skipscan.pace.bill import amounts
from skipscan.profile.advice import advise
from skipscan.profile.bins import bin_of
from skipscan.profile.expiry import Expiry
from skipscan.profile.figures import BYTES, ITEMS, KEYS, Figures
from skipscan.profile.segments import ReadSegments
from skipscan.profile.table_profile import (
    Attribute,
    Collections,
    EntityType,
    IndexProfile,
    Items,
    Money,
    ReadPart,
    TableProfile,
    TimeToLive,
)
from skipscan.profile.tally import ITEM_EDGES, WRITE_STEP_BYTES, IndexRule, TallyRules

LOCAL_INDEX_BYTES = 10e9
"""Of an item collection of a table with a local index (developer guide, "Item collections in LSIs")."""

MOST_ATTRIBUTES, MOST_TYPES, MOST_CELLS = 60, 20, 8
"""What a profile names; a page of more is not read."""

COMMON_KEYS, COMMON_PART = 10, 0.01
"""A prefix is named if so many collections of the sample have it, and such a part of all: otherwise it may be data."""

BYTE_EDGES = tuple(256 * 4.0**power for power in range(13))


@dataclass(frozen=True)
class ExpirySetting:
    """The table's time to live, as DescribeTimeToLive says. `attribute`: `None` if none is configured."""

    attribute: str | None
    status: str


@dataclass(frozen=True)
class Circumstances:
    """What a profile is made with besides the counts. `expiry`: `None` if it could not be read.

    `missing`: the reasons for what is left out. `now`: seconds since 1970; `made`: the same as ISO 8601.
    """

    table: str
    region: str
    made: str
    now: float
    seed: int
    description: TableDescription
    expiry: ExpirySetting | None
    prices: Prices
    missing: Sequence[str] = ()

    @property
    def rules(self) -> TallyRules:
        """Return what to count."""
        description = self.description
        sort_key = next((key.name for key in description.sort_key if key.type == "S"), None)
        return TallyRules(
            tuple(key.name for key in description.partition_key),
            sort_key,
            tuple(_rule(index, description) for index in description.indexes),
            self.expiry.attribute if self.expiry else None,
            self.now,
        )


def _rule(index: IndexDescription, description: TableDescription) -> IndexRule:
    keys = frozenset(key.name for key in (*description.key, *index.key))
    projected = None if index.projection == "ALL" else keys | frozenset(index.non_key_attributes)
    return IndexRule(index.name, tuple((key.name, key.type) for key in index.key), projected)


def profiled(read: ReadSegments, of: Circumstances) -> TableProfile:
    """Return the profile of a table."""
    described = of.description
    figures = Figures(read, described.items, described.size_bytes)
    money = _money(figures, of)
    profile = TableProfile(
        table=of.table,
        region=of.region,
        made=of.made,
        described_items=described.items,
        described_bytes=described.size_bytes,
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
        collections=_collections(figures, described),
        items=_items(figures),
        attributes=tuple(_attributes(figures, of)),
        entity_types=tuple(_entity_types(figures)),
        time_to_live=_time_to_live(figures, of.expiry),
        indexes=tuple(_indexes(figures, described)),
        vector_indexes=described.vector_indexes,
        money=money,
        missing=tuple(of.missing),
        advice=(),
    )
    return replace(profile, advice=tuple(advise(profile)))


def _collections(figures: Figures, described: TableDescription) -> Collections:
    read = [*figures.read.tallies, *filter(None, [figures.read.cut])]
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
        deepest=max((tally.deepest for tally in figures.read.tallies), default=0),
    )


_STEPS = (("read steps", STEP_BYTES), ("write units", WRITE_STEP_BYTES))


def _above(figures: Figures, edge: int) -> Interval:
    """Return the share of items above a size, which is one of the edges."""
    return figures.share_of(("items of size", one) for one in ITEM_EDGES if one > edge)


def _attributes(figures: Figures, of: Circumstances) -> Iterable[Attribute]:
    counts, total = figures.counts, figures.counts[BYTES] or 1
    monthly = stored(figures.total(BYTES).estimate, 0.0, is_infrequent_access=of.description.is_infrequent_access)
    for name in figures.names("attribute bytes")[:MOST_ATTRIBUTES]:
        held, size = counts["attribute items", name], counts["attribute bytes", name]
        types, forms = (
            {str(key[2]): count / held for key, count in counts.items() if key[0] == kind and key[1] == name}
            for kind in ("type", "form")
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
        figures.share_of(("ttl", state) for state in Expiry),
        {state.value: figures.share(("ttl", state), ITEMS) for state in Expiry if figures.counts["ttl", state]},
    )


def _indexes(figures: Figures, described: TableDescription) -> Iterable[IndexProfile]:
    counts = figures.counts
    items, read = figures.total(ITEMS).estimate, counts[ITEMS] or 1
    for index in described.indexes:
        held = counts["index items", index.name]
        mean = counts["index bytes", index.name] / held if held else 0.0
        yield IndexProfile(
            name=index.name,
            kind=str(index.kind),
            projection=index.projection,
            items=figures.share(("index items", index.name), ITEMS),
            mean_bytes=mean,
            dollars_a_month=stored(
                mean * items * held / read, items * held / read, is_infrequent_access=described.is_infrequent_access
            ),
            write_units=counts["index write units", index.name] / read,
            same_keys=[one.name for one in described.indexes if one.key == index.key and one is not index],
        )


def _money(figures: Figures, of: Circumstances) -> Money:
    is_infrequent = of.description.is_infrequent_access
    size, items = figures.total(BYTES), figures.total(ITEMS)

    def a_month(*, is_infrequent: bool) -> Interval:
        ends = zip(vars(size).values(), vars(items).values(), strict=True)
        return Interval(*(stored(end, count, is_infrequent_access=is_infrequent) for end, count in ends))

    scan = size.scaled(amounts(of.prices, STEP_UNITS / STEP_BYTES).dollars)
    first_item_units = figures.steps(("read steps",), STEP_BYTES).estimate * STEP_UNITS
    first_items = figures.keys.scaled(amounts(of.prices, first_item_units).dollars)
    storage = a_month(is_infrequent=is_infrequent)
    return Money(
        table_class="Standard-IA" if is_infrequent else "Standard",
        billing="on demand" if of.description.is_on_demand else "provisioned",
        storage=storage,
        storage_other_class=a_month(is_infrequent=not is_infrequent),
        infrequent_access_pays_below=infrequent_access_pays_below() * a_month(is_infrequent=False).estimate,
        ways={
            "scan or count all items": scan,
            "list the keys, at most": min(scan, first_items, key=lambda way: way.estimate),
            "export to S3": size.scaled(of.prices.exported_gb.of(1) / 1e9),
        },
        prices=of.prices.origins,
    )
