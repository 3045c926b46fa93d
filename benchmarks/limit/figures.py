"""What every way costs on every shape, and the ratios that the targets are set for."""

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import Any, NamedTuple, Self

from benchmarks.limit.bill import Bill
from benchmarks.limit.clairvoyant import clairvoyant
from benchmarks.limit.fixed import every_fixed, fixed, full_scan
from benchmarks.limit.ours import ours, policy_seconds
from benchmarks.limit.shapes import SHAPES, Shape
from skipscan.scan.limit.policy import REQUEST_UNITS, LimitPolicy
from skipscan.scan.plan import Optimize

COUNTED = {"cost": (Optimize.BALANCED, 0.25), "read_units": (Optimize.COST, 0.0)}
"""What the ways are compared by: the policy's aim, and what a request counts beside its read units."""


class Row(NamedTuple):
    """One shape at one size and seed, compared by cost or by read units alone. `limit`: the best fixed one."""

    shape: str
    collections: int
    seed: int
    counted: str
    blog: Bill
    full_scan: Bill
    best_fixed: Bill
    clairvoyant: Bill
    ours: Bill
    limit: int
    policy_microseconds: float

    def cost(self, way: str) -> float:
        bill: Bill = getattr(self, way)
        return bill.cost(COUNTED[self.counted][1])

    @property
    def better_static(self) -> float:
        return min(self.cost("blog"), self.cost("full_scan"))

    def to_json(self) -> dict[str, Any]:
        return self._asdict()

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        bills = ("blog", "full_scan", "best_fixed", "clairvoyant", "ours")
        return cls(**{**document, **{name: Bill(*document[name]) for name in bills}})


def measure(collections: int, seed: int, shapes: Sequence[Shape] = SHAPES) -> list[Row]:
    """Return two rows for every shape."""
    return [row for shape in shapes for row in _rows(shape, collections, seed)]


def _rows(shape: Shape, collections: int, seed: int) -> Iterable[Row]:
    table = shape.table(collections, seed)
    blog, full = fixed(table, 1).bill, full_scan(table)
    limits = every_fixed(table)
    for counted, (optimize, request_units) in COUNTED.items():
        pages = ours(table, LimitPolicy(request_units=REQUEST_UNITS[optimize]))
        seconds = policy_seconds(pages, LimitPolicy(request_units=REQUEST_UNITS[optimize]))
        best = min(limits, key=lambda each: each.bill.cost(request_units))
        yield Row(
            shape=str(shape),
            collections=collections,
            seed=seed,
            counted=counted,
            blog=blog,
            full_scan=full,
            best_fixed=best.bill,
            clairvoyant=clairvoyant(table, request_units),
            ours=Bill.of([page.steps for page in pages]),
            limit=best.limit,
            policy_microseconds=1e6 * seconds / len(pages),
        )


def summary(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return the ratios over all rows, by what they were compared by."""
    return {counted: _ratios([row for row in rows if row.counted == counted]) for counted in COUNTED}


def _ratios(rows: Sequence[Row]) -> dict[str, float]:
    to_fixed = [row.cost("ours") / row.cost("best_fixed") for row in rows]
    to_static = [row.cost("ours") / row.better_static for row in rows]
    return {
        "ours_vs_best_fixed_geomean": _mean(to_fixed),
        "ours_vs_best_fixed_worst": round(max(to_fixed), 3),
        "ours_vs_better_static_worst": round(max(to_static), 3),
        "ours_vs_clairvoyant_geomean": _mean([row.cost("ours") / row.cost("clairvoyant") for row in rows]),
        "blog_vs_ours_read_units_geomean": _mean([row.blog.read_units / row.ours.read_units for row in rows]),
        "blog_vs_ours_requests_geomean": _mean([row.blog.requests / row.ours.requests for row in rows]),
        "policy_microseconds_per_page": round(
            sum(row.policy_microseconds * row.ours.requests for row in rows) / sum(row.ours.requests for row in rows), 1
        ),
    }


def _mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return round(exp(sum(map(log, ratios)) / len(ratios)), 3)
