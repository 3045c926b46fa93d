"""What a page costs."""

from math import ceil
from typing import Any

from skipscan.dynamodb.page import STEP_BYTES, most_page_units
from verify.check import check, hold
from verify.checks.reading import GUIDE, scan, units
from verify.checks.skips import SCAN
from verify.kit import Kit
from verify.tables import LARGE_ITEM_BYTES

PRICING = f"{GUIDE}/read-write-operations.html"
BILLED = ("billed",)
ITEM_BYTES, ENTRY_BYTES, ENTRIES = 1000, 100, 30
ESTIMATES = "Estimates, budgets and the choice of the Limit are wrong."


def within(kit: Kit, index: str | None = None, **asked: Any) -> dict[str, Any]:
    """Return a page that begins within the one collection, so that it crosses no partition, which costs more."""
    start = scan(kit, "billed", index, Limit=1)["LastEvaluatedKey"]
    return scan(kit, "billed", index, ExclusiveStartKey=start, **asked)


@check(
    "short-page",
    "The sizes of a page's items are added and rounded up to 4 KB once, so Limit=4 costs what Limit=1 costs (half a "
    "read unit) if the items fit in 4 KB.",
    source=PRICING,
    breaks=ESTIMATES,
    tables=BILLED,
)
def short_page(kit: Kit) -> str:
    limits = (1, 2, 4, 5, 8, 9, 20)
    consumed = {limit: units(within(kit, Limit=limit)) for limit in limits}
    expected = {limit: ceil(limit * ITEM_BYTES / STEP_BYTES) / 2 for limit in limits}
    seen = ", ".join(f"{limit}: {figure:g}" for limit, figure in consumed.items())
    hold(consumed == expected, f"read units by Limit: {seen}; expected {list(expected.values())}")
    return f"read units by Limit: {seen}"


@check(
    "strong-page",
    "A strongly consistent page costs twice as much.",
    source=PRICING,
    breaks=ESTIMATES,
    tables=BILLED,
)
def strong_page(kit: Kit) -> str:
    eventual, strong = (units(within(kit, Limit=9, ConsistentRead=asked)) for asked in (False, True))
    hold(strong == 2 * eventual > 0, f"{eventual:g} eventually, {strong:g} strongly consistent")
    return f"{eventual:g} and {strong:g}"


@check(
    "empty-segment",
    "A page of an empty segment costs half a read unit.",
    source=PRICING,
    breaks="Many segments on small tables cost more or less than the plan says.",
    tables=BILLED,
)
def empty_segment(kit: Kit) -> str:
    pages = [scan(kit, "billed", Segment=n, TotalSegments=1_000_000) for n in range(0, 1_000_000, 99_999)]
    consumed = sorted({units(page) for page in pages if not page["Items"]})
    hold(consumed == [0.5], f"empty pages cost {', '.join(f'{figure:g}' for figure in consumed)}")
    return f"{len(pages)} segments at 0.5"


@check(
    "projection-is-billed-whole",
    "ProjectionExpression and Select=COUNT do not lower what a page costs.",
    source=SCAN,
    breaks=ESTIMATES,
    tables=BILLED,
)
def projection_is_billed_whole(kit: Kit) -> str:
    whole = units(within(kit, Limit=20))
    asked: tuple[dict[str, Any], ...] = ({"ProjectionExpression": "p"}, {"Select": "COUNT"})
    others = tuple(units(within(kit, Limit=20, **each)) for each in asked)
    hold(others == (whole, whole), f"whole {whole:g}, projection {others[0]:g}, count {others[1]:g}")
    return f"{whole:g} each"


@check(
    "index-page",
    "A page of an index costs what the index projects, and ConsumedCapacity names the index.",
    source=f"{GUIDE}/GSI.html",
    breaks=ESTIMATES,
    tables=BILLED,
)
def index_page(kit: Kit) -> str:
    page = within(kit, "small", Limit=ENTRIES)
    expected = ceil(ENTRIES * ENTRY_BYTES / STEP_BYTES) / 2
    seen = f"{ENTRIES} entries of {ENTRY_BYTES} bytes cost {units(page):g}"
    hold(units(page) == expected, f"{seen}; expected {expected:g}")
    named = page["ConsumedCapacity"].get("GlobalSecondaryIndexes", {})
    consumed = named.get("small", {}).get("CapacityUnits")
    hold(consumed == expected, f"ConsumedCapacity names {sorted(named) or 'no index'}")
    return seen


@check(
    "largest-page",
    "A page ends after 1 MB, and costs no more than 1 MB and an item of 400 KB.",
    source=SCAN,
    breaks="A budget is exceeded by more than the plan states.",
    tables=("large",),
)
def largest_page(kit: Kit) -> str:
    page = scan(kit, "large")
    seen = f"{page['Count']} items of {LARGE_ITEM_BYTES:,} bytes cost {units(page):g}"
    hold("LastEvaluatedKey" in page and 2 <= page["Count"] <= 3, f"{seen} in one page")
    hold(units(page) <= most_page_units(0.5), f"{seen}; at most {most_page_units(0.5):g} were expected")
    return seen
