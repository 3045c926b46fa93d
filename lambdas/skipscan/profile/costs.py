"""Money: what a table costs a month, what it costs once to read all of it, and after how many listings markers pay."""

from functools import partial
from typing import Any

from skipscan.dynamodb.page import STEP_BYTES, STEP_UNITS
from skipscan.dynamodb.table_description import SourceKind
from skipscan.inputs.quantities import counted, money, size
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.figures import BYTES, ITEMS, KEYS, Figures
from skipscan.profile.section import DESCRIBED, LEAST_DOLLARS, Section, told, within
from skipscan.report.card import card, card_table
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure

SCAN, KEYS_LISTED, EXPORT = "scan or count all items", "list the keys, at most", "export to S3"
STANDARD, INFREQUENT = "Standard", "Standard-IA"


def costs_section(figures: Figures, of: Circumstances) -> Section:
    """Return dollars: a month for storage in both classes and for capacity, and once for each way to read everything.

    They follow from what was read, else from DescribeTable's counts, which are hours old.
    """
    described, is_infrequent = of.description, of.is_infrequent_access
    size_bytes, items = figures.total(BYTES), figures.total(ITEMS)
    if described and not figures.has_items:
        size_bytes, items = (Interval.exactly(float(one)) for one in (described.size_bytes, described.items))
    stored = {
        name: _storage(of, size_bytes, items, is_infrequent=name == INFREQUENT) for name in (STANDARD, INFREQUENT)
    }
    own, other = (INFREQUENT, STANDARD) if is_infrequent else (STANDARD, INFREQUENT)
    standard, infrequent = (each.estimate for each in stored.values())
    table_class = own if described else None
    pays_below = of.monthly.infrequent_access_pays_below * standard
    capacity = provisioned(of)
    billing = None if described is None else "on demand" if described.is_on_demand else "provisioned"
    scan = size_bytes.times(of.read(STEP_UNITS / STEP_BYTES))
    ways, marked = {SCAN: scan}, None
    if described and figures.has_items:
        first_units = figures.counts["first steps",] / (figures.counts[KEYS] or 1) * STEP_UNITS
        listing = min(scan, figures.keys.times(of.read(first_units)), key=lambda way: way.estimate)
        ways[KEYS_LISTED], marked = listing, _marked(figures, of, listing.estimate)
    ways[EXPORT] = size_bytes.times(of.prices.exported_gb.of(1) / 1e9)
    rows = [
        *((f"storage a month, {name}", told(stored[name], money)) for name in (own, other)),
        *([] if capacity is None else [("provisioned capacity a month", money(capacity))]),
        *((name, told(price, money)) for name, price in ways.items()),
    ]
    notes = [
        f"Standard-IA is cheaper while reads and writes cost less than {money(pays_below)} a month in Standard.",
        f"A scan reads 4 KB for {STEP_UNITS} read units. Capacity: {billing or 'unknown'}. "
        f"Prices: {of.region}, {'; '.join(of.prices.origins)}. Storage and capacity: prices of {of.monthly.region}.",
    ]
    if marked:
        after = marked["pays_after"]
        rows += [
            ("list the keys through markers", money(marked["listing"])),
            ("put the markers", money(marked["set_up"])),
            ("store the markers, a month", money(marked["storage"])),
            ("markers pay after", "never" if after is None else counted(max(1, round(after)), "listing")),
        ]
        notes.append(
            "Markers: one small item for each collection, in an index of its own. A keeper of new ones costs a read "
            "unit for each item that is added."
        )
    advice = dict[str, str]()
    is_worth = standard - infrequent >= LEAST_DOLLARS and (capacity or 0.0) <= pays_below
    if described and not is_infrequent and is_worth:
        costs = "" if capacity is None else f": the provisioned capacity costs {money(capacity)}"
        advice["other_class"] = (
            f"Standard-IA would store the table for {money(infrequent)} a month instead of "
            f"{money(standard)}. It is cheaper if reads and writes cost less than {money(pays_below)} a "
            f"month{costs}."
        )
    how = within(size_bytes, size) if figures.has_items else DESCRIBED
    return Section(
        {
            "table_class": table_class,
            "billing": billing,
            "storage": stored[own],
            "storage_other_class": stored[other],
            "storage_region": of.monthly.region,
            "capacity": capacity,
            "infrequent_access_pays_below": pays_below,
            "ways": ways,
            "marker_index": marked,
            "prices": of.prices.origins,
        },
        card(
            "money",
            "Money",
            "What it costs once, or in a month.",
            card_table("Dollars", ("", "dollars"), rows),
            notes=notes,
        ),
        [
            Figure.in_words(size(size_bytes.estimate), how, label="size of all items"),
            Figure.in_words(
                money(stored[own].estimate),
                f"{table_class or 'class unknown'}, without indexes",
                label="storage a month",
            ),
        ],
        advice,
    )


def _storage(of: Circumstances, size_bytes: Interval, items: Interval, *, is_infrequent: bool) -> Interval:
    """Return the dollars a month for the items of the table alone, in one of the classes."""
    stored = partial(of.monthly.stored, is_infrequent_access=is_infrequent)
    return Interval(*map(stored, vars(size_bytes).values(), vars(items).values()))


def provisioned(of: Circumstances) -> float | None:
    """Return the dollars a month of the provisioned units of a table and its global indexes; `None` on demand."""
    described = of.description
    if described is None or described.is_on_demand:
        return None
    own = [index.throughput for index in described.indexes if index.kind is SourceKind.GLOBAL_INDEX]
    all_units = [described.throughput, *own]
    reads, writes = sum(one.read_units or 0 for one in all_units), sum(one.write_units or 0 for one in all_units)
    return of.monthly.provisioned(reads, writes, is_infrequent_access=described.is_infrequent_access)


def _marked(figures: Figures, of: Circumstances, listing: float) -> dict[str, Any] | None:
    """Return what listing the keys through an index of markers costs, in dollars: small items, one for each collection.

    A marker has the table's key, and the partition key once more. A write unit puts it into the table, and another one
    into the index (the page about markers). A table without a sort key has no room for markers. `pays_after`: the
    number of listings that save what the markers cost once (`set_up`); `None` for never. `storage`: a month.
    """
    described, items = of.description, figures.counts[ITEMS]
    if described is None or not described.sort_key or not items:
        return None
    keys = figures.keys.estimate
    names = [key.name for key in (*described.partition_key, *described.key)]
    size_bytes = keys * sum(figures.counts["attribute bytes", name] for name in names) / items
    through = of.read(size_bytes / STEP_BYTES * STEP_UNITS)
    set_up = of.prices.write_units.of(2 * keys)
    saved = listing - through
    return {
        "listing": through,
        "set_up": set_up,
        "storage": of.stored(2 * size_bytes, 2 * keys),
        "pays_after": set_up / saved if saved > 0 else None,
    }
