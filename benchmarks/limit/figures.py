"""Measure the cost of each way on each shape, and the ratios that have targets."""

from collections.abc import Iterable, Sequence
from math import ceil, exp, log
from typing import Any, NamedTuple, Self

from benchmarks.limit.bill import Bill
from benchmarks.limit.changing import CHANGING, CHANGING_SHAPES
from benchmarks.limit.clairvoyant import clairvoyant
from benchmarks.limit.fixed import best_fixed, fixed, full_scan
from benchmarks.limit.more_shapes import MORE_SHAPES, NAMED
from benchmarks.limit.ours import ours
from benchmarks.limit.random_shapes import RANDOM
from benchmarks.limit.shapes import CORE, SHAPES, Shape
from skipscan.scan.limit.policy import REQUEST_UNITS
from skipscan.scan.plan import Optimize

COUNTED = {"cost": (Optimize.BALANCED, REQUEST_UNITS[Optimize.BALANCED]), "read_units": (Optimize.COST, 0.0)}
"""How the ways are compared: what the policy optimizes for, and the read units that a request counts as."""

NAMED_SHAPES = [*SHAPES, *MORE_SHAPES, *CHANGING_SHAPES]
GROUPS = {CORE: {CORE}, NAMED: {CORE, NAMED}, CHANGING: {CHANGING}, RANDOM: {RANDOM}}
"""The rows of the summary, with the groups of shapes in each."""


class Row(NamedTuple):
    """One shape at one size and seed, compared by cost or by read units alone. `limit`: the best fixed one.

    `request_units`: what a request counted when the row was measured. All ways but ours have one segment.
    `clairvoyant`: of the 28 shapes alone. `seconds`: ours, if nothing but the answers of the table took time.
    """

    shape: str
    group: str
    collections: int
    seed: int
    counted: str
    request_units: float
    blog: Bill
    full_scan: Bill
    best_fixed: Bill
    clairvoyant: Bill | None
    ours: Bill
    limit: int
    segments: int
    seconds: float

    def cost(self, way: str) -> float:
        bill: Bill = getattr(self, way)
        return bill.cost(self.request_units)

    @property
    def to_fixed(self) -> float:
        return self.cost("ours") / self.cost("best_fixed")

    @property
    def to_static(self) -> float:
        """Return our cost over that of the better of Limit=1 and the full scan."""
        return self.cost("ours") / min(self.cost("blog"), self.cost("full_scan"))

    def to_json(self) -> dict[str, Any]:
        return self._asdict()

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        bills = ("blog", "full_scan", "best_fixed", "clairvoyant", "ours")
        return cls(**{**document, **{name: document[name] and Bill(*document[name]) for name in bills}})


def measure(
    collections: int,
    seed: int,
    shapes: Sequence[Shape] = NAMED_SHAPES,
    counted: Sequence[str] = ("cost",),
    *,
    is_known: bool = True,
    segments: int | None = None,
) -> Iterable[Row]:
    """Yield a row for each shape and each comparison.

    `is_known`: DescribeTable knows the table's size. `segments`: so many, instead of those that the plan chooses.
    """
    for shape in shapes:
        table = shape.table(collections, seed)
        blog, full = fixed(table, 1).bill, full_scan(table)
        for by in counted:
            optimize, request_units = COUNTED[by]
            best = best_fixed(table, request_units)
            run = ours(table, optimize, seed, is_known=is_known, segments=segments)
            yield Row(
                shape=shape.name,
                group=shape.group,
                collections=collections,
                seed=seed,
                counted=by,
                request_units=request_units,
                blog=blog,
                full_scan=full,
                best_fixed=best.bill,
                clairvoyant=clairvoyant(table, request_units) if shape.group == CORE else None,
                ours=run.bill,
                limit=best.limit,
                segments=run.segments,
                seconds=round(run.seconds, 3),
            )


def summary(rows: Sequence[Row]) -> dict[str, float]:
    """Return the ratios over all rows, by name. All rows have the same size and comparison."""
    said: dict[str, float] = {}
    for name, groups in GROUPS.items():
        of = [row for row in rows if row.group in groups]
        if not of:
            continue
        to_fixed, to_static = [row.to_fixed for row in of], [row.to_static for row in of]
        said[f"{name}: ours / best fixed, geometric mean"] = _mean(to_fixed)
        if name in {NAMED, RANDOM}:
            said[f"{name}: ours / best fixed, 95th percentile"] = _percentile(to_fixed)
        said[f"{name}: ours / best fixed, worst"] = round(max(to_fixed), 3)
        said[f"{name}: ours / better static, worst"] = round(max(to_static), 3)
        if name == RANDOM:
            said[f"{name}: ours / better static, 95th percentile"] = _percentile(to_static)
        if name == CORE:
            said[f"{name}: ours / clairvoyant, geometric mean"] = _mean(
                [row.cost("ours") / row.cost("clairvoyant") for row in of]
            )
            said[f"{name}: Limit=1 / ours, read units"] = _mean(
                [row.blog.read_units / row.ours.read_units for row in of]
            )
            said[f"{name}: Limit=1 / ours, requests"] = _mean([row.blog.requests / row.ours.requests for row in of])
    return said


def worst(rows: Sequence[Row], count: int) -> Sequence[Row]:
    """Return the rows with the highest ratios to the best fixed Limit."""
    return sorted(rows, key=lambda row: -row.to_fixed)[:count]


def _percentile(ratios: Sequence[float]) -> float:
    return round(sorted(ratios)[ceil(0.95 * len(ratios)) - 1], 3)


def _mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return round(exp(sum(map(log, ratios)) / len(ratios)), 3)
