"""Which functions of the product each test calls, and how long each test takes: recorded once, for trials of mutants.

`python -m tests.house.mutants --record` runs the fast tests without an engine under this plugin and writes RECORD. A
function is known by its name, so the record holds when code is edited or moved within its file.
"""

import ast
import builtins
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.machinery import SourceFileLoader
from itertools import accumulate
from pathlib import Path
from types import CodeType
from typing import Any, Self

import pytest

from tests.house.mutants.mutant import Witness

RECORD = Path("build/mutants-record.json")
PARTS = Path("build/mutants-record")
ROOT = Path("lambdas").resolve()

TESTS = ("tests/unit", "tests/simulation", "tests/house", "--ignore=tests/house/mutants", "--ignore=tests/house/suite")

FILES, FILE_SECONDS, SECONDS = 24, 10.0, 60.0
"""Of a defect: files of tests, the CPU of one file's tests, and that of all."""
LONG_SECONDS = 2.0
"""What takes longer comes last in its file."""

_get_code = SourceFileLoader.get_code


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before any conftest imports the product."""
    PARTS.mkdir(parents=True, exist_ok=True)
    assert "skipscan" not in sys.modules
    recorder = Recorder()
    builtins.__called__ = recorder.called.add  # type: ignore[attr-defined]
    SourceFileLoader.get_code = _noting  # type: ignore[method-assign, assignment]
    early_config.pluginmanager.register(recorder, "mutants-recorder")


class Recorder:
    """`tests`: of each test its seconds and the functions called, by their path and name."""

    def __init__(self) -> None:
        self.tests: dict[str, tuple[float, list[str]]] = {}
        self.called: set[str] = set()
        self._fixtures: dict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        begun = time.process_time()
        with self._apart() as called:
            result = yield
        for name in getattr(item, "fixturenames", ()):
            called |= self._fixtures[name]
        self.tests[item.nodeid.partition("@")[0]] = (round(time.process_time() - begun, 4), sorted(called))
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """What a shared fixture calls, it calls for every test that asks for it."""
        if fixturedef.scope == "function":
            return (yield)
        with self._apart() as called:
            result = yield
        self._fixtures[fixturedef.argname] |= called
        return result

    def pytest_sessionfinish(self) -> None:
        if self.tests:
            (PARTS / f"{os.getpid()}.json").write_text(json.dumps(self.tests))

    @contextmanager
    def _apart(self) -> Iterator[set[str]]:
        """Give the set of what is called meanwhile."""
        before, found = set(self.called), set[str]()
        self.called.clear()
        yield found
        found |= self.called
        self.called.clear()
        self.called |= before


def _noting(self: SourceFileLoader, fullname: str) -> CodeType | None:
    """Return the code of a module; a function of the product notes that it is called."""
    path = Path(self.path)
    if not path.is_relative_to(ROOT):
        return _get_code(self, fullname)
    tree = ast.parse(path.read_bytes())
    place = f"{path.relative_to(ROOT).as_posix()}:"
    _note(tree, place)
    # What stands outside of functions runs when the module is loaded: of a handler, by every test that starts one.
    after = next((n for n, each in enumerate(tree.body) if not _comes_first(each)), len(tree.body))
    tree.body.insert(after, ast.parse(f"__called__({place!r})").body[0])
    return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)


def _comes_first(statement: ast.stmt) -> bool:
    is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_docstring or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _note(node: ast.AST, place: str) -> None:
    """Add to every function its note, but for functions within functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            _note(child, f"{place}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            note = ast.parse(f"__called__({place + child.name!r})").body[0]
            after = int(ast.get_docstring(child) is not None)
            child.body.insert(after, ast.copy_location(note, child.body[0]))
            for each in ast.walk(note):
                ast.copy_location(each, child.body[0])
        else:
            _note(child, place)


@dataclass(frozen=True)
class Record:
    """`tests`: of each test its seconds and the functions that it calls."""

    tests: Mapping[str, tuple[float, list[str]]]

    @classmethod
    def read(cls) -> Self:
        """Return what was recorded; nothing if there is no record."""
        return cls(json.loads(RECORD.read_text()) if RECORD.exists() else {})

    def callers(self, function: str, nearest: Sequence[str]) -> Witness:
        """Return the tests that call a function; of a path alone, those that call any function of it.

        First those of the nearest files, then those that call little else; of each file, and of all, so many as take
        not too long.
        """
        calling = self.calling[function]
        rank = {file: place for place, file in enumerate(nearest)}
        of_files: dict[str, list[str]] = defaultdict(list)
        for test in sorted(calling, key=lambda test: (self.tests[test][0] > LONG_SECONDS, len(self.tests[test][1]))):
            of_files[test.partition("::")[0]].append(test)
        files = sorted(of_files, key=lambda file: rank.get(file, len(rank)))[:FILES]
        chosen = [test for file in files for test in self._within(FILE_SECONDS, of_files[file])]
        return Witness.alone(*self._within(SECONDS, chosen))

    @cached_property
    def calling(self) -> Mapping[str, list[str]]:
        """The tests that call each function, or any of a path."""
        found: dict[str, list[str]] = defaultdict(list)
        for test, (_, functions) in self.tests.items():
            for function in {*functions, *(f"{function.partition(':')[0]}:" for function in functions)}:
                found[function].append(test)
        return found

    def _within(self, seconds: float, tests: Sequence[str]) -> list[str]:
        so_far = accumulate(self.tests[test][0] for test in tests)
        return [
            test for place, (test, taken) in enumerate(zip(tests, so_far, strict=True)) if not place or taken < seconds
        ]


def record(processes: int) -> int:
    """Run the tests, write RECORD from what the processes of pytest wrote, and return pytest's exit status."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        str(processes),
        "-p",
        __name__,
        "-q",
        "-m",
        "not long and not engine and not slow and not snapshot",
    ]
    status = subprocess.run([*command, *TESTS], check=False).returncode
    found: dict[str, Any] = {}
    for part in PARTS.glob("*.json"):
        found |= json.loads(part.read_text())
        part.unlink()
    RECORD.write_text(json.dumps(found))
    return status
