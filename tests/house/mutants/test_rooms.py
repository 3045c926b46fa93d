"""Every module has tests near it, and every defect that is said to be harmless is one that is drawn."""

import ast

import pytest

from tests.house.mutants.harmless import REASONS
from tests.house.mutants.rooms import imports, possible, rooms

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sources")]


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
