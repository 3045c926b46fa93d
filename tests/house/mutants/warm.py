"""Trials in forks of one process, which has loaded the product and collected the tests of all witnesses.

A mutant is put into the loaded functions (see `swap`). The tests that call them come first, the shortest
before all; the unchanged product shows which they are. What this process cannot decide is left to a process that
imports the mutant: one that differs where the module is imported, and one that survives here, because a test may load
the product anew, or in a process of its own.
"""

import importlib
import os
import pickle
import resource
import shutil
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from cProfile import Profile
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.house.mutants.mutant import PACKAGE, Chosen, Histories, Nearest, Schedules
from tests.house.mutants.swap import Loaded, Place, place, sources_exchanged

LEAST_SECONDS, MOST_TIMES = 5, 10
"""A mutant with which a test takes so many seconds of CPU, and times as many as without, goes round in a circle."""

WAITING_SECONDS, WAITING_TIMES = 60, 50
"""A test that takes so long, and times its seconds of CPU, waits for ever. Other processes may want the same cores."""


@dataclass(eq=False)
class Known:
    """What the unchanged product shows of a test: the functions that it calls, and its seconds of CPU."""

    called: frozenset[Place]
    seconds: float


class Calls:
    """The functions of the product that are called, in all threads. The profiler of Python is written in C."""

    def __init__(self) -> None:
        self._root = f"{PACKAGE.resolve()}/"
        self._profiles: list[Profile] = []

    def begin(self) -> None:
        threading.setprofile(self._begin_thread)
        self._begin_thread()

    def end(self) -> None:
        threading.setprofile(None)
        sys.setprofile(None)

    def taken(self) -> frozenset[Place]:
        """Return what was called since the last time."""
        found = set()
        for profile in self._profiles:
            codes = [entry.code for entry in profile.getstats()]
            found |= {place(c) for c in codes if isinstance(c, CodeType) and c.co_filename.startswith(self._root)}
            profile.clear()
        return frozenset(found)

    def _begin_thread(self, *_: object) -> None:
        profile = Profile(subcalls=False, builtins=False)
        self._profiles.append(profile)
        profile.enable()


@dataclass(eq=False)
class Server:
    """A plugin of pytest: it runs no tests itself, but forks a process for each trial.

    `send` receives the number of a trial, and whether it died and why; None if that is not known.
    """

    trials: Sequence[Any]
    processes: int
    folder: Path
    by_schedules: Callable[[Schedules], int]
    by_histories: Callable[[Histories], int]
    send: Callable[[tuple[int, tuple[bool, str] | None]], object]
    items: dict[str, list[pytest.Item]] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)
    failed: str = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            self.items.setdefault(item.nodeid.partition("::")[0], []).append(item)
        if any(isinstance(trial.witness, Schedules | Histories) for trial in self.trials):
            _load_worlds()
        for path in sorted({path for trial in self.trials for path in trial.changed if path.parts[0] == "skipscan"}):
            # Most tests load a handler, and what it imports, when they run.
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
        self.loaded = Loaded(PACKAGE)
        first = [number for number, trial in enumerate(self.trials) if not trial.changed]
        rest = [number for number, trial in enumerate(self.trials) if trial.changed]
        for numbers in (first, rest):
            for number, found in self._forked(numbers):
                verdict, known = found or (None, {})
                self.known |= known
                self.send((number, verdict))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = f"{report.longreprtext[-1500:]}\nFAILED {report.nodeid}"

    def _forked(self, numbers: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """Yield what a fork for each trial says."""
        waiting = iter(numbers)
        running: dict[int, int] = {}
        while True:
            while len(running) < self.processes and (number := next(waiting, None)) is not None:
                running[self._fork(number)] = number
            if not running:
                return
            child, status = os.wait()
            number = running.pop(child)
            said = self.folder / f"{number}"
            if said.exists():
                yield number, pickle.loads(said.read_bytes())  # noqa: S301  # of a fork of this process
                said.unlink()
            else:  # killed, for it went round in a circle
                yield number, ((True, f"ended with {os.waitstatus_to_exitcode(status)}"), {})
            shutil.rmtree(self.folder / f"tmp{number}", ignore_errors=True)

    def _fork(self, number: int) -> int:
        child = os.fork()
        if child:
            return child
        try:
            found = self._try(number)
            written = self.folder / f"{number}.new"
            written.write_bytes(pickle.dumps(found))
            written.rename(self.folder / f"{number}")
        except BaseException:
            traceback.print_exc()
            (self.folder / f"{number}").write_bytes(pickle.dumps(None))
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)

    def _try(self, number: int) -> tuple[tuple[bool, str], dict[str, Known]] | None:
        """Return whether the mutant of a trial dies and what was said, and what is known of the tests that ran."""
        trial = self.trials[number]
        changed = self._exchanged(trial)
        if changed is None:
            return None
        called = {place(before) for before in changed}
        match trial.witness:
            case Schedules():
                return (bool(self.by_schedules(trial.witness)), ""), {}
            case Histories():
                return (bool(self.by_histories(trial.witness)), ""), {}
            case Chosen() | Nearest():
                items = self._chosen(trial.witness)
        if trial.is_random:
            items = [item for item in items if item.nodeid not in self.known or self.known[item.nodeid].called & called]
        return self._tried(number, items, called) if items else None

    def _tried(
        self, number: int, items: list[pytest.Item], called: set[Place]
    ) -> tuple[tuple[bool, str], dict[str, Known]]:
        factory: Any = items[0].config._tmp_path_factory  # type: ignore[attr-defined]
        factory._given_basetemp, factory._basetemp = self.folder / f"tmp{number}", None
        if not self.trials[number].changed:
            return self._recorded(items)
        for item in items:
            if known := self.known.get(item.nodeid):
                item.add_marker(pytest.mark.timeout(WAITING_SECONDS + WAITING_TIMES * known.seconds), append=False)
        self._run(self._ordered(items, called))
        return (bool(self.failed), self.failed), {}

    def _exchanged(self, trial: Any) -> list[CodeType] | None:
        if any(path.parts[0] == "infra" for path in trial.changed):
            return None
        pairs = sources_exchanged(PACKAGE, trial.changed)
        if pairs is None or not self.loaded.exchange(pairs):
            return None
        return [before for before, _ in pairs]

    def _chosen(self, witness: Chosen | Nearest) -> list[pytest.Item]:
        found = [
            item for path in witness.paths for item in self.items.get(path.partition("::")[0], ()) if _is_of(item, path)
        ]
        if isinstance(witness, Nearest):
            left_out = ("long",) if witness.engines else ("long", "engine")
            found = [item for item in found if not any(map(item.get_closest_marker, left_out))]
        return found

    def _ordered(self, items: list[pytest.Item], called: set[Place]) -> list[pytest.Item]:
        """Return tests that call one of those functions first, short ones before long ones.

        The tests of a file that tell one story stay together.
        """
        stories = defaultdict(list)
        for item in items:
            is_chapter = item.get_closest_marker("in_order") is not None
            stories[item.nodeid.partition("::")[0] if is_chapter else item.nodeid].append(item)

        def rank(story: list[pytest.Item]) -> tuple[bool, float]:
            known = [self.known[each.nodeid] for each in story if each.nodeid in self.known]
            return not any(each.called & called for each in known), sum(each.seconds for each in known)

        return [item for story in sorted(stories.values(), key=rank) for item in story]

    def _recorded(self, items: list[pytest.Item]) -> tuple[tuple[bool, str], dict[str, Known]]:
        """Run tests of the unchanged product; return also which functions each calls."""
        found: dict[str, Known] = {}
        calls, last = Calls(), time.process_time()

        def ended(item: pytest.Item) -> None:
            nonlocal last
            now = time.process_time()
            found[item.nodeid] = Known(calls.taken(), now - last)
            last = now

        calls.begin()
        self._run(items, ended)
        calls.end()
        return (bool(self.failed), self.failed), found

    def _run(self, items: list[pytest.Item], ended: Callable[[pytest.Item], None] = lambda _: None) -> None:
        """Run tests until one fails."""
        session = items[0].session
        for item, following in zip(items, [*items[1:], None], strict=True):
            if known := self.known.get(item.nodeid):
                most = int(time.process_time() + LEAST_SECONDS + MOST_TIMES * known.seconds)
                resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            ended(item)
            if self.failed:
                break
        setup: Any = session._setupstate
        try:
            setup.teardown_exact(None)  # the engines that were started
        except BaseException:
            traceback.print_exc()


def _is_of(item: pytest.Item, path: str) -> bool:
    return "::" not in path or item.nodeid == path or item.nodeid.startswith((f"{path}[", f"{path}::"))


def _load_worlds() -> None:
    import tests.simulation.faults.run  # noqa: PLC0415  # in this process alone
    import tests.simulation.histories.run  # noqa: F401, PLC0415
    from tests.simulation.world.functions import functions  # noqa: PLC0415

    functions()
