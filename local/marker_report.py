"""The output of the marker demo: the job's plan, the figures side by side, and the price for the blog's table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from rich import box
from rich.table import Table

from skipscan.dynamodb.prices import US_EAST_1

BLOG_KEYS = 2_000_000
BLOG_SKIP_READ_UNITS, BLOG_INDEX_READ_UNITS = 1_000_000, 37_500
"""Read units of one listing, by skip scan with Limit=1 and by an index of 150 bytes a marker, for the blog's table."""

MARKER_WRITE_UNITS = 2
"""For one marker: one in the table, one in the index."""


def plan(job: Mapping[str, Any], plan: Mapping[str, Any]) -> Iterator[str]:
    """Return lines for the job, its first item, and the consumption of all items."""
    units = ", ".join(f"{count:g} in {_place(place)}" for place, count in plan["write_units_per_key"].items())
    yield f"    Input   {json.dumps(job)}"
    yield f"    Items   {plan['keys']:,} of {plan['item_bytes']:.0f} bytes, with {', '.join(plan['first_items'][0])}"
    yield f"    Takes   {plan['write_units']:,.0f} write units, {units} for each; ${plan['dollars']['total']:.4f}"


def comparison(
    skipped: Mapping[str, Any], marked: Mapping[str, Any], put: Mapping[str, Any], undone: Mapping[str, Any]
) -> Table:
    """Return keys, requests and units of the four executions; the engine counted every figure."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("What was done")
    for title in ("keys", "requests", "read units", "write units"):
        table.add_column(title, justify="right")
    for way, output in (("list by skip scan", skipped), ("list by marker index", marked)):
        table.add_row(way, f"{output['keys']:,}", f"{output['requests']:,}", f"{output['read_units']:,.1f}", "")
    for way, output in (("put the markers", put), ("take them out", undone)):
        table.add_row(way, f"{output['keys']:,}", f"{output['requests']:,}", "", f"{output['write_units']:,.1f}")
    return table


def at_scale() -> Iterator[str]:
    """Return the cost for the blog's table, and after how many listings it pays off."""
    read, write = US_EAST_1.read_units, US_EAST_1.write_units
    skip, index = read.of(BLOG_SKIP_READ_UNITS), read.of(BLOG_INDEX_READ_UNITS)
    once = write.of(BLOG_KEYS * MARKER_WRITE_UNITS)
    yield "The embedded engine counts only the table's writes; DynamoDB adds as many for the index, as the plan does."
    yield (
        f"For the blog's {BLOG_KEYS:,} keys a skip scan takes {BLOG_SKIP_READ_UNITS:,} read units (${skip:.3f}), "
        f"the index {BLOG_INDEX_READ_UNITS:,} (${index:.4f})."
    )
    yield (
        f"Its markers cost ${once:.2f} once, which {ceil(once / (skip - index))} listings save; "
        f"prices of us-east-1, {read.as_of}."
    )


def _place(name: str) -> str:
    return "the table" if name == "table" else f"the index {name}"
