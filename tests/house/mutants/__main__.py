"""Random defects, and whether the tests notice: `python -m tests.house.mutants [--rooms ROOM ...] --each 4 --seed 0`.

`--changed origin/main`: of the functions that differ from that commit, instead of all rooms (rooms.py).
"""

import argparse
import os
import sys

from tests.house.mutants.by_rooms import by_rooms
from tests.house.mutants.rooms import drawn_of_changes, drawn_of_rooms


def main() -> int:
    asked = _arguments()
    if asked.changed:
        every = drawn_of_changes(asked.each, asked.seed, asked.changed)
    else:
        every = drawn_of_rooms(asked.each, asked.seed, asked.rooms or ())
    return by_rooms(every, asked.seed, asked.processes, asked.least)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.house.mutants", description="Do the tests notice a defect?")
    parser.add_argument("--rooms", nargs="*", help="of these rooms (default: of all rooms)")
    parser.add_argument("--changed", metavar="COMMIT", help="of the functions that differ from it")
    parser.add_argument("--seed", type=int, default=0, help="of the random defects (default: 0)")
    parser.add_argument("--each", type=int, default=4, help="defects of each room or changed function (default: 4)")
    parser.add_argument("--least", type=float, nargs=2, default=(0, 0), help="1 if less of all, or of a room, dies")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
