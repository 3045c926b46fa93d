"""The tests have teeth: each safeguard that is taken out is noticed; a few of them here, all with `make mutants`."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.house.mutants.core import CORE, WHOLE, drawn
from tests.house.mutants.harmless import HARMLESS
from tests.house.mutants.mutant import Chosen, Defect, Mutant, package
from tests.house.mutants.nodes import AddressError, call
from tests.house.mutants.operators import drop
from tests.house.mutants.places import CLASSES, MODULES
from tests.house.mutants.rooms import rooms
from tests.house.mutants.safeguards import SAFEGUARDS
from tests.house.mutants.sample import Variation, changes, defining

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sources")]

SOURCES = package()

LEAST = ("0.92", "0.85")
"""Of random defects that are not harmless, so many die in the tests nearest to them: of all, and of each room."""

DEFECTS, SEED = 19, 7001
"""Of each room, and what draws them: 418 of 22 rooms, of which 90 % died before tests were written for the others."""


@pytest.mark.parametrize("mutant", SAFEGUARDS, ids=lambda mutant: mutant.name)
def test_every_safeguard_is_at_its_address_once(mutant: Mutant) -> None:
    for path, text in mutant.applied(SOURCES).items():
        assert text != SOURCES[path]
        compile(text, str(path), "exec")


def test_every_safeguard_has_a_name_of_its_own_and_tests_that_are_there() -> None:
    names = Counter(mutant.name for mutant in SAFEGUARDS)
    assert [name for name, times in names.items() if times > 1] == []
    paths = {p for m in SAFEGUARDS for witness in m.witnesses if isinstance(witness, Chosen) for p in witness.paths}
    paths |= {path for of_module in CORE.values() for path in of_module}
    assert [path for path in sorted(paths) if not is_there(path)] == []


def is_there(path: str) -> bool:
    """Return whether there is a file of tests, or the test of a node id; it may have a parameter in brackets."""
    file, _, test = path.partition("::")
    return Path(file).exists() and (not test or f"def {test.partition('[')[0]}(" in Path(file).read_text())


def test_every_module_of_the_core_is_found_and_has_places_to_change() -> None:
    found = {defining(name, SOURCES) for name in CORE}
    assert len(found) == len(CORE)
    assert all(len(list(changes(path, SOURCES[path]))) > 10 for path in found)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("Buckets.put", "tests/house/mutants/places.py has no class Buckets"),
        ("buckets:put", "tests/house/mutants/places.py has no module buckets"),
        ("Bucket.push", r"\.py does not define Bucket\.push once"),
        ("Bucket.put", r"Bucket\.put \(\S+\.py\): no call nobody there"),
    ],
)
def test_an_address_where_nothing_is_says_what_is_missing(address: str, said: str) -> None:
    with pytest.raises(AddressError, match=said):
        Defect(address, drop(call("nobody"))).applied(SOURCES)


def test_every_place_is_named_by_a_mutant() -> None:
    addresses = [defect.address for mutant in SAFEGUARDS for defect in mutant.defects]
    classes = {address.partition(".")[0] for address in addresses if ":" not in address}
    modules = {address.partition(":")[0] for address in addresses if ":" in address}
    modules |= {CLASSES[name].partition(":")[0] for name in classes}
    assert (classes, modules) == (set(CLASSES), set(MODULES))


@pytest.mark.slow
def test_the_same_seed_draws_the_same_mutants_and_each_changes_one_place() -> None:
    first = drawn(200, 7, SOURCES)
    assert first == drawn(200, 7, SOURCES)
    assert names(first) != names(drawn(200, 8, SOURCES))
    for change, _ in first[::4]:
        assert change.text != SOURCES[change.path]
        compile(change.text, str(change.path), "exec")


def test_an_edit_of_the_core_changes_the_sample_in_its_own_lines_only() -> None:
    path = defining("Walk", SOURCES)
    longer = {**SOURCES, path: f'"""Lines above."""\n\n{SOURCES[path]}\n\ndef one() -> int:\n    return 1\n'}
    before, after = names(drawn(200, 7, SOURCES)), names(drawn(200, 7, longer))
    assert len(before) == len(after) == 200
    assert all(name.startswith("scan.walk:one: ") for name in after - before)


def test_every_harmless_change_is_one_of_the_core_and_has_a_reason() -> None:
    every = drawn(10_000, 0, SOURCES)
    possible = names(every)
    assert len(possible) == len(every) > 1000
    assert [harmless.name for harmless in HARMLESS if harmless.name not in possible] == []
    assert all(len(harmless.reason) > 20 for harmless in HARMLESS)
    assert len({harmless.name for harmless in HARMLESS}) == len(HARMLESS) < 0.03 * len(possible)


def names(sample: list[tuple[Variation, Chosen]]) -> set[str]:
    return {change.name for change, _ in sample}


def tried(*asked: str) -> str:
    """Return what `python -m tests.house.mutants` prints; it must end with 0. The witnesses take their quick form."""
    quick = {name: value for name, value in os.environ.items() if name not in {"SKIPSCAN_TESTS", "PYTEST_ADDOPTS"}}
    command = [sys.executable, "-m", "tests.house.mutants", *asked]
    ended = subprocess.run(command, capture_output=True, text=True, env=quick, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.posix  # every trial is forked
@pytest.mark.slow
def test_some_missing_safeguards_and_two_random_mutants_are_noticed() -> None:
    """Those whose tests take least. Always the same ones: of some seeds one lives, as of any sample some may."""
    some = "a gap in the parts|an unreported collection"
    said = tried("--sample", "2", "--seed", "0", "--modules", *WHOLE, "--named", f"^({some})$")
    assert "2 of 2 missing safeguards are noticed" in said
    assert "2 random mutants" in said


@pytest.mark.posix
@pytest.mark.slow
def test_a_random_defect_of_every_third_room_is_noticed() -> None:
    """The first of those that are drawn below, which all die: a survivor is news."""
    some = sorted(rooms())[::3]
    said = tried("--rooms", *some, "--each", "1", "--seed", str(SEED), "--least", "1", "1")
    assert f"{len(some)} random defects of {len(some)} rooms" in said


@pytest.mark.posix
@pytest.mark.long
@pytest.mark.xdist_group("mutants")
@pytest.mark.timeout(7200)
def test_all_missing_safeguards_and_150_random_mutants_are_noticed() -> None:
    """Half as many as `make mutants` draws of the core, which is a part of the rooms below."""
    assert "random mutants die" in tried("--sample", "150")


@pytest.mark.posix
@pytest.mark.long
@pytest.mark.xdist_group("mutants")
@pytest.mark.timeout(7200)
def test_most_random_defects_of_every_room_die() -> None:
    said = tried("--rooms", "--each", str(DEFECTS), "--seed", str(SEED), "--least", *LEAST)
    assert f" random defects of {len(rooms())} rooms" in said
