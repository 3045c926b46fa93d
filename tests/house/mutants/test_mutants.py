"""The tests have teeth: they notice most random defects; a few of them here, more with `make mutants`."""

import os
import subprocess
import sys

import pytest

from tests.house.mutants.rooms import rooms

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sources")]

LEAST = ("0.85", "0.5")
"""Of random defects that are not harmless, so many die in the tests nearest to them: of all, and of each room."""

DEFECTS, SEED = 6, 7001
"""Of each room, and what draws them: 144 of 24 rooms, in some five minutes.
`make mutants MUTANTS="--each 19"` draws more, and takes twenty on a quiet machine."""


def tried(*asked: str) -> str:
    """Return what `python -m tests.house.mutants` prints; it must end with 0. The witnesses take their quick form."""
    quick = {name: value for name, value in os.environ.items() if name not in {"SKIPSCAN_TESTS", "PYTEST_ADDOPTS"}}
    command = [sys.executable, "-m", "tests.house.mutants", *asked]
    ended = subprocess.run(command, capture_output=True, text=True, env=quick, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.posix  # every trial is forked
def test_a_random_defect_of_every_third_room_is_noticed() -> None:
    """The first of those that are drawn below, which all die: a survivor is news."""
    some = sorted(rooms())[::3]
    said = tried("--rooms", *some, "--each", "1", "--seed", str(SEED), "--least", "1", "1")
    assert f"{len(some)} random defects of {len(some)} rooms" in said


@pytest.mark.posix
@pytest.mark.long
@pytest.mark.xdist_group("mutants")
@pytest.mark.timeout(7200)
def test_most_random_defects_of_every_room_die() -> None:
    said = tried("--each", str(DEFECTS), "--seed", str(SEED), "--least", *LEAST)
    assert f" random defects of {len(rooms())} rooms" in said
