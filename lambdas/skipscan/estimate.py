"""What a sample says about the whole table: its keys, and what each way to list them consumes."""

from dataclasses import dataclass
from math import inf

from skipscan.interval import Interval, mean, ratio
from skipscan.limit import PAGE_BYTES
from skipscan.sample import Sample, Walked, Way

STEP_BYTES = 4096
LUCK, LEARNING_UNITS = 0.08, 25.0
"""By how much runs of the adaptive strategy differ, in parts of all and in read units before it has learnt its Limits:
as seen in simulation."""

GROWING_STEPS = 4.0
"""Pages that were longer in the small segments of a sample grow to 1 MB in a run."""


@dataclass(frozen=True)
class Consumption:
    """Read units and requests, each with a 95 % interval."""

    read_units: Interval
    requests: Interval


@dataclass(frozen=True)
class Rate:
    """What a strategy consumes per partition key, and besides for the end of every segment.

    `step_units`: the least a page costs. `slack`: what a run may differ by its own luck.
    """

    key_units: Interval
    key_requests: Interval
    end_units: float
    end_requests: float
    step_units: float
    slack: float = 0.0

    def of(self, keys: Interval, segments: int) -> Consumption:
        """Return what a run of so many segments consumes; each takes a page, even if it holds no key."""
        units = keys.times(self.key_units).plus(segments * self.end_units)
        requests = keys.times(self.key_requests).plus(segments * self.end_requests)
        luck = self.slack * units.estimate + LEARNING_UNITS * bool(self.slack)
        return Consumption(
            units.plus(Interval(0.0, -luck, luck)).at_least(segments * self.step_units),
            requests.plus(Interval(0.0, -luck, luck)).at_least(segments),
        )


@dataclass(frozen=True)
class Estimate:
    """Figures of one source.

    `adaptive`: the skip scan as a run does it; `first_item`: with Limit=1; both `None` where nothing can be skipped.
    `whole`: reading every item; `None` if no segment was read whole.
    """

    keys: Interval
    adaptive: Rate | None
    first_item: Rate | None
    whole: Consumption | None


def estimate(sample: Sample, step_units: float) -> Estimate:
    """Return what the sample says. `step_units`: the read units that 4 KB cost."""
    by_way = {way: [segment for segment in sample.walked if segment.way is way] for way in Way}
    adaptive, paged = by_way[Way.ADAPTIVE], by_way[Way.PAGE]
    return Estimate(
        keys=sample.keys,
        adaptive=_skipping(adaptive, sample, step_units) if adaptive else None,
        first_item=_first_item(by_way[Way.FIRST], sample, step_units) if adaptive else None,
        whole=_paging(paged, sample, step_units) if paged else None,
    )


def _skipping(walked: list[Walked], sample: Sample, step_units: float) -> Rate:
    """Return the rate of pages that skip, without what the ends of the small sampled segments add to it.

    A segment's last page is cut off by its end. Where a page brings q keys it misses (q - 1) / 2 of them on average
    and still costs at least a step, so an end costs (1 + 1 / q) / 2 of a page of one step.
    """
    keys, requests = sum(segment.keys for segment in walked), sum(segment.requests for segment in walked)
    units = sum(segment.read_units for segment in walked)
    end = (1 + min(1.0, max(requests - len(walked), 1) / keys)) / 2 if keys else 1.0
    part = len(walked) / sample.segments
    found = [float(segment.keys) for segment in walked]
    key_units = ratio([segment.read_units - end * step_units for segment in walked], found, part).at_least(0.0)
    key_requests = ratio([segment.requests - end for segment in walked], found, part).at_least(0.0)
    if units > GROWING_STEPS * step_units * requests:
        full = key_units.scaled(STEP_BYTES / PAGE_BYTES / step_units)
        key_requests = Interval(full.estimate, full.low, key_requests.high)
    return Rate(key_units, key_requests, end * step_units, end, step_units, LUCK)


def _first_item(walked: list[Walked], sample: Sample, step_units: float) -> Rate:
    """Return the rate of Limit=1: a page for every key, and one that finds nothing for every segment's end.

    A table that was walked as a whole was walked otherwise: its first items are known by the model of sizes.
    """
    if len(walked) >= 3:
        paid = [segment.read_units - step_units for segment in walked]
        units = ratio(paid, [float(segment.keys) for segment in walked], len(walked) / sample.segments)
    else:
        modelled = step_units * sample.first_steps
        beyond = modelled - step_units
        units = Interval(modelled, 0.95 * modelled - beyond / 2, 1.05 * modelled + 2 * beyond)
    return Rate(units.at_least(step_units), Interval.exactly(1.0), step_units, 1.0, step_units)


def _paging(walked: list[Walked], sample: Sample, step_units: float) -> Consumption:
    """Return what it takes to read every item in pages of 1 MB.

    The pages of a sample are short, and each was rounded up to 4 KB: by half a step on average.
    """
    ended = [segment for segment in walked if segment.ended]
    part = len(ended) / sample.segments
    steps = [max(segment.items and 0.1, segment.read_units / step_units - segment.requests / 2) for segment in ended]
    total = mean(steps, part).scaled(sample.segments) if ended else Interval(0.0, 0.0, inf)
    if len(ended) < len(walked):  # some were too long to be read whole: all that is known is "at least"
        least = sum(segment.read_units for segment in walked) / step_units / len(walked) * sample.segments
        total = Interval(max(total.estimate, least), total.low, inf)
    pages = total.scaled(STEP_BYTES / PAGE_BYTES)
    return Consumption(total.plus(0.5).scaled(step_units), pages.plus(1.0))


def described(size_bytes: float, step_units: float) -> Consumption:
    """Return what reading every item takes by the size that DescribeTable states, up to six hours old."""
    pages = size_bytes / PAGE_BYTES
    return Consumption(
        Interval.exactly(step_units * max(1.0, size_bytes / STEP_BYTES + pages / 2)),
        Interval.exactly(pages // 1 + 1),
    )


def collection_items(items: int, keys: Interval) -> Interval | None:
    """Return the average length of an item collection, or `None` where DescribeTable counted nothing."""
    if not items or not keys.estimate:
        return None
    return Interval(
        items / keys.estimate,
        items / keys.high if keys.high < inf else 0.0,
        items / keys.low if keys.low else inf,
    )
