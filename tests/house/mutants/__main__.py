"""Mutants, and whether the tests notice: `python -m tests.house.mutants [--sample 300] [--named REGEX]`.

`python -m tests.house.mutants --rooms --each 4 --seed 0`: random defects of all rooms instead (rooms.py). After
`--record` (minutes, once) each is tried against the tests that call what it changes; with `--remember` (noticed.py) the
next run tries first what noticed in this one. `--changed origin/main`: of the functions that differ from that commit.

Every safeguard is taken out by itself; then come random changes of the core. Ends with 1 if a missing safeguard goes
unnoticed, or if a smaller share of the random mutants dies than must.
"""

import argparse
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from functools import partial

from tests.house.mutants import matrix
from tests.house.mutants.by_rooms import by_rooms
from tests.house.mutants.core import CORE, drawn
from tests.house.mutants.harmless import REASONS
from tests.house.mutants.mutant import Callers, Chosen, Histories, Nearest, Schedules, Witness, package
from tests.house.mutants.noticed import failing, noticing, remember, tried_again
from tests.house.mutants.record import record
from tests.house.mutants.rooms import at_addresses, drawn_of_changes, drawn_of_rooms
from tests.house.mutants.safeguards import SAFEGUARDS
from tests.house.mutants.trial import Trial, Verdict

LEAST_SHARE = 0.95
"""Of the random mutants that are not on the list of harmless ones, so many must die (docs/reliability.md). All of the
first 110 of seed 0 did on 2026-11-24."""


def main() -> int:
    asked = _arguments()
    if asked.record:
        status = record(asked.processes)
        if asked.rooms is None and not asked.changed:
            return status
    if asked.matrix:
        found = matrix.died()
        return by_rooms(at_addresses(found), 0, asked.processes, (1, 1), remembers=False, known=found)
    if asked.changed or asked.rooms is not None:
        of = asked.changed
        every = (
            drawn_of_changes(asked.each, asked.seed, of) if of else drawn_of_rooms(asked.each, asked.seed, asked.rooms)
        )
        return by_rooms(every, asked.seed, asked.processes, asked.least, remembers=asked.remember)
    begun = time.monotonic()
    sources = package()
    named = [
        Trial(mutant.name, mutant.applied(sources), witness)
        for mutant in SAFEGUARDS
        if re.search(asked.named, mutant.name)
        for witness in mutant.witnesses
    ]
    chance = [
        Trial(c.name, {c.path: c.text}, tests)
        for c, tests in drawn(asked.skip + asked.sample, asked.seed, sources, asked.modules)[asked.skip :]
        if c.name not in REASONS
    ]
    _say(f"{len(named)} missing safeguards, {len(chance)} random mutants, seed {asked.seed}")
    of_named, of_chance = (
        _verdicts(tried_again(trials, kind, asked.processes), asked.verbose)
        for trials, kind in ((named, "safeguards"), (chance, "core"))
    )
    missed = [verdict for verdict in of_named if not verdict.is_dead]
    _say(f"{len(named) - len(missed)} of {len(named)} missing safeguards are noticed")
    is_steady = _judged(chance, [verdict for verdict in of_chance if not verdict.is_dead]) if chance else True
    if not _product_passes([*of_named, *of_chance], asked.processes):
        return 1
    if asked.remember:
        remember("safeguards", of_named)
        remember("core", of_chance)
    _say(f"what noticed passes without a mutant: {time.monotonic() - begun:,.0f} s")
    return 0 if is_steady and not missed else 1


def _judged(chance: list[Trial], survivors: list[Verdict]) -> bool:
    """Print the share of random mutants that die; return whether it is large enough."""
    share = 1 - len(survivors) / len(chance)
    _say(f"{len(chance) - len(survivors)} of {len(chance)} random mutants die ({share:.1%})")
    _say(_by_module(chance, survivors))
    return share >= LEAST_SHARE


def _product_passes(verdicts: list[Verdict], processes: int) -> bool:
    """Return whether what noticed passes without a mutant; of a mutant that a limit ended, all of its tests."""
    failed = failing({test for verdict in verdicts if verdict.is_dead for test in noticing(verdict)}, processes)
    for test, said in failed.items():
        _say(f"{test} fails without a mutant:\n{said}")
    return not failed


def _verdicts(verdicts: Iterable[Verdict], verbose: bool) -> list[Verdict]:
    found = []
    for verdict in verdicts:
        found.append(verdict)
        if verbose or not verdict.is_dead:
            fate = "noticed " if verdict.is_dead else "SURVIVES"
            _say(f"{fate}  {verdict.trial.name}  [{_short(verdict.trial.witness)}]")
    return found


def _by_module(trials: list[Trial], survivors: list[Verdict]) -> str:
    of = Counter(path for trial in trials for path in trial.changed)
    lived = Counter(path for verdict in survivors for path in verdict.trial.changed)
    return "\n".join(f"  {path}: {of[path] - lived[path]} of {of[path]}" for path in sorted(of))


def _short(witness: Witness) -> str:
    match witness:
        case Chosen(paths=paths) | Nearest(paths=paths) | Callers(paths=paths):
            return " ".join(paths)
        case Histories(kind=kind):
            return f"histories of {kind}"
        case Schedules():
            return "schedules"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.house.mutants", description="Do the tests notice a defect?")
    parser.add_argument("--sample", type=int, default=300, help="random mutants of the core (default: 300)")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first of the random mutants (default: 0)")
    parser.add_argument("--seed", type=int, default=0, help="of the random mutants (default: 0)")
    parser.add_argument("--modules", nargs="+", choices=CORE, default=CORE, help="those to change (default: all)")
    parser.add_argument("--named", default="", help="the missing safeguards whose name matches (default: all)")
    parser.add_argument("--rooms", nargs="*", help="random defects of these rooms (default: of all rooms)")
    parser.add_argument("--changed", metavar="COMMIT", help="random defects of the functions that differ from it")
    parser.add_argument("--matrix", action="store_true", help="defects of the kill matrix, which died once")
    parser.add_argument("--record", action="store_true", help="first record which tests call what")
    parser.add_argument("--each", type=int, default=4, help="defects of each room or changed function (default: 4)")
    parser.add_argument("--least", type=float, nargs=2, default=(0, 0), help="1 if less of all, or of a room, dies")
    parser.add_argument("--remember", action="store_true", help="write which test noticed, which is then tried first")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--verbose", action="store_true", help="show also what was noticed")
    return parser.parse_args()


_say = partial(print, flush=True, file=sys.stdout)

if __name__ == "__main__":
    sys.exit(main())
