"""Each promise of docs/reliability.md names tests that run: with `make test`, unless its row says `make test-all`."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.docs.document import rows

PAGE = Path("docs/reliability.md")
TEXT = PAGE.read_text()
PROMISES = [
    row for heading in re.findall(r"^## .*", TEXT, re.MULTILINE) if f"{heading}\n\n| promise" in TEXT
    for row in rows(PAGE, heading)
]  # fmt: skip


def test_every_promise_is_found() -> None:
    tables = [section for section in re.split("^## ", TEXT, flags=re.MULTILINE) if "| promise |" in section]
    assert len(PROMISES) == sum(len(re.findall(r"^\| ", table, re.MULTILINE)) - 1 for table in tables)
    assert len(PROMISES) > 15


@pytest.mark.parametrize("promise", PROMISES, ids=lambda row: row[0][:60])
def test_every_promise_names_tests_that_run(promise: list[str]) -> None:
    """A file of tests, a folder that has some, or a test of a file (`tests/test_file.py::test_name`)."""
    named = re.findall(r"`(tests/[\w/.:]+)`", promise[1])
    tests = {name: named_by(name) for name in named if "test_" in name or not name.endswith(".py")}
    assert tests, promise[0]
    assert [name for name, found in tests.items() if not found] == []
    if "`make test-all`" not in promise[1]:
        assert any(not is_long for found in tests.values() for is_long in found.values()), promise[0]


def named_by(name: str) -> dict[str, bool]:
    """Return the tests that pytest collects for a name, and of each whether `make test` leaves it out."""
    place, _, function = name.partition("::")
    path = Path(place)
    files = [path] if path.suffix else sorted(path.rglob("test_*.py"))
    found = {f"{file}::{test}": is_long for file in files for test, is_long in functions(file).items()}
    return {test: is_long for test, is_long in found.items() if not function or test.endswith(f"::{function}")}


def functions(file: Path) -> dict[str, bool]:
    """Return the functions of a module that are tests, and of each whether it is marked as long."""
    body = ast.parse(file.read_text()).body
    of_all = [
        mark
        for step in body
        if isinstance(step, ast.Assign) and ast.unparse(step.targets[0]) == "pytestmark"
        for mark in (step.value.elts if isinstance(step.value, ast.List) else [step.value])
    ]
    return {
        step.name: "pytest.mark.long" in map(ast.unparse, [*of_all, *step.decorator_list])
        for step in body
        if isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef) and step.name.startswith("test_")
    }
