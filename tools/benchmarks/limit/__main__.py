"""`python -m benchmarks.limit`: the ratios, and the rows that are farthest above the best fixed Limit."""

import argparse
from secrets import randbelow

from benchmarks.limit.figures import UNITS, rows, summary

SHOWN = 12


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.limit")
    parser.add_argument("--collections", type=int, nargs="+", default=[300, 2_000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--random", type=int, default=40, help="number of random shapes")
    parser.add_argument("--draw", type=int, default=randbelow(100_000), help="seed of the random shapes (default: new)")
    parser.add_argument("--unknown", action="store_true", help="tables whose size DescribeTable does not know yet")
    requested = parser.parse_args()
    print(f"draw {requested.draw}")
    for size in requested.collections:
        measured = rows(size, requested.seeds, requested.random, draw=requested.draw, is_known=not requested.unknown)
        print(f"\n{size:,} collections")
        for name, ratio in summary(measured).items():
            print(f"{name:48}{ratio:8.3f}")
        print("\n   ours   fixed  Limit=1  full scan  / fixed  / static  (Limit)  segments")
        for row in sorted(measured, key=lambda row: -row.to_fixed)[:SHOWN]:
            ours, best, one, full = (
                bill.cost(UNITS) for bill in (row.ours, row.best_fixed, row.limit_1, row.full_scan)
            )
            print(
                f"{ours:7,.0f} {best:7,.0f} {one:8,.0f} {full:10,.0f} {row.to_fixed:8.3f} {row.to_static:9.3f} "
                f"{row.limit:8,} {row.segments:9}  {row.shape}, seed {row.seed}"
            )


if __name__ == "__main__":
    main()
