"""The tests have teeth: each safeguard that is taken out is noticed; a few of them here, all with `make mutants`."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.house.mutants.mutant import Chosen, package
from tests.house.mutants.rooms import rooms
from tests.house.mutants.safeguards import SAFEGUARDS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sources")]

LEAST = ("0.85", "0.5")
"""Of random defects that are not harmless, so many die in the tests nearest to them: of all, and of each room."""

DEFECTS, SEED = 2, 7001
"""Of each room, and what draws them: 48 of 24 rooms, in some minutes.
`make mutants MUTANTS="--rooms --each 19"` draws more, and takes more than an hour."""


def test_every_safeguard_is_in_its_file_once_and_has_a_name_and_tests() -> None:
    sources = package()
    for safeguard in SAFEGUARDS:
        for path, text in safeguard.removed(sources).items():
            compile(text, str(path), "exec")
    assert [name for name, times in Counter(each.name for each in SAFEGUARDS).items() if times > 1] == []
    paths = {
        p for each in SAFEGUARDS for witness in each.witnesses if isinstance(witness, Chosen) for p in witness.paths
    }
    assert [path for path in sorted(paths) if not is_there(path)] == []


def is_there(path: str) -> bool:
    """Return whether there is a file of tests, or the test of a node id; it may have a parameter in brackets."""
    file, _, test = path.partition("::")
    return Path(file).exists() and (not test or f"def {test.partition('[')[0]}(" in Path(file).read_text())


def tried(*asked: str) -> str:
    """Return what `python -m tests.house.mutants` prints; it must end with 0. The witnesses take their quick form."""
    quick = {name: value for name, value in os.environ.items() if name not in {"SKIPSCAN_TESTS", "PYTEST_ADDOPTS"}}
    command = [sys.executable, "-m", "tests.house.mutants", *asked]
    ended = subprocess.run(command, capture_output=True, text=True, env=quick, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.posix  # every trial is forked
def test_some_missing_safeguards_are_noticed() -> None:
    """Those whose tests take least."""
    assert "2 of 2 missing safeguards are noticed" in tried(
        "--named", "^(a put that meets another|a record of each resume)$"
    )


@pytest.mark.posix
def test_a_random_defect_of_every_third_room_is_noticed() -> None:
    """The first of those that are drawn below, which all die: a survivor is news."""
    some = sorted(rooms())[::3]
    said = tried("--rooms", *some, "--each", "1", "--seed", str(SEED), "--least", "1", "1")
    assert f"{len(some)} random defects of {len(some)} rooms" in said


@pytest.mark.posix
@pytest.mark.long
@pytest.mark.xdist_group("mutants")
@pytest.mark.timeout(7200)
def test_all_missing_safeguards_are_noticed() -> None:
    assert "missing safeguards are noticed" in tried()


@pytest.mark.posix
@pytest.mark.long
@pytest.mark.xdist_group("mutants")
@pytest.mark.timeout(7200)
def test_most_random_defects_of_every_room_die() -> None:
    said = tried("--rooms", "--each", str(DEFECTS), "--seed", str(SEED), "--least", *LEAST)
    assert f" random defects of {len(rooms())} rooms" in said
