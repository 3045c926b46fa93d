"""The most likely sizes of items after pages were seen, and the steps of a page, beside slow definitions of both."""

from collections.abc import Sequence
from itertools import product
from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from skipscan.listing.estimate.item_size import ItemSize

Seen = Sequence[tuple[int, int, int]]
"""Items of a page, its steps, and how many such pages were seen."""


def chance(steps: int, items: int, mean: float, spread: float) -> float:
    """Return the chance that the items fit into the steps: the cube root of a gamma variable is nearly normal."""
    variance = spread**2 / (9 * items)
    root = (4096 * steps / (items * mean)) ** (1 / 3)
    return NormalDist(1 - variance, sqrt(variance)).cdf(root) if steps else 0.0


@pytest.mark.parametrize("spread", [0.05, 0.4, 1.0, 2.0])
@pytest.mark.parametrize(("item_bytes", "items"), [(100, 7), (1000, 4), (1000, 5), (1300, 30), (4096, 1), (9000, 3)])
def test_the_steps_of_a_page_are_those_of_the_definition(item_bytes: float, items: int, spread: float) -> None:
    """Each step is needed with the chance that the items do not fit into those before it."""
    defined = sum(1 - chance(steps, items, item_bytes, spread) for steps in range(400))
    if sqrt(items) * spread * item_bytes > 2 * 4096:
        defined = items * item_bytes / 4096 + 0.5
    assert ItemSize(item_bytes, spread).steps(items) == pytest.approx(defined, abs=1e-3 if spread <= 1 else 0.02)


def test_a_wide_spread_leaves_half_a_step_even_of_one_item() -> None:
    assert ItemSize(3000, 3.0).steps(1) == pytest.approx(3000 / 4096 + 0.5)


def likelihood(seen: Seen, said_bytes: float, mean: float, spread: float) -> float:
    """Return how likely pages are, by the definition. Far from what is said, or from a spread of 0.5, is unlikely."""
    believed, certainty = (said_bytes, 0.6) if said_bytes else (400, 1.2)
    sum_ = -0.5 * (log(mean / believed) / certainty) ** 2 - 0.5 * log(spread / 0.5) ** 2
    for items, steps, pages in seen:
        if steps < 32:
            fits = chance(steps, items, mean, spread) - chance(steps - 1, items, mean, spread)
            sum_ += pages * log(max(fits, 1e-6))
    large = [page for page in seen if page[1] >= 32]
    if large:
        count = sum(pages for _, _, pages in large)
        all_items = sum(items * pages for items, _, pages in large)
        all_steps = sum(steps * pages for _, steps, pages in large)
        measured = 4096 * (all_steps - 0.5 * count) / all_items
        error = max(4096 * sqrt(count / 12) / all_items, spread * mean / sqrt(all_items), 0.001 * measured)
        sum_ += log(NormalDist(measured, error).pdf(mean)) if abs(mean - measured) < 30 * error else -inf
    return sum_


def most_likely(seen: Seen, said_bytes: float) -> tuple[float, float, float]:
    """Return the highest likelihood with its mean and spread, by trying all on ever finer grids."""
    means, spreads = (log(8), log(300_000)), (log(0.03), log(3.0))
    best = (-inf, 0.0, 0.0)
    for _ in range(4):
        grid = product(*(np.linspace(*ends, 33) for ends in (means, spreads)))
        best = max(best, *((likelihood(seen, said_bytes, exp(m), exp(s)), m, s) for m, s in grid))
        means, spreads = (
            (max(ends[0], at - width), min(ends[1], at + width))
            for ends, at in zip((means, spreads), best[1:], strict=True)
            for width in [(ends[1] - ends[0]) / 10]
        )
    return best[0], exp(best[1]), exp(best[2])


@pytest.mark.parametrize("said_bytes", [0, 150, 3000])
@pytest.mark.parametrize(
    "seen",
    [
        [],
        [(1, 1, 1)],
        [(3, 2, 1)],
        [(5, 2, 2), (4, 1, 3), (9, 3, 1)],
        [(40, 3, 5), (40, 4, 5), (20, 2, 9)],
        [(1, 1, 30), (1, 2, 4), (1, 3, 2), (1, 5, 1)],
        [(60, 25, 2), (60, 31, 1)],
        [(500, 60, 1)],
        [(500, 60, 3), (500, 75, 1), (4, 1, 9), (8, 1, 4), (8, 2, 2)],
        [(12, 40, 2), (1, 3, 3), (1, 4, 2)],
    ],
    ids=str,
)
def test_the_mean_and_the_spread_are_the_most_likely(seen: Seen, said_bytes: float) -> None:
    size = ItemSize.expecting(said_bytes)
    for items, steps, pages in seen:
        for _ in range(pages):
            size.observe(items, steps)
    size.fit()
    found = likelihood(seen, said_bytes, size.mean_bytes, size.spread)
    highest, *_ = most_likely(seen, said_bytes)
    assert found > highest - 0.1
    nearby = [(1.031, 1.0), (0.97, 1.0), (1.0, 1.061), (1.0, 1 / 1.061)]
    assert all(
        likelihood(seen, said_bytes, mean * size.mean_bytes, spread * size.spread) <= found for mean, spread in nearby
    )


def test_the_spread_stays_between_a_thirtieth_and_three() -> None:
    even = ItemSize()
    for items in range(1, 41):
        for _ in range(50):
            even.observe(items, -(-items * 700 // 4096))
    even.fit()
    assert (even.mean_bytes, even.spread) == pytest.approx((700, 0.03), rel=0.01)
    uneven = ItemSize(2500, 2.5)
    for items, steps, pages in ((1, 1, 30), (1, 9, 2), (2, 1, 20), (2, 10, 3)):
        for _ in range(pages):
            uneven.observe(items, steps)
    uneven.fit()
    assert uneven.spread == 3.0
