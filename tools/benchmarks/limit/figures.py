"""Measure the cost of each way on each shape, and the ratios that have targets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, exp, log
from typing import NamedTuple

from benchmarks.limit.changing import CHANGING, CHANGING_SHAPES
from benchmarks.limit.fixed import best_fixed, fixed, full_scan
from benchmarks.limit.more_shapes import MORE_SHAPES, NAMED
from benchmarks.limit.ours import ours
from benchmarks.limit.random_shapes import RANDOM, random_shapes
from benchmarks.limit.shapes import CORE, SHAPES, Shape
from benchmarks.limit.table import Bill
from skipscan.scan.limit import REQUEST_UNITS
from skipscan.scan.plan import Optimize

UNITS = REQUEST_UNITS[Optimize.BALANCED]
"""The read units that a request counts as."""

NAMED_SHAPES = [*SHAPES, *MORE_SHAPES, *CHANGING_SHAPES]
GROUPS = {CORE: {CORE}, NAMED: {CORE, NAMED}, CHANGING: {CHANGING}, RANDOM: {RANDOM}}
"""The rows of the summary, with the groups of shapes in each."""


class Row(NamedTuple):
    """One shape at one size and seed. `limit`: the best fixed one. All ways but ours have one segment."""

    shape: str
    group: str
    seed: int
    limit_1: Bill
    full_scan: Bill
    best_fixed: Bill
    ours: Bill
    limit: int
    segments: int

    @property
    def to_fixed(self) -> float:
        return self.ours.cost(UNITS) / self.best_fixed.cost(UNITS)

    @property
    def to_static(self) -> float:
        """Return our cost over that of the better of Limit=1 and the full scan."""
        return self.ours.cost(UNITS) / min(self.limit_1.cost(UNITS), self.full_scan.cost(UNITS))


def measure(
    collections: int,
    seed: int,
    shapes: Sequence[Shape] = NAMED_SHAPES,
    *,
    is_known: bool = True,
    segments: int | None = None,
) -> Iterator[Row]:
    """Yield a row for each shape.

    `is_known`: DescribeTable knows the table's size. `segments`: so many, instead of those that the plan chooses.
    """
    for shape in shapes:
        table = shape.table(collections, seed)
        best = best_fixed(table, UNITS)
        run = ours(table, seed=seed, is_known=is_known, segments=segments)
        yield Row(
            shape=shape.name,
            group=shape.group,
            seed=seed,
            limit_1=fixed(table, 1).bill,
            full_scan=full_scan(table),
            best_fixed=best.bill,
            ours=run.bill,
            limit=best.limit,
            segments=run.segments,
        )


def rows(size: int, seeds: Iterable[int], random: int, *, draw: int, is_known: bool = True) -> list[Row]:
    """Return the rows of all named shapes and of so many random ones, different ones for each seed."""
    return [
        row
        for seed in seeds
        for row in measure(size, seed, [*NAMED_SHAPES, *random_shapes(draw + seed, random)], is_known=is_known)
    ]


def summary(measured: Sequence[Row]) -> Mapping[str, float]:
    """Return the ratios over all rows of one size, by name."""
    said: dict[str, float] = {}
    for name, groups in GROUPS.items():
        of = [row for row in measured if row.group in groups]
        if not of:
            continue
        to_fixed, to_static = [row.to_fixed for row in of], [row.to_static for row in of]
        said[f"{name}: ours / best fixed, geometric mean"] = mean(to_fixed)
        said[f"{name}: ours / best fixed, 95th percentile"] = sorted(to_fixed)[ceil(0.95 * len(of)) - 1]
        said[f"{name}: ours / best fixed, worst"] = max(to_fixed)
        said[f"{name}: ours / better static, worst"] = max(to_static)
        if name == CORE:
            for unit in ("read_units", "requests"):
                ratios = [getattr(row.limit_1, unit) / getattr(row.ours, unit) for row in of]
                said[f"{name}: Limit=1 / ours, {unit.replace('_', ' ')}"] = mean(ratios)
    return {name: round(ratio, 3) for name, ratio in said.items()}


def mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios))
