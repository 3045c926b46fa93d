"""Rooms, the defects drawn from them, and the tests that are found to be near."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.house.mutants.harmless import REASONS
from tests.house.mutants.rooms import ENGINES, NEAREST, SYNTHS, imports, possible, rooms
from tests.house.mutants.sample import changes

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sources")]

CODE = """
T = TypeVar("T", bound=Page)
LIMIT = 25

def pages(client, names):
    for page in client.get_paginator("list").paginate(Name="x:y", Consistent=True):
        yield from page
    while token():
        read({"Key": 1, "Other": [1, 2]})
    try:
        send()
    except (OSError, ValueError) as error:
        raise Refused(error) from None
"""


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("skipscan/scan/walk.py", "tests/unit/scan/test_walk.py"),
        ("skipscan/aws/bucket.py", "tests/unit/aws/test_bucket.py"),
        ("handlers/act.py", "tests/unit/handlers/act/test_act.py"),
        ("infra/company.py", "tests/engines/infra/test_company.py"),
        ("infra/alarms.py", "tests/engines/infra/test_monitoring.py"),
        ("infra/package.py", "tests/engines/infra/test_package.py"),
    ],
)
def test_the_nearest_tests_are_those_of_its_name_and_of_its_importers(path: str, nearest: str) -> None:
    near, others = imports().tests_of(Path(path))
    assert near.paths[0] == nearest
    every = [*near.paths, *others.paths]
    assert all(Path(file).exists() for file in every)
    assert len(set(near.paths)) == len(near.paths) >= NEAREST
    assert others.engines
    if path.startswith("infra/"):
        assert {file.as_posix() for file in SYNTHS.glob("test_*.py")} <= {*every}
    else:
        assert len(others.paths) <= ENGINES


@pytest.mark.long
def test_every_module_that_runs_has_tests_near_it() -> None:
    graph = imports()
    files = [path for sources in rooms().values() for path, text in sources.items() if ast.parse(text).body[1:]]
    assert [path for path in files if not graph.tests_of(path)[0].paths] == []


@pytest.mark.long
def test_every_harmless_defect_is_one_of_its_room() -> None:
    every = rooms()
    modules = {name.partition(":")[0].partition(".")[0] for name in REASONS}
    of_rooms = {module if module in every else "skipscan" for module in modules}
    found = {defect.name for room in of_rooms for defect in possible(every[room])}
    assert REASONS.keys() - found == set()


def test_the_operators_find_what_matters() -> None:
    said = [each.name.partition("[")[0].split(": ", 1)[1].strip() for each in changes(Path("any.py"), CODE)]
    assert {
        *("25 -> 26", "25 -> 1500", "one round", "no Name=", "no Consistent=", "'x:y' -> longer", "True -> False"),
        *("no key 'Key'", "no key 'Other'", "without the first", "without the last", "nothing yielded", "no statement"),
        *("swallowed", "catches less", "negated condition", "'list' -> 'listX'"),
    } == set(said) - {"1 -> 2", "2 -> 3", "Not", "'Key' -> 'KeyX'", "'Other' -> 'OtherX'"}
    assert Counter(said)["one round"] == 2
