"""Estimate the cost of a page of so many items, from the steps of 4 KB that DynamoDB billed for the pages so far.

DynamoDB adds up the sizes of a page's items and rounds up to 4 KB (developer guide, "Read consistency and capacity").
A page shows its steps, not the sizes of its items. So this module assumes a gamma distribution of sizes, because sums
of gamma distributed sizes are gamma distributed too. It chooses the mean and the spread that make the steps seen most
likely.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import ceil, erf, exp, log, sqrt
from typing import Self

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.scan.limit import UNKNOWN_BYTES

EXACT_ITEMS, EXACT_STEPS = 128, 32
"""Pages of fewer than `EXACT_STEPS` steps are counted by items and steps. Longer pages determine their mean well, so
only the mean counts. Above `EXACT_ITEMS` items their number is rounded, so that few lengths are kept."""

GRID = log(1.05)

DOUBLING = 0.07
"""How much the ratio of the steps seen to those of the model changes from pages of some length to those twice as long,
as a standard deviation. The model assumes equally distributed item sizes. If the first items of collections are larger
than others, long pages cost less than it expects."""

OWN, OWN_STEPS = 0.15, 0.8
"""How much the mean steps of one Limit differ from the model's, as a standard deviation: in units of those, and at most
this many steps. Most of the difference comes from rounding to whole steps, which does not grow with the page's length.
Without that bound a few lucky pages would make one of twenty long Limits look cheapest."""

OUTLIER = 6.0
"""A page counts for at most this many times its expected steps. All items share what it takes more, because a rare
large item can be on any page. Otherwise the few pages of a Limit that met one would decide against that Limit."""

HIDDEN = 2.0
"""If DescribeTable's average item is this many times larger than the items seen, large items lie where no page has
been."""

HIDDEN_ITEMS, HALF_ITEMS = 30.0, 300.0
"""The weight of DescribeTable's average item then, in items seen, and after how many items it is half of that. It is
small, because the large items can also lie where pages seldom come, in the rest of long collections."""

ROUNDING = 1 / 12
"""The variance of a page's steps that is due to the rounding to whole steps."""


@dataclass
class ItemSize:
    """The distribution of item sizes. `spread`: the standard deviation, divided by the mean.

    `said_bytes`: DescribeTable's average. `pages`: by items and steps, the number of pages. `large`: by items, the
    items, the steps and the number of pages of more steps. `excess`: the steps above `OUTLIER`. `rare_bytes`: what they
    add to the average item. `is_fitted`: pages have shown the sizes, so that a page can be an outlier.
    """

    mean_bytes: float = UNKNOWN_BYTES
    spread: float = 0.4
    said_bytes: float = 0.0
    pages: dict[int, dict[int, float]] = field(default_factory=dict)
    large: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    excess: int = 0
    rare_bytes: float = 0.0
    is_fitted: bool = False
    _ratios: Sequence[float] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._ratios = self._compared()

    @property
    def average_bytes(self) -> float:
        """The average item, with rare large ones."""
        return self.mean_bytes + self.rare_bytes

    @classmethod
    def expecting(cls, item_bytes: float) -> Self:
        """Return the distribution before the first page. `item_bytes`: DescribeTable's average, or 0 if it has none."""
        return cls(mean_bytes=item_bytes or UNKNOWN_BYTES, said_bytes=item_bytes)

    def observe(self, evaluated: int, steps: int) -> None:
        """Learn from a page: the number of `evaluated` items, and the `steps` of 4 KB that were billed."""
        if self.is_fitted:
            most = ceil(OUTLIER * _expected_steps(evaluated, self.mean_bytes, self.spread))
            self.excess += max(0, steps - most)
            steps = min(steps, most)
        rounded = _rounded(evaluated)
        if steps < EXACT_STEPS:
            counts = self.pages.setdefault(rounded, {})
            counts[steps] = counts.get(steps, 0.0) + 1
        else:
            items, taken, pages = self.large.get(rounded, (0, 0, 0))
            self.large[rounded] = items + evaluated, taken + steps, pages + 1

    def steps(self, limit: int) -> float:
        """Return the expected number of 4 KB steps of a page with `limit` items."""
        ratio = self._ratios[min(limit.bit_length(), len(self._ratios)) - 1]
        modelled = _expected_steps(limit, self.mean_bytes, self.spread) * ratio
        rare = limit * self.rare_bytes / STEP_BYTES
        pages, steps = self.seen(limit)
        if not pages:
            return modelled + rare
        weight = self._variance(limit) / min(OWN * modelled, OWN_STEPS) ** 2
        return (steps + weight * modelled) / (pages + weight) + rare

    def seen(self, limit: int) -> tuple[float, float]:
        """Return the number of pages with `limit` items, and the sum of their steps."""
        counts = self.pages.get(limit, {})
        _, steps, pages = self.large.get(limit, (0, 0, 0))
        return pages + sum(counts.values()), steps + sum(n * of_pages for n, of_pages in counts.items())

    def _variance(self, items: float) -> float:
        """Return the variance of the steps of a page."""
        return items * (self.spread * self.mean_bytes / STEP_BYTES) ** 2 + ROUNDING

    def fit(self) -> None:
        """Set the most likely mean and spread, by hill climbing from the best of a few starting points."""
        starts = [(log(mean), spread) for mean in self._guesses() for spread in (0.1, 0.4, 1.2)]
        starts.append((log(self.mean_bytes), self.spread))
        best, at = max((self._likelihood(*start), start) for start in starts)
        for stride in (0.3, 0.1, 0.03):
            ratio = 1 + 2 * stride
            for _ in range(12):
                mean, spread = at
                around = [
                    (mean + stride, spread),
                    (mean - stride, spread),
                    (mean, min(spread * ratio, 3.0)),
                    (mean, max(spread / ratio, 0.03)),
                ]
                better, there = max((self._likelihood(*place), place) for place in around)
                if better <= best + 1e-9:
                    break
                best, at = better, there
        self.mean_bytes, self.spread = exp(at[0]), at[1]
        self.is_fitted = bool(self.pages or self.large)
        self.rare_bytes = self._rare()
        self._ratios = self._compared()

    def _rare(self) -> float:
        """Return what rare large items add to the average item."""
        hidden = self.said_bytes - self.mean_bytes if self.said_bytes > HIDDEN * self.mean_bytes else 0.0
        items = self._large()[0] + sum(n * pages for n, _, pages in self._remembered())
        weight = HIDDEN_ITEMS / (1 + items / HALF_ITEMS) if hidden else 0.0
        return (STEP_BYTES * self.excess + weight * hidden) / (items + weight) if items else 0.0

    def _compared(self) -> Sequence[float]:
        """Return the ratio of steps seen to steps expected for pages of 1 item, 2 to 3, 4 to 7 items and so on."""
        seen: dict[int, tuple[float, float, float]] = {}
        # Those of many steps too: without the expensive pages of a length, it would look cheap.
        large = ((n, steps / pages, pages) for n, (_, steps, pages) in self.large.items())
        for items, steps, pages in chain(self._remembered(), large):
            expected = _expected_steps(items, self.mean_bytes, self.spread)
            if expected <= EXACT_STEPS / 2:
                taken, due, variance = seen.get(items.bit_length(), (0.0, 0.0, 0.0))
                variance += pages * self._variance(items)
                seen[items.bit_length()] = taken + pages * steps, due + pages * expected, variance
        ratio, ratios = 1.0, []
        for length in range(1, max(seen, default=1) + 1):
            taken, due, variance = seen.get(length, (0.0, 0.0, 1.0))
            weight = variance / max(due, 1.0) / DOUBLING**2
            ratio = (taken + weight * ratio) / (due + weight)
            ratios.append(ratio)
        return ratios

    def _guesses(self) -> Iterator[float]:
        """Return rough estimates of the mean size, as starting points."""
        if self.pages:  # what would just fit into the fullest page
            yield 0.8 * min(STEP_BYTES * steps / evaluated for evaluated, steps, _ in self._remembered())
        # Pages of several steps, whose last one is half full on average.
        items, steps, pages_of_many = self._large()
        steps -= 0.5 * pages_of_many
        for evaluated, taken, pages in self._remembered():
            if taken > 1:
                items += evaluated * pages
                steps += (taken - 0.5) * pages
        if items:
            yield STEP_BYTES * steps / items

    def _likelihood(self, log_mean: float, spread: float) -> float:
        """Return the logarithm of the likelihood of all steps seen. Weak priors bound the mean and the spread."""
        mean = exp(log_mean)
        believed, certainty = (self.said_bytes, 0.6) if self.said_bytes else (UNKNOWN_BYTES, 1.2)
        sum_ = -0.5 * ((log_mean - log(believed)) / certainty) ** 2 - 0.5 * log(spread / 0.5) ** 2
        for evaluated, counts in self.pages.items():
            fit_into = _chance_to_fit(evaluated, mean, spread)
            for taken, pages in counts.items():
                sum_ += pages * log(max(fit_into(taken) - fit_into(taken - 1), 1e-6))
        if self.large:
            items, steps, pages = self._large()
            measured = STEP_BYTES * (steps - 0.5 * pages) / items
            rounding = STEP_BYTES * sqrt(pages / 12) / items
            error = max(rounding, spread * mean / sqrt(items), 0.001 * measured)
            sum_ -= 0.5 * ((mean - measured) / error) ** 2 + log(error)
        return sum_

    def _large(self) -> tuple[float, float, float]:
        """Return the items, the steps and the number of all pages of many steps."""
        items, steps, pages = (sum(each) for each in zip((0, 0, 0), *self.large.values(), strict=True))
        return items, steps, pages

    def _remembered(self) -> Iterator[tuple[int, int, float]]:
        return ((n, steps, pages) for n, counts in self.pages.items() for steps, pages in counts.items())


def _rounded(items: int) -> int:
    """Return the number itself up to `EXACT_ITEMS`, above it the nearest of a geometric sequence."""
    return items if items <= EXACT_ITEMS else round(exp(round(log(items) / GRID) * GRID))


def _chance_to_fit(items: int, mean_bytes: float, spread: float) -> Callable[[int], float]:
    """Return a function of steps: the chance that `items` fit into them.

    By Wilson and Hilferty's form of the gamma distribution.
    """
    shape = items / (spread * spread)
    scale, shift, slope = (STEP_BYTES / (items * mean_bytes)) ** (1 / 3), 1 / (9 * shape) - 1, 3 * sqrt(shape / 2)

    def fit_into(steps: int) -> float:
        return 0.5 * (1 + erf((scale * steps ** (1 / 3) + shift) * slope)) if steps > 0 else 0.0

    return fit_into


@lru_cache(1024)
def _expected_steps(items: int, mean_bytes: float, spread: float) -> float:
    """Return the mean of the steps: the sum of the chances that a page needs more than 0, 1, 2, … of them."""
    bytes_ = items * mean_bytes
    deviation = sqrt(items) * spread * mean_bytes
    if deviation > 2 * STEP_BYTES:  # so wide that only the average of the rounding is left of it
        return max(1.0, bytes_ / STEP_BYTES + 0.5)
    low = int(max(0.0, bytes_ - 4 * deviation) // STEP_BYTES)
    high = int((bytes_ + 5 * deviation) // STEP_BYTES) + 1
    fit_into = _chance_to_fit(items, mean_bytes, spread)
    return low + sum(1 - fit_into(steps) for steps in range(low, high + 1))
