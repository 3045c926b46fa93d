"""Choose the Limit of the next page: how many items it may evaluate. This choice decides the cost of a skip scan.

One idea: count what pages brought, and take the Limit with the lowest price of a key.

- Keys. Every page begins at a new item collection. So each page of n items is a sample of how many collections begin in
  every stretch of places up to n, whatever its own Limit was. The sums over stretches are the expected keys of a Limit.
- Steps. A page of n items is billed s steps of 4 KB, so its average item takes between (s - 1) / n and s / n steps. As
  long as the pages agree, the average item is within all of these bounds: in their middle, unless DescribeTable states
  one that is within. Once they disagree, items are uneven, and the mean of all items decides. The share of pages that
  it does not explain says whether n items take `mean * n` rounded up, or half a step more. A Limit's own pages correct
  that.
- Epochs. When the costs have grown by a quarter, all is planned anew, one page of twice the best Limit is tried, and
  what was seen before counts a fifth less. So trials are rare, and a table that changes is followed.
- Guard. With Limit=1 the keys so far would have cost `blog`, as the blog's script reads them. While the costs exceed
  that by more than `GUARD` allows, no longer page is tried and no page is meant to take more than one step.

The documentation's page on the Limit has the bound that follows. The same pages lead to the same Limits.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, log
from typing import Any, Self

from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bounds import REQUEST_SECONDS, WORKER_GB
from skipscan.scan.plan import Optimize, Plan

UNKNOWN_BYTES = 400.0  # the average item if DescribeTable states none; only the first pages depend on it

PRIOR = 0.1
"""What DescribeTable's average counts, in steps of 4 KB: it can be hours old, so the first page outweighs it. A Limit
whose pages weigh less than this is forgotten."""

EPOCH, EPOCH_PAGES = 1.25, 200
"""An epoch ends when the costs have grown by this factor, or after so many pages: trials take half a per cent then."""

OWN_PAGES = 4.0  # of a Limit, after which their mean counts more than the model: rounding moves it by 1/7 step then
TIE = 1.02  # of Limits whose prices differ by at most this factor the largest is taken: it makes fewer requests
EXPLAINED = 0.02  # the mean explains a page if that takes at most this part more or less
HALF_STEP = 0.5  # by which a page of uneven items is rounded up on average
ROUNDING = 1e-9  # of sums of fractions, which would take another step

GUARD, FREE_UNITS = 1.1, 2.0
"""The most that all pages may cost, in units of Limit=1's cost, and read units besides, for the first pages."""

EXACT, RATIO, LONGEST = 128, 1.1, 1 << 17
"""Limits and places are exact up to the first, which is a step of 32 byte items. Then they grow by the second, up to
more items than a page of 1 MB can hold."""

EDGES = (*range(EXACT), *(round(EXACT * RATIO**power) for power in range(ceil(log(LONGEST / EXACT, RATIO)) + 1)))

# One region's prices for all: so the same pages lead to the same Limits in every region.
_BALANCED = US_EAST_1.lambda_gb_seconds.of(WORKER_GB * REQUEST_SECONDS) / US_EAST_1.read_units.of(1)
REQUEST_UNITS = {Optimize.COST: 0.02, Optimize.BALANCED: round(_BALANCED, 2), Optimize.SPEED: 2.0}
"""The price of a request beside its read units, in read units. Balanced: the price of the Lambda's time, 1e-8 dollars,
which is the price of 0.08 read units on demand. Cost: just enough to decide between Limits that read about the same.
Speed: by choice the price of 16 KB, so that fewer and longer pages win."""


@dataclass
class LimitPolicy:
    """Choose the Limits of one worker's pages, and learn from each page. All costs are in read units."""

    step_units: float = 0.5  # of 4 KB
    request_units: float = REQUEST_UNITS[Optimize.BALANCED]  # the price of a request
    stated: bool = False  # DescribeTable has an average item, and no page contradicts it
    item_steps: float = PRIOR  # of the `items` seen, and at first of DescribeTable's average
    items: float = PRIOR * STEP_BYTES / UNKNOWN_BYTES
    least: float = 0.0  # and `most`: the steps of an average item that no page contradicts, until pages disagree
    most: float = float(PAGE_STEPS)
    misfits: float = 1.0  # so many of the `pages` the mean does not explain
    pages: float = 2.0  # by Laplace's rule of succession: before any page, one that fits and one that does not
    reached: list[float] = field(default_factory=list)  # the pages that ended in each stretch of places
    keys: list[float] = field(default_factory=list)  # the new keys in each
    own: dict[int, list[float]] = field(default_factory=dict)  # pages and steps of each Limit
    first: list[float] = field(default_factory=lambda: [0.0, 0.0])  # the same of Limit=1, never forgotten
    farthest: int = 0  # items of the longest page
    cost: float = 0.0
    blog: float = 0.0  # what Limit=1 would have cost so far
    plan_at: float = 0.0  # the cost at which an epoch ends
    plan_in: int = EPOCH_PAGES
    best: int = 0
    trial: int | None = None

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """Return the policy of a worker that has read no page yet."""
        request = REQUEST_UNITS[plan.optimize]
        lookups = plan.page_lookups * (plan.step_units + request)  # longer pages need fewer Queries
        items = PRIOR * STEP_BYTES / (plan.item_bytes or UNKNOWN_BYTES)
        return cls(plan.step_units, request + lookups, bool(plan.item_bytes), items=items)

    @property
    def item(self) -> float:
        """The steps of an average item."""
        mean = self.item_steps / self.items
        # `most` is PAGE_STEPS before the first page, and below `least` once pages disagree.
        if self.stated or not self.least <= self.most < PAGE_STEPS:
            return mean
        return (self.least + self.most) / 2

    def limit(self) -> int:
        """Return the Limit of the next page."""
        if not self.best:
            self._plan()
        # Handed out once, so that of all pages under way one tries it.
        trial, self.trial = self.trial, None
        if self._room() < 0:
            return min(self.best, self.affordable(self.step_units))
        return trial or self.best

    def affordable(self, read_units: float) -> int:
        """Return the largest Limit whose page is expected to consume at most so many read units; at least 1."""
        return max(1, int(read_units / self.step_units / self.item))

    def expected_page(self, optimize: Optimize, most: int) -> tuple[float, float]:
        """Return the read units and the new keys of the cheapest page of at most so many items."""
        policy = replace(self, request_units=REQUEST_UNITS[optimize])
        prices = policy._prices(most)
        limit = _longest(prices)
        read_units = self.expected_read_units(limit)
        return read_units, (read_units + policy.request_units) / prices[limit]

    def expected_read_units(self, limit: int) -> float:
        return self._steps(limit) * self.step_units

    def observe(self, evaluated: int, places: Sequence[int], read_units: float) -> None:
        """Learn from a page: its number of evaluated items, the places of its new keys, and its read units."""
        first = self.first[1] / self.first[0] if self.first[0] else 1.0  # steps of an average page of Limit=1
        paid = len(places) * first * self.step_units
        # Also 0 == 0, the empty page at a segment's end: Limit=1 reads that page, too.
        if evaluated == len(places):  # every item is a first item, which Limit=1 reads by itself
            paid = max(paid, read_units)
        self.blog += paid + len(places) * self.request_units
        if evaluated:
            ended = bisect_right(EDGES, evaluated) - 1
            # Empty for a page shorter than one before: a list times a negative number is empty.
            more = [0.0] * (ended - len(self.keys))
            self.reached, self.keys = self.reached + more, self.keys + more
            self.reached[ended - 1] += 1
            # Without the keys behind the last whole stretch: the page shows only a part of the stretch it ended in.
            for place in places[: bisect_left(places, EDGES[ended])]:
                self.keys[bisect_right(EDGES, place) - 1] += 1
            self.farthest = max(self.farthest, evaluated)
        self.weigh(evaluated, read_units)
        self.plan_in -= 1
        if self.cost >= self.plan_at or not self.plan_in:
            # In this order: the new plan still gives what was seen its full weight.
            self._plan()
            self._fade()

    def weigh(self, evaluated: int, read_units: float) -> None:
        """Learn the size of items alone, from a page whose Limit is not chosen for its new keys."""
        # Whole steps, at least one (guide, "DynamoDB read and write operations"); an emulator may report others.
        steps = max(1, round(read_units / self.step_units))
        self.cost += steps * self.step_units + self.request_units
        if not evaluated:
            return  # the end of a segment
        if self.least <= self.most:
            self.least = max(self.least, (steps - 1) / evaluated)
            self.most = min(self.most, steps / evaluated)
            self.stated = self.stated and self.least <= self.item_steps / self.items <= self.most
        expected = evaluated * self.item
        # A bill of n steps says only that the items took n - 1 to n: the mean is kept within these.
        nearest = min(max(expected, steps - 1.0), float(steps))
        self.pages += 1
        if abs(expected - nearest) > EXPLAINED * expected:
            self.misfits += 1
        self.item_steps, self.items = self.item_steps + nearest, self.items + evaluated
        # By the items evaluated, not the requested Limit: a segment's end or 1 MB cuts a page short.
        own = self.own.setdefault(evaluated, [0.0, 0.0])
        for counts in (own, self.first) if evaluated == 1 else (own,):
            counts[0] += 1
            counts[1] += steps

    def _room(self) -> float:
        return GUARD * self.blog + FREE_UNITS - self.cost

    def _steps(self, limit: int) -> float:
        """Return the expected steps of a page: its model, and the mean of its own pages."""
        mean, uneven = limit * self.item, self.misfits / self.pages
        modelled = (1 - uneven) * max(1, ceil(mean - ROUNDING)) + uneven * max(1.0, mean + HALF_STEP)
        pages, steps = self.own.get(limit, (0.0, 0.0))
        return (steps + OWN_PAGES * modelled) / (pages + OWN_PAGES)

    def _prices(self, most: float) -> dict[int, float]:
        """Return the price of a key for each Limit up to `most`.

        A stretch has the rate of the later half of the places before it, as if one page more had shown that.
        """
        prices: dict[int, float] = {}
        # Rate 1.0: until pages show otherwise every item is a key, so that longer pages are tried.
        keys, rate, pages = 0.0, 1.0, sum(self.reached)
        for stretch, (begin, end) in enumerate(pairwise(EDGES)):
            width = end - begin
            # Not of stretch 0: a page begins at a new collection, so its first item is always a key.
            if 0 < stretch < len(self.keys):
                pages -= self.reached[stretch - 1]
                met = (self.keys[stretch] + rate * width) / (pages + 1)
                # The later half has end / 2 places, `width` of them in this stretch: the rate moves by that share.
                rate += (met / width - rate) * min(1.0, 2 * width / end)
            else:
                met = rate * width
            keys += met
            # At least the price of Limit=1: `most` is 0 for a sample without items.
            if end > most and prices:
                break
            prices[end] = (self._steps(end) * self.step_units + self.request_units) / keys
        return prices

    def _plan(self) -> None:
        """Choose the cheapest Limit, at most twice the longest page so far, and what to try once in this epoch."""
        # Before the first page, what fits into one step; at least 2, so that there is a longer page to try.
        most = max(2, 2 * self.farthest or self.affordable(self.step_units))
        # No page has more items: it ends at 1 MB, and the item that exceeds this may count (`PAGE_STEPS`).
        prices = self._prices(min(most, PAGE_STEPS / self.item + 1))
        self.best = _longest(prices)
        # The default has unequal numbers: a length without pages must not pass for pages of one step.
        pages, steps = self.own.get(self.farthest, (0.0, 1.0))
        base = self.farthest if pages == steps else self.best  # pages of one step double
        longer = next((limit for limit in prices if limit >= 2 * base), None)
        if longer and (self._steps(longer) - self._steps(self.best)) * self.step_units <= self._room():
            self.trial = longer
        # The cost is 0 before the first page, so that page ends the first epoch.
        self.plan_at, self.plan_in = self.cost * EPOCH, EPOCH_PAGES

    def _fade(self) -> None:
        """Count all that was seen a part less; three digits are enough, and keep the state short."""
        self.reached, self.keys = _faded(self.reached), _faded(self.keys)
        self.own = {limit: _faded(counts) for limit, counts in self.own.items() if counts[0] > EPOCH * PRIOR}
        self.item_steps, self.items = self.item_steps / EPOCH, self.items / EPOCH
        self.misfits, self.pages = self.misfits / EPOCH, self.pages / EPOCH

    def to_json(self, *_: object) -> dict[str, Any]:
        """Return what the policy has learnt: some two kilobytes for tables of any size."""
        return {**vars(self), "own": [[limit, *counts] for limit, counts in self.own.items()]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any], *_: object) -> Self:
        # New lists: a batch copies a policy by `from_json(to_json())`, and the original must not change.
        lists = {name: list(document[name]) for name in ("reached", "keys", "first")}
        return cls(**{**document, **lists, "own": {limit: counts for limit, *counts in document["own"]}})


def _longest(prices: Mapping[int, float]) -> int:
    """Return the largest of the Limits with about the lowest price."""
    low = TIE * min(prices.values())
    return max(limit for limit in prices if prices[limit] <= low)


def _faded(counts: Sequence[float]) -> list[float]:
    return [round(count / EPOCH, 3) for count in counts]
