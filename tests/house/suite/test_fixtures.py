"""A fixture's name means one thing: it is defined once in the whole suite, what several files need in a conftest.py."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("tests")
DECORATED = re.compile(r"^\s*@(pytest\.)?fixture\b", re.MULTILINE)
"""To parse every file of tests takes seconds."""


def fixtures(source: str) -> Iterator[str]:
    """Return the name of every fixture that a module defines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                if ast.unparse(call.func if call else decorator) in {"fixture", "pytest.fixture"}:
                    said = [word.value for word in call.keywords if word.arg == "name"] if call else []
                    yield str(ast.literal_eval(said[0])) if said else node.name


def test_a_fixture_s_name_is_defined_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        source = path.read_text()
        for name in fixtures(source) if DECORATED.search(source) else ():
            places[name].append(path.as_posix())
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice == {}, "say in the name what is special, or move what is the same to a conftest.py"
    assert len(places) > 100


def test_every_way_to_define_a_fixture_is_seen() -> None:
    ways = """
@pytest.fixture
def plain(): ...
@pytest.fixture(scope="session", name="named")
def another(): ...
class TestAny:
    @fixture()
    async def inside(self): ...
@pytest.mark.usefixtures("used")
def test_any(): ...
"""
    assert list(fixtures(ways)) == ["plain", "named", "inside"]
