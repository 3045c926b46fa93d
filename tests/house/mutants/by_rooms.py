"""Try random defects of every room; print what died and what lived, by room, and write build/mutants.json."""

import json
import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from tests.house.mutants.harmless import HARMLESS, HARMLESS_IN_ROOMS
from tests.house.mutants.mutant import Nearest
from tests.house.mutants.rooms import RINGS, RoomDefect, drawn
from tests.house.mutants.trial import Trial, tried

REPORT = Path("build/mutants.json")

_say = partial(print, flush=True, file=sys.stdout)


def by_rooms(each: int, seed: int, chosen: Collection[str], processes: int, least: float) -> int:
    """Return 1 if a smaller share than `least` died. What the nearest tests miss is tried against wider ones."""
    sample = drawn(each, seed, chosen)
    _say(f"{len(sample)} random defects of {len({defect.room for defect in sample})} rooms, seed {seed}")
    killers: dict[str, str] = {}
    wrong: set[str] = set()
    while True:
        _try(sample, killers, wrong, processes)
        if not (failing := _failing(set(killers.values()) - wrong, processes)):
            break
        # They fail without a defect too, so they prove nothing.
        wrong |= failing
        killers = {name: file for name, file in killers.items() if file not in wrong}
    counted = _counted(sample, killers)
    _report(counted, killers, wrong, seed)
    share = len(killers) / len(counted) if counted else 1.0
    return 0 if share >= least else 1


def _counted(sample: list[RoomDefect], killers: Collection[str]) -> list[RoomDefect]:
    """Return the sample without harmless defects that lived."""
    reasons = {harmless.name: harmless.reason for harmless in (*HARMLESS, *HARMLESS_IN_ROOMS)}
    for name in (each.variation.name for each in sample if each.variation.name in reasons):
        noticed = "noticed, but in the list of harmless ones" if name in killers else reasons[name]
        _say(f"harmless: {name}: {noticed}")
    return [each for each in sample if each.variation.name in killers or each.variation.name not in reasons]


def _try(sample: list[RoomDefect], killers: dict[str, str], wrong: Collection[str], processes: int) -> None:
    """Add the file of tests that notices each defect."""
    for ring in range(len(RINGS) + 3):  # the callers before, the whole and engines after
        trials = [
            Trial(each.variation.name, {each.variation.path: each.variation.text}, replace(witness, paths=paths))
            for each in sample
            if each.variation.name not in killers
            for witness in each.rings[ring : ring + 1]
            if (paths := tuple(path for path in witness.paths if path not in wrong))
        ]
        for verdict in tried(trials, processes):
            if verdict.is_dead:
                killers[verdict.trial.name] = verdict.killer.partition("::")[0]
            fate = f"died in ring {ring}" if verdict.is_dead else f"lives in ring {ring}"
            if verdict.is_late:
                fate += ", by the clock"
            _say(f"{fate}  {verdict.trial.name}")


def _failing(files: Collection[str], processes: int) -> set[str]:
    """Return the files of tests that fail for the unchanged product."""
    trials = [
        Trial(file, {}, Nearest((file,), file.startswith("tests/engines/"))) for file in sorted(filter(None, files))
    ]
    return {verdict.trial.name for verdict in tried(trials, processes) if verdict.is_dead}


def _report(sample: list[RoomDefect], killers: dict[str, str], wrong: Collection[str], seed: int) -> None:
    of, died = Counter(each.room for each in sample), Counter(e.room for e in sample if e.variation.name in killers)
    _say(f"\n{'room':<12}{'tried':>6}{'died':>6}")
    for room in of:
        _say(f"{room:<12}{of[room]:>6}{died[room]:>6}  {died[room] / of[room]:.0%}")
    _say(f"{'all':<12}{of.total():>6}{died.total():>6}  {died.total() / max(1, of.total()):.0%}\n")
    for each in sample:
        if each.variation.name not in killers:
            _say(f"{each.room}: {each.variation.name}")
            _say(f"    {each.variation.path}:{each.variation.line}  {each.variation.shown}")
    for file in sorted(wrong):
        _say(f"{file} fails without a defect, and was left out")
    REPORT.parent.mkdir(exist_ok=True)
    document = [
        {
            **{"room": each.room, "address": each.variation.name, "path": each.variation.path.as_posix()},
            **{
                "line": each.variation.line,
                "code": each.variation.shown,
                "killed_by": killers.get(each.variation.name),
            },
        }
        for each in sample
    ]
    REPORT.write_text(json.dumps({"seed": seed, "defects": document}, indent=1))
