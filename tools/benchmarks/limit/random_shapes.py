"""Random tables, different ones in each run. They show whether the policy only fits the named ones."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from benchmarks.limit.more_shapes import (
    MOST_BYTES,
    by_collection,
    geometric,
    log_normal,
    mixed,
    normal,
    one_giant,
    pareto,
    placed,
    same,
    uniform,
)
from benchmarks.limit.shapes import Draw, Shape, independent
from benchmarks.limit.table import Integers

RANDOM = "random"
MOST_MEAN_ITEMS = 1000


def random_shapes(draw: int, count: int) -> Sequence[Shape]:
    """Return so many shapes. The same `draw` returns the same shapes."""
    return [_shape(draw, number) for number in range(count)]


def _shape(draw: int, number: int) -> Shape:
    chance = np.random.default_rng([draw, number, 77])
    lengths, told_lengths = _lengths(chance)
    sizes, told_sizes = _sizes(chance)
    name = f"random {draw}.{number}: {told_lengths} x {told_sizes}"
    kind = chance.random()
    if kind < 0.15:  # the first items of a collection have sizes of their own
        places = [round(_between(chance, 40, 100_000)) for _ in range(2)] + [round(_between(chance, 40, 3000))]
        told_places = ", ".join(f"{each:,} B" for each in places)
        drawn = placed(lengths, *places)
        return Shape(f"random {draw}.{number}: {told_lengths} x {told_places} by place", RANDOM, 10_000 + number, drawn)
    if kind < 0.3:  # all items of a collection have one size
        drawn = by_collection(lengths, lambda inner, each: sizes(inner, len(each)))
        return Shape(name + " by collection", RANDOM, 10_000 + number, drawn)

    def table(inner: Generator, count: int) -> tuple[Integers, Integers]:
        return independent(lengths, sizes, inner, count)

    return Shape(name, RANDOM, 10_000 + number, table)


def _between(chance: Generator, least: float, most: float) -> float:
    """Return a random number, log-uniform between the two."""
    return float(np.exp(chance.uniform(np.log(least), np.log(most))))


def _lengths(chance: Generator) -> tuple[Draw, str]:
    mean = _between(chance, 1, 300)
    match chance.integers(9):
        case 0:
            return same(round(mean)), f"all {mean:.0f}"
        case 1:
            return geometric(max(mean, 1.05)), f"geometric {mean:.1f}"
        case 2:
            least = max(1, round(mean * chance.random()))
            return uniform(least, max(least, round(2 * mean - least))), f"uniform from {least}, mean {mean:.0f}"
        case 3:
            return normal(mean, mean / 10), f"normal {mean:.0f}, a tenth of it"
        case _:
            return _skewed_lengths(chance, mean)


def _skewed_lengths(chance: Generator, mean: float) -> tuple[Draw, str]:
    match chance.integers(5):
        case 0:
            sigma = chance.uniform(0.3, 1.6)
            return log_normal(mean, sigma, 5000), f"log-normal {mean:.1f}, sigma {sigma:.1f}"
        case 1:
            exponent = chance.uniform(0.8, 2.5)
            return pareto(1, exponent, 5000), f"Pareto {exponent:.1f}"
        case 2:
            giant = round(_between(chance, 2000, 500_000))
            return one_giant(giant), f"one of {giant:,} among singles"
        case 3:
            part, long = chance.uniform(0.1, 0.9), _between(chance, 5, 300)
            return mixed(part, geometric(long), same(1)), f"{part:.0%} geometric {long:.0f}, others singles"
        case _:
            part, giant = _between(chance, 0.002, 0.3), round(_between(chance, 20, 5000))
            giant = min(giant, round(MOST_MEAN_ITEMS / part))
            short = min(mean, 20.0)
            return mixed(part, same(giant), geometric(max(short, 1.05))), f"{part:.1%} of {giant}, others {short:.1f}"


def _sizes(chance: Generator) -> tuple[Draw, str]:
    mean = round(_between(chance, 40, 20_000))
    match chance.integers(5):
        case 0:
            return same(mean), f"{mean} B"
        case 1:
            return uniform(mean // 2, mean * 3 // 2), f"{mean // 2} to {mean * 3 // 2} B"
        case 2:
            sigma = chance.uniform(0.3, 1.6)
            return log_normal(mean, sigma), f"log-normal {mean} B, sigma {sigma:.1f}"
        case 3:
            exponent = chance.uniform(1.1, 3)
            return pareto(mean / 2, exponent, MOST_BYTES), f"Pareto {mean // 2} B, {exponent:.1f}"
        case _:
            part, large = _between(chance, 0.003, 0.5), round(_between(chance, 1000, MOST_BYTES))
            small = min(mean, 1000)
            return mixed(part, same(large), same(small)), f"{part:.1%} of {large} B, others {small} B"
