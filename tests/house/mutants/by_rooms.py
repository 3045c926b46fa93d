"""Try random defects of every room; print what died and what lived, by room."""

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from tests.house.mutants.rooms import RoomDefect, Witness
from tests.house.mutants.trial import Trial, Verdict, tried

ALL = "all"
"""Rooms."""

PLACES = ("the nearest files", "others")
"""Where a defect is looked for, in this order."""

AT_ONCE = 24
"""Tests that are tried together without a mutant; sorted, so that they are of few files."""

_say = partial(print, flush=True, file=sys.stdout)


def by_rooms(
    every: Iterable[RoomDefect],
    seed: int,
    processes: int,
    least: Sequence[float],
) -> int:
    """Return 1 if a smaller share died than must. What the nearest tests miss is tried against others.

    `least`: the share of all, and that of each room.
    """
    sample = list(every)
    _say(f"{len(sample)} random defects of {len({defect.room for defect in sample})} rooms, seed {seed}")
    killers: dict[str, Verdict] = {}
    _try(sample, killers, processes)
    noticing = {test for verdict in killers.values() for test in _noticing(verdict)}
    wrong = {_file(test) for test in _failing(noticing, processes)}
    killers = {name: each for name, each in killers.items() if not {*map(_file, _noticing(each))} & wrong}
    shares = _report(sample, killers, wrong)
    of_all, of_room = least
    return 0 if all(share >= (of_all if room == ALL else of_room) for room, share in shares.items()) else 1


def _file(test: str) -> str:
    return test.partition("::")[0]


def _noticing(verdict: Verdict) -> tuple[str, ...]:
    """Return the test that noticed; of a mutant that a limit ended, all that were tried."""
    return (verdict.killer,) if verdict.killer else verdict.trial.witness.paths


def _failing(tests: Collection[str], processes: int) -> set[str]:
    """Return the tests that fail without a mutant, and so prove nothing about one.

    Several are tried in one process, which begins and imports once; the first of them that fails is returned.
    """
    # Without its parameters: a mutant may change which ones there are.
    paths = {test.partition("[")[0] for test in tests}
    # A file that fails to be imported stands for all of its tests.
    whole = sorted(path for path in paths if path.partition("::")[0] not in paths - {path})
    groups = (tuple(whole[first : first + AT_ONCE]) for first in range(0, len(whole), AT_ONCE))
    trials = [Trial(" ".join(group), {}, Witness(group, engines=True)) for group in groups]
    verdicts = [verdict for verdict in tried(trials, processes) if verdict.is_dead]
    return {test for verdict in verdicts for test in _noticing(verdict)}


def _try(sample: list[RoomDefect], killers: dict[str, Verdict], processes: int) -> None:
    """Add the verdict of what notices each defect."""

    def by_place(place: int) -> Iterator[Trial]:
        for each in sample:
            name, variation, witness = each.variation.name, each.variation, each.witnesses[place]
            if name not in killers and witness.paths:
                yield Trial(name, {variation.path: variation.text}, witness)

    for place, called in enumerate(PLACES):
        for verdict in tried(list(by_place(place)), processes):
            if verdict.is_dead:
                killers[verdict.trial.name] = verdict
            fate = f"{'died' if verdict.is_dead else 'lives'} in {called}"
            _say(f"{fate}{', by the clock' if verdict.is_late else ''}  {verdict.trial.name}")


def _report(sample: list[RoomDefect], killers: Mapping[str, Verdict], wrong: Collection[str]) -> dict[str, float]:
    """Print what died; return the share of each room, and of all."""
    of, died = Counter(each.room for each in sample), Counter(e.room for e in sample if e.variation.name in killers)
    _say(f"\n{'room':<12}{'tried':>6}{'died':>6}")
    of[ALL], died[ALL] = of.total(), died.total()
    shares = {room: died[room] / number for room, number in of.items() if number}
    for room, share in shares.items():
        _say(f"{room:<12}{of[room]:>6}{died[room]:>6}  {share:.0%}")
    _say("")
    for each in sample:
        if each.variation.name not in killers:
            _say(f"{each.room}: {each.variation.name}")
            _say(f"    {each.variation.path}:{each.variation.line}  {each.variation.shown}")
    for file in sorted(wrong):
        _say(f"{file} fails without a defect, so what it noticed counts as alive")
    return shares
