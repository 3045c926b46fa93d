"""Mutants, and whether the tests notice: `python -m tests.house.mutants [--named REGEX]`.

Every safeguard of safeguards.py is taken out by itself; it ends with 1 if one goes unnoticed.

`python -m tests.house.mutants --rooms --each 4 --seed 0`: random defects of all rooms instead (rooms.py). After
`--record` (minutes, once) each is tried against the tests that call what it changes; with `--remember` (noticed.py) the
next run tries first what noticed in this one. `--changed origin/main`: of the functions that differ from that commit.
"""

import argparse
import os
import re
import sys
from functools import partial

from tests.house.mutants.by_rooms import by_rooms
from tests.house.mutants.mutant import package
from tests.house.mutants.noticed import failing, noticing
from tests.house.mutants.record import record
from tests.house.mutants.rooms import drawn_of_changes, drawn_of_rooms
from tests.house.mutants.safeguards import SAFEGUARDS
from tests.house.mutants.trial import Trial, tried


def main() -> int:
    asked = _arguments()
    if asked.record:
        status = record(asked.processes)
        if asked.rooms is None and not asked.changed:
            return status
    if asked.changed or asked.rooms is not None:
        of = asked.changed
        every = (
            drawn_of_changes(asked.each, asked.seed, of) if of else drawn_of_rooms(asked.each, asked.seed, asked.rooms)
        )
        return by_rooms(every, asked.seed, asked.processes, asked.least, remembers=asked.remember)
    return _safeguards(asked.named, asked.processes)


def _safeguards(named: str, processes: int) -> int:
    sources = package()
    trials = [
        Trial(safeguard.name, safeguard.removed(sources), witness)
        for safeguard in SAFEGUARDS
        if re.search(named, safeguard.name)
        for witness in safeguard.witnesses
    ]
    verdicts = list(tried(trials, processes))
    for verdict in verdicts:
        if not verdict.is_dead:
            _say(f"SURVIVES  {verdict.trial.name}  {verdict.trial.witness}")
    noticed = [verdict for verdict in verdicts if verdict.is_dead]
    _say(f"{len(noticed)} of {len(verdicts)} missing safeguards are noticed")
    failed = failing({test for verdict in noticed for test in noticing(verdict)}, processes)
    for test, said in failed.items():
        _say(f"{test} fails without a mutant:\n{said}")
    return 0 if len(noticed) == len(verdicts) and not failed else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.house.mutants", description="Do the tests notice a defect?")
    parser.add_argument("--named", default="", help="the missing safeguards whose name matches (default: all)")
    parser.add_argument("--rooms", nargs="*", help="random defects of these rooms (default: of all rooms)")
    parser.add_argument("--changed", metavar="COMMIT", help="random defects of the functions that differ from it")
    parser.add_argument("--record", action="store_true", help="first record which tests call what")
    parser.add_argument("--seed", type=int, default=0, help="of the random defects (default: 0)")
    parser.add_argument("--each", type=int, default=4, help="defects of each room or changed function (default: 4)")
    parser.add_argument("--least", type=float, nargs=2, default=(0, 0), help="1 if less of all, or of a room, dies")
    parser.add_argument("--remember", action="store_true", help="write which test noticed, which is then tried first")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


_say = partial(print, flush=True, file=sys.stdout)

if __name__ == "__main__":
    sys.exit(main())
