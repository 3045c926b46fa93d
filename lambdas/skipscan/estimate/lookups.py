"""The Queries of a run that takes items: one for each page that ends within an item collection."""

from math import ceil

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.estimate.interval import Consumption, Interval
from skipscan.scan.plan import Plan

LARGER = 2.0
"""An item that a Query reads may be this many times larger than the average, on average."""


def lookups(plan: Plan, pages: Interval, keys: Interval) -> Interval:
    """Return the number of Queries for so many pages: none for a segment's last page, and at most one for each key.

    A page may already show the item for a prefix, and a collection may fill several pages.
    """
    each, segments = plan.page_lookups, plan.segments
    is_certain = plan.skips and plan.take is not None and plan.take.within is None
    return Interval(
        each * min(max(0.0, pages.estimate - segments), keys.estimate),
        each * min(max(0.0, pages.low - segments), keys.low) if is_certain else 0.0,
        each * min(pages.high, keys.high),
    )


def with_lookups(consumed: Consumption, plan: Plan, keys: Interval, item_steps: Interval | None) -> Consumption:
    """Return the consumption of pages together with their Queries.

    `item_steps`: steps of 4 KB of one item, if known.
    """
    if not plan.page_lookups:
        return consumed
    asked = lookups(plan, consumed.requests, keys)
    steps = max(item_steps.estimate if item_steps else 1.0, 1.0)
    most = max(item_steps.high if item_steps else 1.0, LARGER * ceil(plan.item_bytes / STEP_BYTES), 1.0)
    units = Interval(asked.estimate * steps, asked.low, asked.high * most).scaled(plan.step_units)
    return Consumption(_sum(consumed.read_units, units), _sum(consumed.requests, asked))


def _sum(a: Interval, b: Interval) -> Interval:
    # Not `plus`, because the number of Queries grows with the number of pages.
    return Interval(a.estimate + b.estimate, a.low + b.low, a.high + b.high)
