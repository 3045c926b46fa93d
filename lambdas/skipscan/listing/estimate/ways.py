"""What ways to list the keys consume: a full scan, Limit=1 for every key, and the Queries of a run that takes items."""

from math import ceil, inf

from skipscan.dynamodb.page import ITEM_STEPS, PAGE_BYTES, STEP_BYTES
from skipscan.pace.rate import most_page_units_at
from skipscan.sample.interval import Consumption, Interval
from skipscan.scan.plan import Plan


def full_scan(size_bytes: float, item_bytes: float, plan: Plan, step_units: float) -> Consumption:
    """Return what a plan's segments take if they are read whole; `item_bytes`: on average, 0 if unknown.

    Both ends of the intervals are strict bounds if the size is right: every page but a segment's last is full, and each
    page is rounded up to 4 KB.
    """
    segments = plan.segments
    page_bytes = float(PAGE_BYTES)
    if rate := plan.limits.worker_reads:
        page_bytes = min(page_bytes, max(item_bytes, most_page_units_at(rate) / step_units * STEP_BYTES))
    # A page ends with the item that exceeds it, and a segment's last page is filled by half.
    pages = max(segments, size_bytes / (page_bytes + item_bytes / 2) + segments / 2)
    most = size_bytes / page_bytes + segments
    steps = Interval(size_bytes + pages * STEP_BYTES / 2, size_bytes, size_bytes + most * STEP_BYTES)
    units = steps.times(step_units / STEP_BYTES).at_least(segments * step_units)
    return Consumption(units, Interval(pages, segments, most))


def given_requests(plan: Plan) -> int:
    """Return the least Queries for the given keys of a plan: a page each, and what a page does not show."""
    return plan.segments * (1 + plan.page_lookups)


def given(plan: Plan, keys: Interval, steps: Interval | None, of_all: Consumption) -> Consumption:
    """Return what Queries of a plan's given keys take. Their item collections may be longer than others.

    `keys`: of all the source. `steps`: of 4 KB of an item, if known. `of_all`: what a run over all keys takes.
    """
    queries, step_units = given_requests(plan), plan.step_units
    if plan.has_group_pages and not plan.take.reads_on:
        exactly = Interval.exactly(queries)
        return Consumption(_of_one_item(plan, exactly, steps), exactly)
    part = min(1.0, plan.segments / keys.estimate) if keys.estimate else 1.0
    least = queries * step_units
    return Consumption(
        # At most all of the table, each key's last step started.
        Interval(max(least, part * of_all.read_units.estimate), least, of_all.read_units.high + least),
        Interval(max(queries, part * of_all.requests.estimate), queries, of_all.requests.high + queries),
    )


UNKNOWN = Consumption(Interval(0.0, 0.0, inf), Interval(0.0, 0.0, inf))

LARGER = 2.0
"""An item that a Query reads may be this many times larger than the average, on average."""


def lookups(plan: Plan, pages: Interval, keys: Interval) -> Interval:
    """Return the number of Queries for so many pages: none for a segment's last page, and at most one for each key.

    A page may end outside a range, or with the only item of its group, and a collection may fill several pages.
    """
    each, segments = plan.page_lookups, plan.segments
    return Interval(
        each * min(max(0.0, pages.estimate - segments), keys.estimate), 0.0, each * min(pages.high, keys.high)
    )


def with_lookups(
    consumed: Consumption, plan: Plan, keys: Interval, item_steps: Interval | None, whole: Consumption | None
) -> Consumption:
    """Return the consumption of pages together with their Queries.

    `item_steps`: steps of 4 KB of one item, if known. `whole`: what a full scan takes.
    """
    if not plan.page_lookups or (plan.take.reads_on and plan.skips):  # the sample of such a run made its Queries
        return consumed
    queries = lookups(plan, consumed.requests, keys)
    units, requests = _of_one_item(plan, queries, item_steps), queries
    if plan.take.reads_on:  # at least a step each; how many items they read, the pages do not show
        also = whole or UNKNOWN
        most = queries.high * plan.step_units + also.read_units.high
        units = Interval(queries.estimate * plan.step_units, queries.low * plan.step_units, most)
        requests = Interval(queries.estimate, queries.low, queries.high + also.requests.high)
    return Consumption(consumed.read_units.plus(units), consumed.requests.plus(requests))


def _of_one_item(plan: Plan, queries: Interval, steps: Interval | None) -> Interval:
    """Return the read units of Queries for an item each. `steps`: of 4 KB of one item, if known."""
    mean = max(1.0, steps.estimate if steps else plan.item_bytes / STEP_BYTES)
    most = max(steps.high if steps else 1.0, LARGER * ceil(plan.item_bytes / STEP_BYTES), 1.0)
    units = Interval(queries.estimate * mean, queries.low, queries.high * min(most, ITEM_STEPS))
    return units.times(plan.step_units)
