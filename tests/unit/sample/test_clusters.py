"""Each statistic of clusters holds the truth as often as it says, over tables of twenty shapes."""

from collections import defaultdict
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from skipscan.sample.clusters import (
    Bin,
    SampledWalk,
    fullest,
    held,
    keys_in_all,
    largest_share,
    quantile,
    ratio,
    share,
    total,
)
from skipscan.sample.interval import Interval
from tests.house.suite.examples import ALL
from tests.unit.sample.hashed_table import Numbers

SEEDS = 300 if ALL else 20
KEYS, SEGMENTS, SAMPLED = 3_000, 200, 40
PART = SAMPLED / SEGMENTS
HELD = 0.93


LENGTHS: list[Callable[[np.random.Generator], Numbers]] = [
    lambda _: np.ones(KEYS),
    lambda chance: chance.geometric(0.3, KEYS).astype(float),
    lambda chance: chance.geometric(0.02, KEYS).astype(float),
    lambda chance: np.ceil(chance.lognormal(2, 1, KEYS)),
    lambda chance: chance.integers(5, 15, KEYS).astype(float),
]


def bins(counts: Numbers) -> list[Bin]:
    """Return the number of collections of each class of lengths, and their items, the longest first."""
    return [(int(count), float(count * 2 ** (place / 4))) for place, count in enumerate(counts)][::-1]


def longest(counts: Numbers, part: float) -> Interval:
    """Return the class in which so much of the sampled collections ends, with those at the ends of its interval."""
    here, low, high = quantile(part, counts[:SAMPLED].tolist(), lambda above, below: share(above, below, PART))
    return Interval(here, -1 if low is None else low, 64 if high is None else high)


@pytest.mark.slow
def test_every_statistic_of_clusters_holds_the_truth() -> None:
    inside: dict[str, list[bool]] = defaultdict(list)
    for shape, seed in product(range(20), range(SEEDS)):
        chance = np.random.default_rng([shape, seed])
        items, place = LENGTHS[shape % 5](chance), chance.integers(SEGMENTS, size=KEYS)
        having = items * (chance.random(KEYS) < (0.02, 0.1, 0.5, 0.9)[shape // 5])  # as a property of collections
        each = np.array([np.bincount(place, one, SEGMENTS)[:SAMPLED] for one in (np.ones(KEYS), items, having)])
        keys, of_all, of_having = each.tolist()
        walks = [SampledWalk(SEGMENTS, number, int(found), ended=True) for number, found in enumerate(keys)]
        classes = np.zeros((SEGMENTS, 64))
        np.add.at(classes, (place, np.floor(4 * np.log2(items)).astype(int)), 1)
        met, used = classes[:SAMPLED].sum(axis=0), classes.any(axis=0)
        without = [bins((met - one) * used) for one in classes[:SAMPLED]]
        tenths = [of_all[number::10] for number in range(10)]
        whole_tenths = [np.bincount(place, items, SEGMENTS)[number::10].sum() for number in range(10)]
        ends = np.cumsum(classes.sum(axis=0)) / KEYS
        for name, found, truth in (
            ("median", longest(classes, 0.5), np.searchsorted(ends, 0.5 - 1e-9)),
            ("ninth tenth", longest(classes, 0.9), np.searchsorted(ends, 0.9 - 1e-9)),
            ("the fullest tenth", fullest(tenths, PART), max(whole_tenths) / items.sum()),
            ("keys", keys_in_all(walks), KEYS),
            ("total", total(of_all, SEGMENTS), items.sum()),
            ("ratio", ratio(of_all, keys, PART), items.mean()),
            ("share", share(of_having, of_all, PART), having.sum() / items.sum()),
            ("the longest tenth", largest_share(0.1, bins(met), without, PART), held(bins(classes.sum(axis=0)), 0.1)),
        ):
            inside[name].append(bool(found.low - 1e-9 <= truth <= found.high + 1e-9))
    assert {name: np.mean(each) for name, each in inside.items() if np.mean(each) < HELD} == {}
