"""How much of a ratio to the best fixed Limit is hindsight: `python -m benchmarks.limit.hindsight`.

The best fixed Limit of a table is chosen after the table was read. The Limit that is best for a shape is chosen before:
it has the lowest mean cost over many tables of the shape. In small tables the two differ, for example where a Limit
happens to pass over the only giant collection.
"""

import argparse
from collections.abc import Sequence
from math import exp, fsum, log
from typing import NamedTuple

from benchmarks.limit.figures import COUNTED, NAMED_SHAPES
from benchmarks.limit.fixed import COARSE, EXACT, best_fixed, between, fixed
from benchmarks.limit.shapes import Shape

TABLES = 40
MOST_ITEMS = 20_000


class Hindsight(NamedTuple):
    """The Limit that is best for a shape, and its cost over that of each table's own best Limit."""

    limit: int
    ratios: Sequence[float]

    @property
    def mean(self) -> float:
        """Return the geometric mean: what knowledge of the shape costs over knowledge of the table."""
        return exp(fsum(map(log, self.ratios)) / len(self.ratios))


def hindsight(shape: Shape, collections: int, tables: int = TABLES) -> Hindsight:
    """Return how a shape's best Limit compares with the best one of each of its tables; seeds count from 1."""
    request_units = COUNTED["cost"][1]
    drawn = [shape.table(collections, seed) for seed in range(1, tables + 1)]
    costs = {
        limit: [fixed(table, limit).bill.cost(request_units) for table in drawn]
        for limit in [*range(1, EXACT + 1), *between(EXACT, MOST_ITEMS, COARSE)]
    }
    limit = min(costs, key=lambda each: fsum(costs[each]))
    own = [best_fixed(table, request_units).bill.cost(request_units) for table in drawn]
    return Hindsight(limit, [cost / least for cost, least in zip(costs[limit], own, strict=True)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.limit.hindsight")
    parser.add_argument("shapes", nargs="+", help="names of shapes")
    parser.add_argument("--collections", type=int, default=300)
    asked = parser.parse_args()
    for shape in NAMED_SHAPES:
        if shape.name in asked.shapes:
            found = hindsight(shape, asked.collections)
            first = ", ".join(f"{ratio:.2f}" for ratio in found.ratios[:3])
            print(
                f"{shape.name}: Limit={found.limit} costs {found.mean:.2f} times each table's best (geometric mean of "
                f"{TABLES}), at most {max(found.ratios):.2f}; seeds 1 to 3: {first}"
            )


if __name__ == "__main__":
    main()
