"""The consumption of a full scan, from the table's size."""

from math import exp, inf

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.estimate.interval import Consumption, Interval
from skipscan.listing.planning import MOST_ITEM_BYTES
from skipscan.pace.rate import Rate
from skipscan.scan.limit.policy import PAGE_BYTES
from skipscan.scan.plan import Plan


def full_scan(size_bytes: Interval, item_bytes: float, plan: Plan, step_units: float) -> Consumption:
    """Return what a plan's segments take if they are read whole; `item_bytes`: on average, 0 if unknown.

    Both ends of the intervals are strict bounds if the size is right: every page but a segment's last is full, and each
    page is rounded up to 4 KB.
    """
    segments = plan.segments
    page_bytes = float(PAGE_BYTES)
    if rate := plan.worker_read_units_per_second:
        page_bytes = min(page_bytes, max(item_bytes, Rate(rate).page_units / step_units * STEP_BYTES))
    longest = (
        page_bytes + MOST_ITEM_BYTES
    )  # a page ends with the item that exceeds it, and that is most often a large item
    full = size_bytes.estimate / (page_bytes + item_bytes / 2)
    # If segments differ as in an exponential distribution, their pages are geometric. A single segment does not differ.
    pages = full // 1 + 1 if segments == 1 else segments / (1 - exp(-segments / full)) if full else segments
    least = max(segments, size_bytes.low / longest)
    most = size_bytes.high / page_bytes + segments
    steps = Interval(
        max(segments, size_bytes.estimate / STEP_BYTES + pages / 2),
        max(segments, size_bytes.low / STEP_BYTES),
        size_bytes.high / STEP_BYTES + most if size_bytes.is_bounded else inf,
    )
    return Consumption(steps.scaled(step_units), Interval(float(pages), float(least), float(most)))
