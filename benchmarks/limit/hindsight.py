"""How much of a ratio to the best fixed Limit is hindsight: `python -m benchmarks.limit.hindsight`.

The best fixed Limit of a table is chosen after the table was read. The Limit that is best for a shape is chosen before:
it has the lowest mean cost over many tables of the shape. In small tables the two differ, for example where a Limit
happens to pass over the only giant collection.

Collections are independent of each other. So nobody who does not know the table has a lower mean cost than the shape's
best Limit, apart from the table's end, even if they know the shape. Skipscan knows neither.
"""

import argparse
from collections.abc import Sequence
from itertools import combinations
from math import exp, fsum, log
from statistics import fmean
from typing import NamedTuple

from benchmarks.limit.figures import COUNTED, NAMED_SHAPES
from benchmarks.limit.fixed import COARSE, EXACT, best_fixed, between, fixed
from benchmarks.limit.ours import ours
from benchmarks.limit.shapes import Shape

TABLES = 40
MOST_ITEMS = 20_000


class Hindsight(NamedTuple):
    """The Limit that is best for a shape. `costs`: its cost for each table. `least`: each table's own best Limit's."""

    limit: int
    costs: Sequence[float]
    least: Sequence[float]

    @property
    def ratios(self) -> Sequence[float]:
        """Return what the shape's best Limit costs, in units of each table's own best."""
        return over(self.costs, self.least)


def over(costs: Sequence[float], least: Sequence[float]) -> Sequence[float]:
    return [cost / best for cost, best in zip(costs, least, strict=True)]


def mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return exp(fsum(map(log, ratios)) / len(ratios))


def worst_of_three(ratios: Sequence[float]) -> float:
    """Return the mean of the worst ratio of three tables, over all choices of three."""
    return fmean(max(three) for three in combinations(ratios, 3))


def our_costs(shape: Shape, collections: int, tables: int = TABLES) -> Sequence[float]:
    """Return what Skipscan costs for the tables that `hindsight` takes."""
    request_units, seeds = COUNTED["cost"][1], range(1, tables + 1)
    return [ours(shape.table(collections, seed), seed=seed).bill.cost(request_units) for seed in seeds]


def hindsight(shape: Shape, collections: int, tables: int = TABLES) -> Hindsight:
    """Return how a shape's best Limit compares with the best one of each of its tables; seeds count from 1."""
    request_units = COUNTED["cost"][1]
    drawn = [shape.table(collections, seed) for seed in range(1, tables + 1)]
    costs = {
        limit: [fixed(table, limit).bill.cost(request_units) for table in drawn]
        for limit in [*range(1, EXACT + 1), *between(EXACT, MOST_ITEMS, COARSE)]
    }
    limit = min(costs, key=lambda each: fsum(costs[each]))
    return Hindsight(
        limit, costs[limit], [best_fixed(table, request_units).bill.cost(request_units) for table in drawn]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.limit.hindsight")
    parser.add_argument("shapes", nargs="+", help="names of shapes")
    parser.add_argument("--collections", type=int, default=300)
    asked = parser.parse_args()
    for shape in NAMED_SHAPES:
        if shape.name in asked.shapes:
            found, costs = hindsight(shape, asked.collections), our_costs(shape, asked.collections)
            print(f"{shape.name}, in units of each table's own best fixed Limit ({TABLES} tables):")
            _print(f"Limit={found.limit}", found.ratios)
            _print("Skipscan", over(costs, found.least))
            print(f"  Skipscan costs {fsum(costs) / fsum(found.costs):.3f} times Limit={found.limit} in all")


def _print(way: str, ratios: Sequence[float]) -> None:
    first = ", ".join(f"{ratio:.2f}" for ratio in ratios[:3])
    print(f"  {way}: geometric mean {mean(ratios):.2f}, at most {max(ratios):.2f}; seeds 1 to 3: {first}")
    print(f"    the worst of three tables, on average: {worst_of_three(ratios):.2f}")


if __name__ == "__main__":
    main()
