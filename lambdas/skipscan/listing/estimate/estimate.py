"""What a run takes that skips, as far as a sample shows it: with adaptive Limits, and with Limit=1."""

from math import inf

from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES
from skipscan.pace.rate import most_page_units_at
from skipscan.sample.interval import Consumption, Interval
from skipscan.sample.sample import Sample
from skipscan.scan.limit import REQUEST_UNITS
from skipscan.scan.plan import Plan

PRICE_ERROR = 1.15
"""What a run takes differs from what its sample shows by at most this factor, beside the error of the number of keys:
the policy goes on learning, and item sizes depend on the collection. Measured by `python -m benchmarks intervals`."""

FARTHER = 8
"""Where prices allow it, a run's pages are expected to become this many times as long as the sample's longest: a sample
ends before they have doubled often enough. More would guess too much of places that no page has seen."""

MOST_REQUESTS = 3.0
"""A run takes at most this factor more requests than expected, 95 times in 100. It can take as few as pages of 1 MB:
where two Limits cost the same, chance decides between few long pages and many short ones."""

LEARNING_UNITS, LEARNING_REQUESTS = 6.0, 8.0
"""What learning takes besides, which decides only about short runs: at first pages are too long, and too short."""

SLACK = 1.0
"""A run may take so many read units less: in a short one a page more or less decides."""


def skip_scan(sample: Sample, plan: Plan, whole: Consumption | None) -> Consumption | None:
    """Return what a skip scan takes, `None` for a source that cannot be skipped. `whole`: what a full scan takes.

    Of the requests only the most is known.
    """
    if not sample.plan.skips:
        return None
    # Where few collections of large items decide what a run takes, the sample meets none of them, or too many: its
    # average item then differs from DescribeTable's.
    times = plan.item_bytes / sample.item_bytes if plan.item_bytes and sample.item_bytes else 1.0
    doubt = max(times, 1 / times)
    if sample.reads_on:
        units, requests, end = of_queries(sample, plan.step_units)
        most_requests = MOST_REQUESTS * requests.high
        # Without DescribeTable's size, groups that no walk met may have items of any.
        most = doubt if plan.item_bytes or sample.part == 1 else inf
    else:
        groups, end = sample.groups, 1.0
        rate, most_units = plan.limits.worker_reads, PAGE_STEPS * plan.step_units
        affordable = sample.policy.affordable(min(most_page_units_at(rate), most_units) if rate else most_units)
        longest = min(FARTHER * sample.policy.farthest, affordable)
        page_units, page_keys = sample.policy.expected_page(plan.optimize, longest)
        units, requests = groups.times(page_units / page_keys), groups.times(1 / page_keys)
        # A run pays the least for units and requests together. How much of that are units, chance decides.
        most = doubt * (1 + REQUEST_UNITS[plan.optimize] / page_units)
        most_requests = min(MOST_REQUESTS * requests.high + LEARNING_REQUESTS, groups.high)  # each page finds a key
    ends = end * plan.segments
    units = Interval(units.estimate, units.low / PRICE_ERROR - SLACK, units.high * PRICE_ERROR * most + LEARNING_UNITS)
    units = units.plus(ends * plan.step_units).at_least(plan.segments * plan.step_units)
    requests = Interval(requests.estimate, 0.0, max(requests.estimate, most_requests)).plus(ends)
    consumed = Consumption(units, requests.at_least(plan.segments))
    return consumed if whole is None else _within(consumed, sample, plan, whole)


def _within(consumed: Consumption, sample: Sample, plan: Plan, whole: Consumption) -> Consumption:
    """Return what a skip scan takes at most: reading every item with each page rounded up."""
    units, requests = consumed.read_units, consumed.requests
    if sample.reads_on and not requests.is_bounded:  # it reads no item twice, and a step with each page
        most_requests = whole.read_units.high / plan.step_units + plan.segments
        requests = Interval(min(requests.estimate, most_requests), requests.low, most_requests)
    most = whole.read_units.high + plan.step_units * requests.high
    return Consumption(Interval(*(min(end, most) for end in vars(units).values())), requests)


def of_queries(sample: Sample, step_units: float) -> tuple[Interval, Interval, float]:
    """Return the read units and requests of all groups of a run whose Queries the sample made, too.

    And the part of a page that each segment's end takes. A segment that was read whole shows no Queries.
    """
    ended = sample.ended
    if sample.is_of_all:
        whole, groups = sum(each.read_units for each in ended), sum(each.groups for each in ended)
        # Of each group a page and a Query, beside the steps that its items fill.
        most = 2 * groups + whole / step_units
        return (
            Interval(min(whole, step_units * groups), 0.0, whole + step_units * most),
            Interval(groups, 0.0, most),
            1.0,
        )
    steps = sample.most_items * sample.item_bytes / STEP_BYTES
    walked = sample.walked
    return (
        sample.of_groups([each.read_units - each.end * step_units for each in walked], (1 + steps) * step_units),
        sample.of_groups([each.requests - each.end for each in walked], 2 + steps / PAGE_STEPS),
        sum(each.end for each in ended) / max(1, len(ended)),
    )


def first_item(sample: Sample, plan: Plan, steps: Interval | None) -> Consumption | None:
    """Return what a run takes with Limit=1: one page for each key, and an empty page at the end of each segment."""
    if steps is None:
        return None
    units = sample.groups.times(steps).plus(plan.segments).times(plan.step_units)
    return Consumption(units, sample.groups.plus(plan.segments))


def first_item_steps(sample: Sample) -> Interval | None:
    """Return the average number of steps of a group's first item; `None` if a run has no use for it.

    The further steps of pages bound those of the first items in them. Where these decide, pages are short, so the bound
    is close. In between, the average item decides.
    """
    step_units, groups = sample.plan.step_units, sum(walked.groups for walked in sample.ended)
    if not sample.plan.skips or sample.reads_on or not sample.groups.estimate:
        return None
    more = sum(max(0.0, walked.read_units / step_units - walked.requests) for walked in sample.ended)
    average = sample.policy.expected_read_units(1) / step_units - 1
    found = more / groups if groups else average
    return Interval(1 + min(found, average), 1.0, 1 + found)


def size_bytes(sample: Sample) -> float | None:
    """Return the bytes of all items if the sample read all of them.

    Each page was rounded up to 4 KB: by half a step on average.
    """
    if sample.part < 1 or not sample.is_of_all:
        return None
    steps = sum(walked.read_units / sample.plan.step_units - walked.requests / 2 for walked in sample.ended)
    return max(0.0, steps) * STEP_BYTES
