"""Figures for the whole table, estimated from a sample: its keys, and the consumption of each way to list them."""

from dataclasses import dataclass
from math import inf
from typing import Self

from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES
from skipscan.listing.estimate.ways import first_item_steps
from skipscan.pace.rate import most_page_units_at
from skipscan.sample.interval import Consumption, Interval
from skipscan.sample.sample import Sample
from skipscan.scan.limit import REQUEST_UNITS, LimitPolicy
from skipscan.scan.plan import Plan

PRICE_ERROR = 1.4
"""What a run takes differs from the price of a key that the sample's policy expects by at most this factor, 95 times in
100: the policy goes on learning. Measured over random tables by `python -m benchmarks intervals`."""

FARTHER = 8
"""Where prices allow it, a run's pages are expected to become this many times as long as the sample's longest: a sample
ends before they have doubled often enough. More would guess too much of places that no page has seen."""

MOST_REQUESTS = 3.0
"""A run takes at most this factor more requests than expected, 95 times in 100. It can take as few as pages of 1 MB:
where two Limits cost the same, chance decides between few long pages and many short ones."""

LEARNING_UNITS, LEARNING_REQUESTS = 6.0, 8.0
"""What learning takes besides, which decides only about short runs: at first pages are too long, and too short."""

ERROR = 0.05
"""Further difference between a sample's segments and a run's, as a part: item sizes that depend on the collection."""

RARE_TIMES = 1.5
"""DescribeTable's average item and the sample's differ by this factor only where a few item collections hold most of
the bytes: a sample meets none of them, or too many."""

SLACK = 1.0
"""The same for a run so short that one page more or less decides the figures: read units, and requests."""


@dataclass(frozen=True)
class Measured:
    """What the groups take of a run whose Queries a sample made, too. `end`: the part of a page for each segment's.

    `item_bytes`: of an average item of the sample.
    """

    read_units: Interval
    requests: Interval
    end: float
    item_bytes: float

    @classmethod
    def of(cls, sample: Sample, step_units: float) -> Self:
        """Return the figures of all groups. A segment that was read whole shows no Queries."""
        ended = sample.ended
        if not all(each.skips for each in ended):
            whole, groups = sum(each.read_units for each in ended), sum(each.groups for each in ended)
            items = sum(each.items for each in ended)
            return cls(
                Interval(min(whole, step_units * groups), 0.0, 2 * (whole + step_units * groups)),
                Interval(groups, 0.0, 2 * (items + groups)),
                1.0,
                sample.item_bytes,
            )
        steps = sample.most_items * sample.item_bytes / STEP_BYTES
        units = [each.read_units - each.end * step_units for each in sample.walked]
        requests = [each.requests - each.end for each in sample.walked]
        return cls(
            sample.of_groups(units, (1 + steps) * step_units),
            sample.of_groups(requests, 2 + steps / PAGE_STEPS),
            sum(each.end for each in ended) / max(1, len(ended)),
            sample.item_bytes,
        )

    def consumption(self, plan: Plan, size_doubt: float) -> Consumption:
        """Return the figures of a run. Without DescribeTable's size, groups that no walk met may have items of any."""
        least = plan.segments * plan.step_units
        units = self.read_units.plus(self.end * least).spread(ERROR)
        units = Interval(units.estimate, units.low / size_doubt, units.high * size_doubt if plan.item_bytes else inf)
        requests = self.requests.plus(self.end * plan.segments)
        requests = Interval(requests.estimate, requests.low / MOST_REQUESTS, requests.high * MOST_REQUESTS)
        return Consumption(units.widened(SLACK).at_least(least), requests.widened(2 * SLACK).at_least(plan.segments))


@dataclass(frozen=True)
class Estimate:
    """Estimated figures of one source.

    `groups`: all that a run skips, also those that have no line. `lines`: that it writes.
    `policy`, `first_steps`: for the ways that skip, `None` for a source that cannot be skipped. `first_steps`: steps
    of 4 KB of all first items. `size_bytes`: `None` unless all items were read. `counted`: in place of both for a run
    that counts and skips.
    """

    keys: Interval
    groups: Interval
    lines: Interval
    policy: LimitPolicy | None
    first_steps: Interval | None
    size_bytes: Interval | None
    counted: Measured | None = None

    def skipping(self, plan: Plan) -> Consumption | None:
        """Return what a run of that plan takes with adaptive Limits."""
        if self.counted is not None:
            return self.counted.consumption(plan, self.size_doubt(plan))
        if self.policy is None:
            return None
        groups, segments = self.groups, plan.segments
        ends = segments * plan.step_units
        rate, most_units = plan.limits.worker_reads, PAGE_STEPS * plan.step_units
        affordable = self.policy.affordable(min(most_page_units_at(rate), most_units) if rate else most_units)
        longest = min(FARTHER * self.policy.farthest, affordable)
        page_units, page_keys = self.policy.expected_page(plan.optimize, longest)
        # A run pays the least for units and requests together. How much of that are units, chance decides.
        most = PRICE_ERROR * self.size_doubt(plan) * (1 + REQUEST_UNITS[plan.optimize] / page_units)
        is_counted = groups.low == groups.high  # in so short a run learning decides
        units = groups.scaled(page_units / page_keys)
        units = units.times(Interval(1.0, 0.0 if is_counted else 1 / PRICE_ERROR, most)).plus(ends)
        requests = groups.scaled(1 / page_keys)
        fewest = min(requests.low, units.low / plan.step_units / PAGE_STEPS)
        most_requests = min(MOST_REQUESTS * requests.high + LEARNING_REQUESTS, groups.high)  # each page finds a key
        requests = Interval(requests.estimate, fewest, max(requests.estimate, most_requests)).plus(segments)
        units = Interval(units.estimate, units.low, units.high + LEARNING_UNITS).widened(SLACK)
        return Consumption(units.at_least(ends), requests.widened(SLACK).at_least(segments))

    def size_doubt(self, plan: Plan) -> float:
        """Return by what factor DescribeTable's average item and the sample's differ; 1 if they agree within chance.

        If they differ, a few collections of large items decide what a run takes, and the sample cannot show how many.
        """
        sampled = self.policy.item * STEP_BYTES if self.policy else self.counted.item_bytes if self.counted else 0.0
        if not sampled or not plan.item_bytes:
            return 1.0
        times = plan.item_bytes / sampled
        times = max(times, 1 / times)
        return times if times > RARE_TIMES else 1.0

    def first_item(self, plan: Plan) -> Consumption | None:
        """Return what a run takes with Limit=1: one page for each key, and an empty page at the end of each segment."""
        if self.first_steps is None:
            return None
        steps = self.first_steps
        if self.size_doubt(plan) > 1:  # an average item takes at most its bytes and one started step
            most = self.groups.high * (1 + plan.item_bytes / STEP_BYTES)
            steps = Interval(steps.estimate, steps.low, max(steps.high, most))
        return Consumption(steps.plus(plan.segments).scaled(plan.step_units), self.groups.plus(plan.segments))

    @property
    def first_item_steps(self) -> Interval | None:
        """Return the average number of steps of a group's first item."""
        if self.first_steps is None or not self.groups.estimate:
            return None
        return self.first_steps.scaled(1 / self.groups.estimate).at_least(1.0)


def estimate(sample: Sample, step_units: float) -> Estimate:
    """Return the estimates from a sample. `step_units`: the read units of 4 KB."""
    skips = sample.skips and not sample.reads_on
    return Estimate(
        keys=sample.keys,
        groups=sample.groups,
        lines=sample.lines_written,
        policy=sample.policy if skips else None,
        first_steps=first_item_steps(sample, step_units) if skips else None,
        size_bytes=_size_bytes(sample, step_units),
        counted=Measured.of(sample, step_units) if sample.reads_on else None,
    )


def _size_bytes(sample: Sample, step_units: float) -> Interval | None:
    """Return the bytes of all items if the sample read all of them.

    Each page was rounded up to 4 KB: by half a step on average.
    """
    if sample.part < 1 or any(walked.skips for walked in sample.ended):
        return None
    steps = sum(walked.read_units / step_units - walked.requests / 2 for walked in sample.ended)
    return Interval.exactly(max(0.0, steps) * STEP_BYTES)


def collection_items(items: int, keys: Interval) -> Interval | None:
    """Return the average length of an item collection, or `None` if DescribeTable shows no count."""
    if not items or not keys.estimate:
        return None
    return Interval(
        items / keys.estimate,
        items / keys.high if keys.high < inf else 0.0,
        items / keys.low if keys.low else inf,
    )
