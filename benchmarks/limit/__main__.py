"""`python -m benchmarks.limit`. With --full it renews the kept results, the plot and the figures in docs/limit.md."""

import argparse
import sys
from collections.abc import Sequence
from secrets import randbelow
from typing import Any

from benchmarks.limit import QUICK_RANDOM
from benchmarks.limit.document import RESULTS, renew
from benchmarks.limit.figures import NAMED_SHAPES, Row, measure
from benchmarks.limit.random_shapes import random_shapes
from benchmarks.limit.report import show
from benchmarks.limit.results import COLLECTIONS, write
from benchmarks.limit.shapes import SHAPES

SEEDS = (1, 2, 3)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.limit")
    parser.add_argument("--full", action="store_true", help="all sizes, three seeds; renews what is kept")
    parser.add_argument(
        "--collections", type=int, nargs="+", default=[300, 2_000], help="sizes (default: 300 and 2,000)"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--random", type=int, default=QUICK_RANDOM, help="number of random shapes")
    parser.add_argument(
        "--draw",
        type=int,
        default=randbelow(100_000),
        help="seed of the random shapes (default: another one in each run)",
    )
    parser.add_argument("--unknown", action="store_true", help="tables whose size DescribeTable does not know yet")
    parser.add_argument("--segments", type=int, help="so many segments (default: as the plan chooses)")
    asked = parser.parse_args()
    sys.stdout.write(f"draw {asked.draw}\n")
    if not asked.full:
        table = {"is_known": not asked.unknown, "segments": asked.segments}
        show(rows(asked.collections, asked.seeds, asked.random, draw=asked.draw, **table))
        return
    measured = rows(COLLECTIONS, SEEDS, asked.random, draw=asked.draw)
    measured += [row for seed in SEEDS for row in measure(COLLECTIONS[0], seed, SHAPES, ["read_units"])]
    show(measured)
    write(measured, RESULTS)
    renew(measured)


def rows(sizes: Sequence[int], seeds: Sequence[int], random: int, *, draw: int, **table: Any) -> list[Row]:
    """Return the rows of all named shapes and of so many random ones, different ones for each seed."""
    return [
        row
        for size in sizes
        for seed in seeds
        for row in measure(size, seed, [*NAMED_SHAPES, *random_shapes(draw + seed, random)], **table)
    ]


if __name__ == "__main__":
    main()
