"""Further named shapes: what the 28 leave out, and every shape on which the policy was once bad."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.random import Generator

from benchmarks.limit.shapes import LENGTHS, SIZES, Draw, DrawTable, Shape, independent
from benchmarks.limit.table import Integers

NAMED = "named"
MOST_BYTES = 400 * 1024


def same(number: int) -> Draw:
    """Return equal numbers."""
    return lambda _, count: np.full(count, number)


def mixed(part: float, first: Draw, second: Draw) -> Draw:
    """Return a part of the first, and the others of the second."""
    return lambda chance, count: np.where(chance.random(count) < part, first(chance, count), second(chance, count))


def uniform(least: int, most: int) -> Draw:
    return lambda chance, count: chance.integers(least, most + 1, count)


def geometric(mean: float) -> Draw:
    return lambda chance, count: chance.geometric(1 / mean, count)


def log_normal(median: float, sigma: float, most: int = MOST_BYTES) -> Draw:
    return lambda chance, count: np.clip(chance.lognormal(np.log(median), sigma, count).round(), 1, most).astype(
        np.int64
    )


def pareto(least: float, exponent: float, most: int) -> Draw:
    return lambda chance, count: np.minimum(least * (1 + chance.pareto(exponent, count)), most).astype(np.int64)


def by_collection(lengths: Draw, sizes: Callable[[Generator, Integers], Integers]) -> DrawTable:
    """Return tables in which the length of a collection decides the size of all its items."""

    def draw(chance: Generator, count: int) -> tuple[Integers, Integers]:
        drawn = lengths(chance, count)
        return drawn, np.repeat(sizes(chance, drawn), drawn)

    return draw


def placed(lengths: Draw, *sizes: int) -> DrawTable:
    """Return tables in which the place of an item in its collection decides its size; the last size repeats."""

    def draw(chance: Generator, count: int) -> tuple[Integers, Integers]:
        drawn = lengths(chance, count)
        places = np.arange(int(drawn.sum())) - np.repeat(np.cumsum(drawn) - drawn, drawn)
        return drawn, np.asarray(sizes)[np.minimum(places, len(sizes) - 1)]

    return draw


def one_giant(items: int) -> Draw:
    """Return a single giant among collections of one item."""

    def draw(chance: Generator, count: int) -> Integers:
        lengths = np.ones(count, dtype=np.int64)
        lengths[chance.integers(count)] = items
        return lengths

    return draw


def normal(mean: float, deviation: float) -> Draw:
    return lambda chance, count: np.maximum(1, chance.normal(mean, deviation, count).round()).astype(np.int64)


def _pairs() -> dict[str, tuple[Draw, Draw]]:
    """Return lengths and sizes that do not depend on each other."""
    rare_large = mixed(0.01, same(300 * 1024), same(64))
    events = mixed(0.9, log_normal(200, 0.9, 20_000), log_normal(4000, 0.8, 20_000))
    return {
        # Collections of equal length about a step, or a few.
        "all 28 x 150 B": (same(28), same(150)),
        "all 27 x 150 B": (same(27), same(150)),
        "all 24 x 170 B": (same(24), same(170)),
        "all 30 x 140 B": (same(30), same(140)),
        "all 14 x 300 B": (same(14), same(300)),
        "all 9 x 460 B": (same(9), same(460)),
        "all 5 x 820 B": (same(5), same(820)),
        "all 55 x 150 B": (same(55), same(150)),
        "all 2 x 150 B": (same(2), same(150)),
        "all 2 x 2100 B": (same(2), same(2100)),
        "all 3 x 500±100 B": (same(3), SIZES["500±100 B"]),
        "all 8 x 150 B": (same(8), same(150)),
        "all 40 x 60 B": (same(40), same(60)),
        "all 100 x 60 B": (same(100), same(60)),
        "all 100 x 40 B": (same(100), same(40)),
        "all 200 x log-normal 665 B": (same(200), SIZES["log-normal 665 B"]),
        # Tiny items, and those about a step.
        "all 1 x 40 B": (same(1), same(40)),
        "all 1 x 4200 B": (same(1), same(4200)),
        "all 1 x 100 KB": (same(1), same(100 * 1024)),
        "all 4 x 4096 B": (same(4), same(4096)),
        "geometric 3 x 60 B": (geometric(3), same(60)),
        "geometric 8 x 60 B": (geometric(8), same(60)),
        "geometric 20 x 60 B": (geometric(20), same(60)),
        "geometric 100 x 60 B": (geometric(100), same(60)),
        "geometric 5 x 1000 B": (geometric(5), same(1000)),
        "geometric 1.2 x 2500 B": (geometric(1.2), same(2500)),
        "1 to 50 x 100 B": (uniform(1, 50), same(100)),
        "20 to 36 x 150 B": (uniform(20, 36), same(150)),
        # Skewed lengths.
        "1 or 1000 x 150 B": (mixed(0.5, same(1), same(1000)), same(150)),
        "10 % of 1000 x 150 B": (mixed(0.1, same(1000), geometric(2)), same(150)),
        "0.1 % of 20,000 x 150 B": (mixed(0.001, same(20_000), geometric(4)), same(150)),
        "1 % giants x 60 B": (LENGTHS["1 % giants"], same(60)),
        "Pareto 0.8 x 100 B": (pareto(1, 0.8, 5000), same(100)),
        "Pareto 2 x 200 B": (pareto(1, 2.0, 5000), same(200)),
        "log-normal 200 x events": (log_normal(120, 1.2, 3000), events),
        # Skewed sizes.
        "geometric 3 x 1 % of 300 KB": (geometric(3), rare_large),
        "geometric 20 x 1 % of 300 KB": (geometric(20), rare_large),
        "all 200 x 1 % of 300 KB": (same(200), rare_large),
        "all 1 x 1 % of 300 KB": (same(1), rare_large),
        "geometric 10 x 10 % of 20 KB": (geometric(10), mixed(0.1, same(20_000), same(150))),
        "geometric 10 x half 3 KB": (geometric(10), mixed(0.5, same(3000), same(100))),
        "geometric 10 x Pareto 1.2": (geometric(10), pareto(150, 1.2, MOST_BYTES)),
        "all 50 x log-normal 200 B, sigma 2": (same(50), log_normal(200, 2.0)),
    }


def _hard_pairs() -> dict[str, tuple[Draw, Draw]]:
    """Return shapes on which the policy was far from the best, drawn by others."""
    return {
        "one of 2,000,000 among singles x 64 B": (one_giant(2_000_000), same(64)),
        "one of 500,000 among singles x 100 B": (one_giant(500_000), same(100)),
        "1 in 500 of 10,000, geometric 1.1 x 40 B": (mixed(0.002, same(10_000), geometric(1.1)), same(40)),
        "0.1 % of 20,000 among singles x 100 B": (mixed(0.001, same(20_000), same(1)), same(100)),
        "1 to 3 x 4096 B": (uniform(1, 3), same(4096)),
        "100±10 x 41 B": (normal(100, 10), same(41)),
    }


def _correlated() -> dict[str, DrawTable]:
    """Return lengths and sizes that depend on each other, and collections with a different first item."""

    def larger(chance: Generator, lengths: Integers) -> Integers:
        return np.where(lengths > 20, 5000, chance.integers(80, 200, len(lengths)))

    def smaller(chance: Generator, lengths: Integers) -> Integers:
        return np.where(lengths > 20, 80, chance.integers(1500, 4000, len(lengths)))

    def own(chance: Generator, lengths: Integers) -> Integers:
        return log_normal(400, 1.2)(chance, len(lengths))

    few_long = mixed(0.05, same(400), geometric(3))
    return {
        "long ones of 5 KB among short small ones": by_collection(few_long, larger),
        "log-normal, long ones of 5 KB": by_collection(LENGTHS["log-normal"], larger),
        "long ones of 80 B among short large ones": by_collection(few_long, smaller),
        "geometric 10, a size of their own": by_collection(geometric(10), own),
        "Pareto 1.1, a size of their own": by_collection(LENGTHS["Pareto 1.1"], own),
        "all 50, a size of their own": by_collection(same(50), own),
        "geometric 10, first 3 KB, then 100 B": placed(geometric(10), 3000, 100),
        "geometric 10, first 100 B, then 3 KB": placed(geometric(10), 100, 3000),
        "all 20, first 6 KB, then 150 B": placed(same(20), 6000, 150),
    }


def _draws() -> dict[str, DrawTable]:
    named = {name: partial(independent, *pair) for name, pair in _pairs().items()} | _correlated()
    named |= {name: partial(independent, *pair) for name, pair in _hard_pairs().items()}
    return named | {"geometric 5, first 40 B, second 200 KB, then 60 B": placed(geometric(5), 40, 200 * 1024, 60)}


MORE_SHAPES = [Shape(name, NAMED, 1000 + number, draw) for number, (name, draw) in enumerate(_draws().items())]
