"""A run rehearsed on made-up tables that are like the sampled one, with the Limits that a run would choose.

What a run takes follows from more than its keys: every worker begins without knowledge and learns, pages grow and
are tried out, each segment ends with a page cut short or empty, and where two Limits are as good as each other, luck
decides between few long pages and many short ones. All of that is the policy's doing, so it is the policy that is
asked, over and over.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from random import Random
from typing import NamedTuple

from skipscan.estimate.lengths import ENDLESS, Lengths
from skipscan.estimate.made_up_table import MadeUpTable
from skipscan.pace.rate import Rate
from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.limit.policy import LimitPolicy
from skipscan.scan.plan import Plan
from skipscan.scan.segments import share

MOST_PAGES = 3000
"""Rehearsed of one run. By then workers have learnt, and go on as in the second half."""

MOST_WORKERS = 4
"""Of one run; the others do the same."""

MOST_KEYS = 100_000
"""More than so many are not dealt out one by one."""


class Rehearsed(NamedTuple):
    """What a run, or one worker, took."""

    read_units: float
    requests: float


class KnownSize(ItemSize):
    """Sizes that need not be learnt: that is most of the work, and moves Limits little."""

    def fit(self) -> None:
        pass


@dataclass(frozen=True)
class Rehearsal:
    """`lengths` and `size`: what the sample saw of item collections and of items."""

    lengths: Lengths
    size: ItemSize
    seed: int

    def run(self, plan: Plan, keys: float, number: int) -> Rehearsed:
        """Return what a run of that plan takes if it finds so many keys; for another `number`, another run's luck."""
        random = Random(f"{self.seed} {number}")
        table = MadeUpTable.like(self.lengths, self.size, random, plan.item_bytes)
        workers = min(plan.workers, plan.segments)
        rehearsed = min(workers, MOST_WORKERS)
        units = requests = 0.0
        segments = 0
        for worker in range(rehearsed):
            part = share(worker, workers, plan.segments)
            took = _worker(plan, table, keys * part / plan.segments, part, MOST_PAGES // rehearsed)
            units, requests, segments = units + took.read_units, requests + took.requests, segments + part
        return Rehearsed(units * plan.segments / segments, requests * plan.segments / segments)


def _worker(plan: Plan, table: MadeUpTable, keys: float, segments: int, pages: int) -> Rehearsed:
    """Return what one worker takes for so many keys; rehearsed for so many `pages`, and carried on from there."""
    policy = LimitPolicy.of(plan)
    size = KnownSize(table.mean_bytes, table.spread, plan.item_bytes)
    policy = LimitPolicy(policy.step_units, policy.request_units, size)
    rate = plan.worker_read_units_per_second
    most = policy.affordable(Rate(rate).page_units) if rate else ENDLESS
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
        page = table.page(min(policy.limit(), most), ahead)
        policy.observe(page.evaluated, page.places, page.steps * plan.step_units)
        units, requests, found = units + page.steps * plan.step_units, requests + 1, found + len(page.places)
        if not page.is_last:
            walks.append(ahead - len(page.places))
        if requests == pages // 2:
            half = (units, requests, found)
    more = max(0.0, keys - found) / max(1, found - half[2])
    return Rehearsed(units + more * (units - half[0]), requests + more * (requests - half[1]))


def _dealt(keys: float, segments: int, random: Random) -> Iterable[int]:
    """Return the keys of each segment: a key falls into any of them."""
    if keys > MOST_KEYS or segments > MOST_KEYS:
        each = keys / segments
        if each >= MOST_PAGES:
            return repeat(round(each), segments)
        keys, segments = each * MOST_PAGES, MOST_PAGES  # as many as can be rehearsed at most
        if keys > MOST_KEYS:
            return [max(0, round(random.gauss(each, each**0.5))) for _ in range(segments)]
    counts = [0] * segments
    for _ in range(round(keys)):
        counts[random.randrange(segments)] += 1
    return counts
