"""What a sample says about the whole table: its keys, and what each way to list them consumes."""

from dataclasses import dataclass
from math import inf

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.estimate.first_items import first_item_steps
from skipscan.estimate.full_scan import full_scan
from skipscan.estimate.interval import Consumption, Interval, mean, predicted
from skipscan.estimate.rehearsal import Rehearsal
from skipscan.estimate.sample import Sample, Walked, Way
from skipscan.scan.plan import Plan

RUNS = 8
"""Rehearsed for an estimate: their spread is the luck of a run, and what the sample leaves open."""

UNITS_ERROR, REQUESTS_ERROR = 0.05, 0.2
"""How far rehearsals and runs differ besides, in parts: what the made-up tables do not have of real ones (item sizes
that depend on the collection, Limits learnt from wrong sizes). As seen over the training tables of docs/plan.md."""

RARE_TIMES = 1.5
"""DescribeTable's average item and the sample's differ by so many times only where few item collections hold most of
the bytes: a sample meets none of them, or too many."""

LEAST_WHOLE = 5
"""Segments read whole, before they bound the size of a table: fewer look alike by chance, and miss the large ones."""

UNITS_SLACK, REQUESTS_SLACK = 1.0, 2.0
"""The same where a run is so short that a page more or less is all the difference."""


@dataclass(frozen=True)
class Estimate:
    """Figures of one source.

    `rehearsal`, `first_steps`: for the ways that skip, `None` where nothing can be skipped. `first_steps`: of 4 KB,
    of all first items. `size_bytes`: `None` if no segment was read whole.
    """

    keys: Interval
    rehearsal: Rehearsal | None
    first_steps: Interval | None
    size_bytes: Interval | None

    def skipping(self, plan: Plan) -> Consumption | None:
        """Return what a run of that plan takes with the Limits it chooses."""
        if self.rehearsal is None:
            return None
        keys = self.keys.estimate or (self.keys.high if self.keys.is_bounded else 0.0)
        runs = [self.rehearsal.run(plan, keys, number) for number in range(RUNS)]
        units = predicted([run.read_units for run in runs], UNITS_ERROR).widened(UNITS_SLACK)
        requests = predicted([run.requests for run in runs], REQUESTS_ERROR).widened(REQUESTS_SLACK)
        doubt = self.size_doubt(plan)
        units = Interval(units.estimate, units.low, units.high * doubt)
        requests = Interval(requests.estimate, requests.low / doubt, requests.high)
        if self.keys.estimate:
            of_keys = self.keys.scaled(1 / self.keys.estimate)
            units, requests = units.times(of_keys), requests.times(of_keys)
        else:  # none was met, but there may be some
            least = plan.segments
            units = Interval(least * plan.step_units, 0.0, units.high if self.keys.is_bounded else inf)
            requests = Interval(least, 0.0, requests.high if self.keys.is_bounded else inf)
        return Consumption(units.at_least(plan.segments * plan.step_units), requests.at_least(plan.segments))

    def size_doubt(self, plan: Plan) -> float:
        """Return how many times DescribeTable's average item and the sample's differ; 1 where they agree, or by chance.

        Few collections of large items decide then what a run takes, and the sample cannot tell how many.
        """
        if self.rehearsal is None or not plan.item_bytes:
            return 1.0
        times = plan.item_bytes / self.rehearsal.size.mean_bytes
        times = max(times, 1 / times)
        return times if times > RARE_TIMES else 1.0

    def first_item(self, plan: Plan) -> Consumption | None:
        """Return what it takes with Limit=1: a page for each key, and one without any at the end of each segment."""
        if self.first_steps is None:
            return None
        steps = self.first_steps
        if self.size_doubt(plan) > 1:  # an average item takes no more than its bytes and one step begun
            most = self.keys.high * (1 + plan.item_bytes / STEP_BYTES)
            steps = Interval(steps.estimate, steps.low, max(steps.high, most))
        return Consumption(steps.plus(plan.segments).scaled(plan.step_units), self.keys.plus(plan.segments))

    def whole(self, plan: Plan) -> Consumption | None:
        """Return what it takes to read every item."""
        return None if self.size_bytes is None else full_scan(self.size_bytes, 0.0, plan, plan.step_units)

    @property
    def first_item_steps(self) -> Interval | None:
        """Return the steps that one key's first item takes on average."""
        if self.first_steps is None or not self.keys.estimate:
            return None
        return self.first_steps.scaled(1 / self.keys.estimate).at_least(1.0)


def estimate(sample: Sample, step_units: float) -> Estimate:
    """Return what the sample says. `step_units`: the read units that 4 KB cost."""
    paged = [segment for segment in (*sample.walked, *sample.aside) if segment.way is Way.PAGE]
    skips = sample.skips
    return Estimate(
        keys=sample.keys,
        rehearsal=Rehearsal(sample.lengths, sample.size, sample.seed) if skips else None,
        first_steps=first_item_steps(sample) if skips else None,
        size_bytes=_size_bytes(paged, sample, step_units) if paged else None,
    )


def _size_bytes(walked: list[Walked], sample: Sample, step_units: float) -> Interval:
    """Return the bytes of all items, by the segments that were read whole.

    The pages of a sample are short, and each was rounded up to 4 KB: by half a step on average.
    """
    ended = [segment for segment in walked if segment.ended]
    part = len(ended) / sample.segments
    steps = [max(segment.items and 0.1, segment.read_units / step_units - segment.requests / 2) for segment in ended]
    total = mean(steps, part).skewed().scaled(sample.segments) if ended else Interval(0.0, 0.0, inf)
    if len(ended) < len(walked):  # some were too long to be read whole: all that is known is "at least"
        least = sum(segment.read_units for segment in walked) / step_units / len(walked) * sample.segments
        total = Interval(max(total.estimate, least), total.low, inf)
    elif part < 1 and len(ended) < LEAST_WHOLE:
        total = Interval(total.estimate, sum(steps), inf)
    return total.scaled(STEP_BYTES)


def collection_items(items: int, keys: Interval) -> Interval | None:
    """Return the average length of an item collection, or `None` where DescribeTable counted nothing."""
    if not items or not keys.estimate:
        return None
    return Interval(
        items / keys.estimate,
        items / keys.high if keys.high < inf else 0.0,
        items / keys.low if keys.low else inf,
    )
