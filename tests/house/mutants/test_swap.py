"""A mutant takes effect in functions that are loaded already, wherever they are held."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.house.mutants.swap import Loaded, sources_exchanged

CODE = """
from functools import cached_property, wraps

LIMIT = 3

def counted(function):
    @wraps(function)
    def call(*given):
        return function(*given) + 0
    return call

def below(number, most=10):
    return number < most

class Shelf:
    size = 4

    @property
    def room(self):
        return self.size - 1

    @cached_property
    def books(self):
        return [each * 2 for each in range(self.size)]

    @counted
    def heavy(self):
        return 7

    def adder(self):
        step = 1
        return lambda number: number + step
"""


@pytest.fixture
def swapped_module(tmp_path: Path) -> ModuleType:
    path = tmp_path / "shelves.py"
    path.write_text(CODE)
    spec = importlib.util.spec_from_file_location("shelves", path)
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize(
    ("old", "new", "shown", "is_shown"),
    [
        ("number < most", "number <= most", lambda m: m.below(10), (False, True)),
        ("size - 1", "size + 1", lambda m: m.Shelf().room, (3, 5)),
        ("each * 2", "each / 2", lambda m: m.Shelf().books, ([0, 2, 4, 6], [0.0, 0.5, 1.0, 1.5])),
        ("return 7", "return 8", lambda m: m.Shelf().heavy(), (7, 8)),
        ("number + step", "number - step", lambda m: m.Shelf().adder()(5), (6, 4)),
        (
            "return number < most",
            "\n\n    return True",
            lambda m: (m.below(99), m.Shelf().room),
            ((False, 3), (True, 3)),
        ),
    ],
)
def test_a_function_that_is_loaded_does_what_the_mutant_does(
    swapped_module: ModuleType,
    tmp_path: Path,
    *,
    old: str,
    new: str,
    shown: Callable[[ModuleType], object],
    is_shown: tuple[object, object],
) -> None:
    before, after = is_shown
    assert shown(swapped_module) == before
    pairs = sources_exchanged(tmp_path, {Path("shelves.py"): CODE.replace(old, new)})
    assert pairs is not None
    assert len(pairs) == 1
    assert Loaded(tmp_path).exchange(pairs)
    assert shown(swapped_module) == after


@pytest.mark.parametrize(
    ("old", "new"),
    [("LIMIT = 3", "LIMIT = 4"), ("size = 4", "size = 5"), ("most=10", "most=11"), ("@property\n", "\n")],
)
def test_what_runs_when_a_module_is_imported_is_exchanged_in_no_function(
    swapped_module: ModuleType, tmp_path: Path, old: str, new: str
) -> None:
    assert sources_exchanged(tmp_path, {Path("shelves.py"): CODE.replace(old, new)}) is None
    assert swapped_module.LIMIT == 3


def test_a_function_that_is_not_loaded_is_left_to_a_process_that_imports_it(tmp_path: Path) -> None:
    (tmp_path / "shelves.py").write_text(CODE)
    pairs = sources_exchanged(tmp_path, {Path("shelves.py"): CODE.replace("return 7", "return 8")})
    assert pairs
    assert not Loaded(tmp_path).exchange(pairs)
