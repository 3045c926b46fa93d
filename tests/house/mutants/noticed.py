"""Which test noticed a defect the last time. It is tried first and alone, so that most trials take one test.

`--remember` writes what a run found to NOTICED. Only time depends on it: where a test was renamed or notices no more,
the defect is tried as if nothing were remembered.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from tests.house.mutants.mutant import Witness
from tests.house.mutants.trial import Trial, Verdict, tried

NOTICED = Path(__file__).with_name("noticed.json")

AT_ONCE = 24
"""Tests that are tried together without a mutant; sorted, so that they are of few files."""


def remembered() -> Mapping[str, list[str]]:
    """Return node ids of tests by the names of the defects that they noticed."""
    return {name: tests.splitlines() for name, tests in _read().items()}


def remember(verdicts: Iterable[Verdict]) -> None:
    """Remember what noticed these defects; what is gone stays in the file until somebody removes that."""
    found: dict[str, set[str]] = {}
    for verdict in verdicts:
        if verdict.killer:
            found.setdefault(verdict.trial.name, set()).add(verdict.killer)
    known = _read() | {name: "\n".join(sorted(tests)) for name, tests in found.items()}
    NOTICED.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n")  # a line for each defect


def _read() -> dict[str, str]:
    return dict(json.loads(NOTICED.read_text())) if NOTICED.exists() else {}


def noticing(verdict: Verdict) -> tuple[str, ...]:
    """Return the test that noticed; of a mutant that a limit ended, all that were tried."""
    return (verdict.killer,) if verdict.killer else verdict.trial.witness.paths


def failing(tests: Collection[str], processes: int) -> dict[str, str]:
    """Return the tests that fail without a mutant, and so prove nothing about one, with what they print.

    Several are tried in one process, which begins and imports once; the first of them that fails is returned.
    """
    # Without its parameters: a mutant may change which ones there are.
    paths = {test.partition("[")[0] for test in tests}
    # A file that fails to be imported stands for all of its tests.
    whole = sorted(path for path in paths if path.partition("::")[0] not in paths - {path})
    groups = (tuple(whole[first : first + AT_ONCE]) for first in range(0, len(whole), AT_ONCE))
    trials = [Trial(" ".join(group), {}, Witness(group, engines=True)) for group in groups]
    verdicts = [verdict for verdict in tried(trials, processes) if verdict.is_dead]
    # Without a name, any of the group.
    return {
        test: verdict.said
        for verdict in verdicts
        for test in ([verdict.killer] if verdict.killer else verdict.trial.name.split(" "))
    }
