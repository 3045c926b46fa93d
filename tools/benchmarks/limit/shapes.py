"""The 28 shapes: seven distributions of the lengths of item collections, by four of the sizes of items."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.random import Generator

from benchmarks.limit.table import Integers, Table

Draw = Callable[[Generator, int], Integers]
DrawTable = Callable[[Generator, int], tuple[Integers, Integers]]
"""Returns the lengths of so many collections, and the bytes of all items."""


def _giants(chance: Generator, count: int) -> Integers:
    return np.where(chance.random(count) < 0.01, 5000, chance.geometric(1 / 2, count))


def _pareto(chance: Generator, count: int) -> Integers:
    return np.minimum(1 + chance.pareto(1.1, count), 20_000).astype(np.int64)


def _log_normal_lengths(chance: Generator, count: int) -> Integers:
    return np.maximum(1, chance.lognormal(2.5, 1.5, count).round()).astype(np.int64)


def _normal_bytes(chance: Generator, count: int) -> Integers:
    return np.maximum(1, chance.normal(500, 100, count).round()).astype(np.int64)


def _log_normal_bytes(chance: Generator, count: int) -> Integers:
    return np.clip(chance.lognormal(np.log(665), 1, count).round(), 1, 400 * 1024).astype(np.int64)


LENGTHS: dict[str, Draw] = {
    "all 1": lambda _, count: np.full(count, 1),
    "geometric 3": lambda chance, count: chance.geometric(1 / 3, count),
    "geometric 20": lambda chance, count: chance.geometric(1 / 20, count),
    "1 % giants": _giants,
    "Pareto 1.1": _pareto,
    "log-normal": _log_normal_lengths,
    "all 1000": lambda _, count: np.full(count, 1000),
}
"""The items of collections, by what is said of them: a mean where a number follows, giants of 5,000 items among
geometric ones with mean 2, Pareto's capped at 20,000, log-normal ones with mu 2.5 and sigma 1.5."""

SIZES: dict[str, Draw] = {
    "150 B": lambda _, count: np.full(count, 150),
    "500±100 B": _normal_bytes,
    "log-normal 665 B": _log_normal_bytes,
    "10 KB": lambda _, count: np.full(count, 10_240),
}
"""The bytes of items: 665 B is a median, with sigma 1, capped at DynamoDB's 400 KB."""


@dataclass(frozen=True)
class Shape:
    """A kind of table. `group`: the figures that it is part of. `number`: seeds its tables, together with a seed."""

    name: str
    group: str
    number: int
    draw: DrawTable

    def table(self, collections: int, seed: int) -> Table:
        """Return a table of this shape. The same seed returns the same table."""
        chance = np.random.default_rng([seed, self.number])
        return Table.of(*self.draw(chance, collections))

    def __str__(self) -> str:
        return self.name


def independent(lengths: Draw, sizes: Draw, chance: Generator, count: int) -> tuple[Integers, Integers]:
    """Return lengths, and sizes that do not depend on them."""
    drawn = lengths(chance, count)
    return drawn, sizes(chance, int(drawn.sum()))


CORE = "28"

SHAPES = [
    Shape(f"{lengths} x {sizes}", CORE, number, partial(independent, LENGTHS[lengths], SIZES[sizes]))
    for number, (lengths, sizes) in enumerate(product(LENGTHS, SIZES))
]
