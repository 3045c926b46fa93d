"""`python -m benchmarks.limit`; with --full the kept results, the plot and the figures in docs/limit.md are renewed."""

import argparse

from benchmarks.limit.document import RESULTS, renew
from benchmarks.limit.figures import measure
from benchmarks.limit.report import show
from benchmarks.limit.results import write

SEEDS = (1, 2, 3)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.limit")
    parser.add_argument("--full", action="store_true", help="5,000 and 20,000 item collections, three seeds")
    if not parser.parse_args().full:
        show(measure(20_000, seed=1))
        return
    rows = [row for collections in (5_000, 20_000) for seed in SEEDS for row in measure(collections, seed)]
    write(rows, RESULTS)
    renew(rows)


if __name__ == "__main__":
    main()
