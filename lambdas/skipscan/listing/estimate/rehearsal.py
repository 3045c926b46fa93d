"""A run rehearsed on made-up tables that resemble the sampled one, with the Limits that a run would choose.

The consumption of a run depends on more than its keys: every worker starts without knowledge and learns, pages grow and
are tried out, each segment ends with a short or empty page, and where two Limits are equally good, chance decides
between few long pages and many short ones. The policy causes all of that, so the rehearsal runs the policy itself, many
times.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from math import ceil
from random import Random
from typing import NamedTuple, Self

from skipscan.dynamodb.page import PAGE_BYTES, STEP_BYTES
from skipscan.listing.estimate.item_size import ItemSize
from skipscan.listing.estimate.sample import ENDLESS, Lengths
from skipscan.pace.rate import Rate
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan, segments_of_worker

MODEL_PAGES = 6.0
"""The weight of the model, in pages of a Limit whose steps were seen."""

MEAN_ERROR, SPREAD_ERROR = 0.06, 0.25
"""Relative error of a sample's mean item size and spread, as seen in simulation."""


class MadeUpPage(NamedTuple):
    """`places`: positions of new keys. `steps`: of 4 KB. `is_last`: the last page of its segment."""

    evaluated: int
    places: list[int]
    steps: int
    is_last: bool


@dataclass(frozen=True)
class SimulatedTable:
    """Draws the length of a collection when a page reaches it, and the size of a page's items all at once."""

    lengths: Iterator[int]
    mean_bytes: float
    spread: float
    seen: ItemSize
    random: Random

    @classmethod
    def like(cls, lengths: Lengths, size: ItemSize, random: Random, described_bytes: float = 0.0) -> Self:
        """Return one of the tables that may have produced such a sample.

        `described_bytes`: the mean item size by DescribeTable, 0 if unknown. A small sample meets few large, rare
        items, and a run may meet more of them: the true mean is anywhere between the two figures.
        """
        mean_bytes = size.average_bytes * random.lognormvariate(0, MEAN_ERROR)
        if described_bytes:
            mean_bytes *= (described_bytes / mean_bytes) ** random.random()
        spread = size.spread * random.lognormvariate(0, SPREAD_ERROR)
        return cls(lengths.drawn(random), mean_bytes, spread, size, random)

    def page(self, limit: int, ahead: int) -> MadeUpPage:
        """Return the next page of a segment with so many keys `ahead`."""
        limit = min(limit, max(1, int(PAGE_BYTES / self.mean_bytes)))
        places: list[int] = []
        end = 0
        while end < limit and len(places) < ahead:
            places.append(end)
            end += next(self.lengths)
        evaluated = min(end, limit)
        return MadeUpPage(evaluated, places, self._steps(evaluated), is_last=end < limit)

    def _steps(self, evaluated: int) -> int:
        if not evaluated:
            return 1
        if counts := self.seen.pages.get(evaluated):
            pages = sum(counts.values())
            if self.random.random() < pages / (pages + MODEL_PAGES):
                return self.random.choices(list(counts), weights=list(counts.values()))[0]
        shape = 1 / self.spread**2
        bytes_ = self.random.gammavariate(evaluated * shape, self.mean_bytes / shape)
        return max(1, ceil(bytes_ / STEP_BYTES))


MOST_PAGES = 1000
"""Pages rehearsed of one run. By then workers have learnt, and the rest is like the second half."""

MOST_WORKERS = 4
"""Workers rehearsed of one run; the others behave the same."""

MOST_KEYS = 100_000
"""More keys than this are not distributed one by one."""


class Rehearsed(NamedTuple):
    """The consumption of a run, or of one worker."""

    read_units: float
    requests: float


@dataclass(frozen=True)
class Simulation:
    """`lengths` and `size`: the item collections and item sizes in the sample."""

    lengths: Lengths
    size: ItemSize
    seed: int

    def run(self, plan: Plan, keys: float, number: int) -> Rehearsed:
        """Return what a run of the plan consumes if it finds `keys`. Each `number` draws another simulated table."""
        random = Random(f"{self.seed} {number}")
        table = SimulatedTable.like(self.lengths, self.size, random, plan.item_bytes)
        workers = min(plan.workers, plan.segments)
        rehearsed = min(workers, MOST_WORKERS)
        units = requests = 0.0
        segments = 0
        for worker in range(rehearsed):
            part = segments_of_worker(worker, workers, plan.segments)
            took = _worker(plan, table, keys * part / plan.segments, part, MOST_PAGES // rehearsed)
            units, requests, segments = units + took.read_units, requests + took.requests, segments + part
        return Rehearsed(units * plan.segments / segments, requests * plan.segments / segments)


def _worker(plan: Plan, table: SimulatedTable, keys: float, segments: int, pages: int) -> Rehearsed:
    """Return what one worker consumes for `keys`: rehearsed for `pages` pages, then extrapolated."""
    policy = LimitPolicy.of(plan)
    rate = plan.worker_read_units_per_second
    page_units = Rate(rate).page_units if rate else ENDLESS
    unopened = iter(_dealt(keys, segments, table.random))
    walks: deque[int] = deque()
    units, requests, found = 0.0, 0, 0
    half = (units, requests, found)
    while requests < pages:
        while len(walks) < plan.walks and (begun := next(unopened, None)) is not None:
            walks.append(begun)
        if not walks:
            return Rehearsed(units, requests)
        ahead = walks.popleft()
        page = table.page(min(policy.limit(), policy.affordable(page_units)), ahead)
        policy.observe(page.evaluated, page.places, page.steps * plan.step_units)
        units, requests, found = units + page.steps * plan.step_units, requests + 1, found + len(page.places)
        if not page.is_last:
            walks.append(ahead - len(page.places))
        if requests == pages // 2:
            half = (units, requests, found)
    more = max(0.0, keys - found) / max(1, found - half[2])
    return Rehearsed(units + more * (units - half[0]), requests + more * (requests - half[1]))


def _dealt(keys: float, segments: int, random: Random) -> Iterable[int]:
    """Return the keys of each segment: each key falls into a random segment."""
    if keys > MOST_KEYS or segments > MOST_KEYS:
        each = keys / segments
        if each >= MOST_PAGES:
            return repeat(round(each), segments)
        keys, segments = each * MOST_PAGES, MOST_PAGES  # the maximum that can be rehearsed
        if keys > MOST_KEYS:
            return [max(0, round(random.gauss(each, each**0.5))) for _ in range(segments)]
    counts = Counter(random.choices(range(segments), k=round(keys)))
    return [counts[segment] for segment in range(segments)]
