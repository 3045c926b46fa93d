"""Tables whose shape changes along the hash space: it drifts, alternates, or changes half-way.

Hashing deals collections at random, so no table should be like this. A policy must nevertheless not lose much on one:
in a table that is written to during a run, what is read late is not what was read early.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.limit.more_shapes import geometric, log_normal, mixed, same
from benchmarks.limit.shapes import DrawTable, Shape, independent
from benchmarks.limit.table import Integers

CHANGING = "changing"
BLOCKS = 8

Pair = tuple[DrawTable, DrawTable]
Booleans = NDArray[np.bool_]


def changing(first: DrawTable, second: DrawTable, is_first: Callable[[Generator, int], Booleans]) -> DrawTable:
    """Return tables of two shapes. `is_first` says for each collection whether it is of the first."""

    def draw(chance: Generator, count: int) -> tuple[Integers, Integers]:
        places = is_first(chance, count)
        drawn = [_each(*shape(chance, count)) for shape in (first, second)]
        lengths = np.where(places, *(lengths for lengths, _ in drawn))
        sizes = [drawn[0 if place else 1][1][number] for number, place in enumerate(places)]
        return lengths, np.concatenate(sizes)

    return draw


def _each(lengths: Integers, sizes: Integers) -> tuple[Integers, Sequence[Integers]]:
    """Return the lengths, and the sizes of each collection apart."""
    return lengths, np.split(sizes, np.cumsum(lengths)[:-1])


def halves(_: Generator, count: int) -> Booleans:
    return np.arange(count) < count // 2


def blocks(_: Generator, count: int) -> Booleans:
    return (np.arange(count) * BLOCKS // count % 2) == 0  # type: ignore[no-any-return]


def drift(chance: Generator, count: int) -> Booleans:
    """Return the first shape less and less often."""
    return chance.random(count) > np.arange(count) / count


WAYS = {"halves": halves, "blocks": blocks, "drift": drift}


def _pairs() -> dict[str, Pair]:
    singles = partial(independent, same(1), same(150))
    longer = partial(independent, same(30), same(3000))
    geometric_three = partial(independent, geometric(3), same(500))
    giants = partial(independent, mixed(0.01, same(2000), geometric(2)), same(100))
    uneven = partial(independent, geometric(20), log_normal(400, 1.0))
    large = partial(independent, geometric(1.5), same(6000))
    return {
        "singles of 150 B, then 30 x 3 KB": (singles, longer),
        "30 x 3 KB, then singles of 150 B": (longer, singles),
        "geometric 3 x 500 B, then giants x 100 B": (geometric_three, giants),
        "geometric 20 x log-normal 400 B, then singles of 150 B": (uneven, singles),
        "singles of 150 B, then geometric 1.5 x 6 KB": (singles, large),
    }


CHANGING_SHAPES = [
    Shape(f"{way}: {name}", CHANGING, 5000 + number, changing(*pair, WAYS[way]))
    for number, (way, (name, pair)) in enumerate((way, pair) for way in WAYS for pair in _pairs().items())
]
