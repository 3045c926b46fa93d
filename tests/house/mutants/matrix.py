"""The kill matrix: random defects of every room, and all tests that notice each, not only the first one.

`python -m tests.house.mutants.matrix --each 50 --seed 52 FILE.jsonl` draws so many defects of each room, from each room
in turn, and appends a line for each: its room and address, how many recorded tests call what it changes, how many of
these were tried, and those that noticed it. A second call goes on where the first one stopped. It needs
`python -m tests.house.mutants --record`. For infra, whose defects are missing properties of templates: properties.py.

A session of pytest collects the tests once. A defect of a function is tried in a fork of this session, in which the
code of the function is replaced. What a module declares is tried in a fork that has imported nothing of the product.
`python -m tests.house.mutants --matrix` tries the defects of MATRIX again.
"""

from __future__ import annotations

import argparse
import gc
import json
import lzma
import os
import resource
import signal
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.machinery import SourceFileLoader
from itertools import chain, zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.house.mutants.harmless import REASONS
from tests.house.mutants.mutant import PACKAGE
from tests.house.mutants.record import Record
from tests.house.mutants.rooms import RoomDefect, drawn_of_rooms, rooms
from tests.house.mutants.trial import COUNTED, MEMORY_BYTES, import_once, pytest_arguments

MATRIX = Path(__file__).with_name("matrix.jsonl.xz")

SECONDS = 2.0
"""Of the tests of a defect, by their record: so that a thousand defects take an hour of a quiet core."""
TRIAL_SECONDS = 60
LATE = 3
"""Tests that a clock ends; after so many the other tests of the defect are left out."""
TESTS = ("tests/unit", "tests/simulation", "tests/house")
LEFT_OUT = ("tests/house/mutants", "tests/house/suite", "tests/house/installed")

_get_code = SourceFileLoader.get_code


@dataclass
class Trial:
    """`tests`: those to try. `callers`: how many tests call what changes."""

    defect: RoomDefect
    tests: Sequence[str]
    callers: int

    @cached_property
    def path(self) -> Path:
        return (PACKAGE / self.defect.variation.path).resolve()

    @cached_property
    def codes(self) -> tuple[CodeType, CodeType]:
        """The code of the module as it is, and with the defect."""
        texts = self.path.read_text(), self.defect.variation.text
        before, after = (compile(text, self.path, "exec", dont_inherit=True) for text in texts)
        return before, after

    @cached_property
    def is_declared(self) -> bool:
        """Whether the defect is in what runs when the module is imported, a parameter's default for example."""
        before, after = (list(_declared(code)) for code in self.codes)
        return before != after


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _declared(code: CodeType) -> Iterator[tuple[object, ...]]:
    """Yield what the code of a module and of its classes does, without that of functions."""
    constants = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    yield code.co_qualname, code.co_code, constants, code.co_names
    for each in _inner(code):
        if not each.co_flags & 2:  # CO_NEWLOCALS: it is a function's
            yield from _declared(each)


def _whole(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in _inner(code):
        yield from _whole(each)


class Functions:
    """The product's functions in this process, by their code."""

    def __init__(self) -> None:
        gc.unfreeze()  # gc returns no permanent objects: tests/house/suite/heap.py
        self._of: dict[CodeType, list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and Path(each.__code__.co_filename).is_relative_to(PACKAGE.resolve()):
                self._of[each.__code__].append(each)
        gc.freeze()

    def change(self, trial: Trial) -> None:
        named: dict[str, list[CodeType]] = defaultdict(list)
        before, after = trial.codes
        for code in _whole(after):
            named[code.co_qualname].append(code)
        for code in _whole(before):
            if named[code.co_qualname]:
                changed = named[code.co_qualname].pop(0)
                for function in self._of.get(code, ()):
                    function.__code__ = changed


def change_imports(trial: Trial) -> None:
    """Give the defect to whoever imports its module from now on."""

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return trial.codes[1] if Path(self.path).resolve() == trial.path else _get_code(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


class Noticing:
    """Runs tests, and writes at once which begin (`B`) and fail (`F`), and the end (`E`).

    `seconds`: of each test, of which it may take four times as many.
    """

    def __init__(self, log: Path, seconds: Mapping[str, float], tests: Collection[str] = ()) -> None:
        self._log, self._seconds, self._tests, self._late = log.open("w", buffering=1), seconds, tests, 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = file_by_file(items, self._tests)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.run(session.items)
        return True

    def run(self, items: Sequence[pytest.Item]) -> None:
        for item, following in zip_longest(items, items[1:]):
            if self._late < LATE:
                self._write("B", item.nodeid)
                signal.signal(signal.SIGPROF, self._end_test)
                signal.setitimer(signal.ITIMER_PROF, 3 + 4 * self._seconds.get(item.nodeid, 1.0), 1)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                signal.setitimer(signal.ITIMER_PROF, 0)
        self._write("E")

    def all_fail(self) -> None:
        for test in self._tests:
            self._write("B", test)
            self._write("F", test)
        self._write("E")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write("F", report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._write("F", report.nodeid)

    def _write(self, kind: str, name: str = "") -> None:
        self._log.write(f"{kind} {name}\n")

    def _end_test(self, *_: object) -> None:
        self._late += 1
        pytest.fail("too much CPU", pytrace=False)


def file_by_file(items: Collection[pytest.Item], tests: Collection[str]) -> list[pytest.Item]:
    """Return these tests; those of a file together, so that their fixtures are made once."""
    wanted = set(tests)
    return sorted((item for item in items if item.nodeid in wanted), key=lambda item: item.nodeid.partition("::")[0])


@dataclass
class Results:
    """A file of results, with the files of its trials beside it."""

    file: Path

    @property
    def log(self) -> Path:
        return self.file.with_suffix(".log")

    def done(self) -> set[str]:
        """Return the addresses that have a line."""
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        return {json.loads(line)["defect"] for line in lines}

    def add(self, trial: Mapping[str, object], tries: Callable[[], None]) -> None:
        """Try a defect in a fork, and write its line. `trial`: what the line begins with."""
        self.log.write_text("")
        begun = time.monotonic()
        child = os.fork()
        if not child:
            self._in_child(tries)
        _, status, used = os.wait4(child, 0)
        lines = [line.partition(" ")[::2] for line in self.log.read_text(errors="replace").splitlines()]
        tried = list(dict.fromkeys(name for kind, name in lines if kind == "B"))
        noticed = list(dict.fromkeys(name for kind, name in lines if kind == "F"))
        is_whole = ("E", "") in lines
        if not is_whole and status and tried:
            noticed = list(dict.fromkeys([*noticed, tried[-1]]))  # a limit ended the process in this test
        spent = {"cpu": round(used.ru_utime + used.ru_stime, 1), "seconds": round(time.monotonic() - begun, 1)}
        line = {**trial, "tried": len(tried), "whole": is_whole, **spent, "noticed": noticed}
        with self.file.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def _in_child(self, tries: Callable[[], None]) -> None:
        said = os.open(self.file.with_suffix(".said"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (TRIAL_SECONDS, TRIAL_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
        try:
            tries()
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)


@dataclass
class Matrix:
    trials: Sequence[Trial]
    results: Results
    record: Record
    beside: Results | None

    @cached_property
    def _seconds(self) -> Mapping[str, float]:
        return {test: seconds for test, (seconds, _) in self.record.tests.items()}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the defects of functions in forks of this session."""
        functions = Functions()
        for trial in self._left(is_declared=False):
            items = file_by_file(session.items, trial.tests)
            self._add(trial, partial(self._in_session, trial, items, functions))
        return True

    def _in_session(self, trial: Trial, items: Sequence[pytest.Item], functions: Functions) -> None:
        functions.change(trial)
        change_imports(trial)
        noticing = Noticing(self.results.log, self._seconds)
        if items:
            items[0].config.pluginmanager.register(noticing)
        noticing.run(items)

    def declared(self) -> None:
        for trial in self._left(is_declared=True):
            self._add(trial, partial(self._from_import, trial))

    def _from_import(self, trial: Trial) -> None:
        change_imports(trial)
        noticing = Noticing(self.results.log, self._seconds, trial.tests)
        files = sorted({test.partition("::")[0] for test in trial.tests})
        code = pytest.main([*self.arguments(), *files], [noticing])
        if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}:
            noticing.all_fail()  # the product cannot be imported

    def arguments(self) -> list[str]:
        return [
            *pytest_arguments(str(PACKAGE), self.results.file.with_suffix(".tmp")),
            "-m",
            f"{COUNTED} and not engine",
        ]

    def _left(self, *, is_declared: bool) -> Iterator[Trial]:
        for trial in self.trials:
            is_done = self.beside is not None and trial.defect.variation.name in self.beside.done()
            if trial.is_declared is is_declared and not is_done:
                yield trial

    def _add(self, trial: Trial, tries: Callable[[], None]) -> None:
        of = {"room": trial.defect.room, "defect": trial.defect.variation.name, "callers": trial.callers}
        self.results.add(of, tries)


def tests_of(function: str, record: Record) -> tuple[list[str], int]:
    """Return tests that call a function, within SECONDS, and how many call it.

    A case of each test comes before the second one of any, and first those that call little else.
    """
    cases: dict[str, list[str]] = defaultdict(list)
    for test in sorted(record.calling[function], key=lambda test: record.tests[test][0]):
        cases[test.partition("[")[0]].append(test)
    ranked = sorted(cases.values(), key=lambda of: len(record.tests[of[0]][1]))
    found, left = [], SECONDS
    for test in filter(None, chain.from_iterable(zip_longest(*ranked))):
        if record.tests[test][0] <= left:
            left -= record.tests[test][0]
            found.append(test)
    return found, len(record.calling[function])


def drawn(each: int, seed: int, record: Record, done: Collection[str]) -> list[Trial]:
    """Return so many defects of each room, in turn, without those that are known to be harmless."""
    of_rooms: dict[str, list[Trial]] = defaultdict(list)
    for defect in drawn_of_rooms(each, seed, [room for room in rooms() if room != "infra"]):
        if defect.variation.name not in {*REASONS, *done}:
            of_rooms[defect.room].append(Trial(defect, *tests_of(defect.variation.function, record)))
    return [trial for trial in chain.from_iterable(zip_longest(*of_rooms.values())) if trial]


def died() -> dict[str, list[str]]:
    """Return the defects of MATRIX that a test noticed, each with a few of these tests that may be there still."""
    lines = [json.loads(line) for line in lzma.decompress(MATRIX.read_bytes()).splitlines()]
    return {
        line["defect"]: [test for test in line["noticed"] if Path(test.partition("::")[0]).exists()][:3]
        for line in lines
        if line["noticed"]
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.house.mutants.matrix")
    parser.add_argument("file", type=Path)
    parser.add_argument("--each", type=int, default=50, help="defects of each room")
    parser.add_argument("--seed", type=int, default=52)
    parser.add_argument("--beside", type=Path, help="the file of another process; this one begins at the end")
    asked: Any = parser.parse_args()
    results, record = Results(asked.file.resolve()), Record.read()
    found = drawn(asked.each, asked.seed, record, results.done())
    beside = Results(asked.beside) if asked.beside else None
    matrix = Matrix(found[::-1] if beside else found, results, record, beside)
    import_once()
    if not (session := os.fork()):
        files = [*TESTS, *(f"--ignore={folder}" for folder in LEFT_OUT)]
        os._exit(pytest.main([*matrix.arguments(), *files], [matrix]))
    os.waitpid(session, 0)
    matrix.declared()
    return 0


if __name__ == "__main__":
    sys.exit(main())
