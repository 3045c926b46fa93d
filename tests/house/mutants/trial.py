"""Trials of mutants: each in a copy of the package below build/, by a process of its own.

The work tree's sources are only read. Children are forked from this process, which has imported what takes long (boto3,
moto, pytest and its plugins) and nothing of the product, so that a trial begins within milliseconds.
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import shutil
import signal
import sys
import traceback
import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import pytest
from hypothesis.errors import HypothesisSideeffectWarning

from tests.house.mutants.rooms import INFRA, PACKAGE, Witness
from tests.house.suite import PLUGINS
from tests.house.suite.models import LOADER

CPU_SECONDS = 300
"""No set of witnesses takes as long: a mutant that does goes round in a circle. The machine's load does not count."""

TEST_CPU_SECONDS = 10
"""Nor does any test take as long. It is ended by its name."""

COUNTED = "not long and not snapshot"
"""The tests that may notice a defect."""

MEMORY_BYTES = 4 << 30
"""No test takes a quarter of it. A mutant that collects without an end has a MemoryError, and the machine lives on."""

WAITING_SECONDS = 90
"""Of one test, for a mutant that sleeps or waits for ever; long enough for a busy machine. It ends the whole trial,
because other threads may wait, too."""

IMPORTED_ONCE = (
    *("aws_lambda_powertools.utilities.typing", "boto3.s3.inject", "moto", "numpy.random", "rich.console"),
    *("_pytest.pytester", "_hypothesis_pytestplugin", "pytest_timeout", *PLUGINS),
)
"""What takes long and is nothing of the product: imported before a child is forked, and by the child for nothing."""

SERVICES = ("dynamodb", "s3", "stepfunctions", "lambda", "cloudwatch")
"""Whose models most trials read."""

SURVIVED, DIED, UNFIT = 0, 1, 99
"""Exit statuses of a child. Unfit: it did not test the copy."""

BUILD = Path("build/mutants")


@dataclass(frozen=True)
class Trial:
    """`changed`: the sources that differ, by their paths below the package, those of infra below the checkout."""

    name: str
    changed: Mapping[Path, str]
    witness: Witness


@dataclass(frozen=True)
class Verdict:
    """`said`: the end of what the witness printed. `killer`: the test that failed or did not end; empty if none did."""

    trial: Trial
    is_dead: bool
    said: str
    killer: str

    @property
    def is_late(self) -> bool:
        """Whether a test was ended by the clock: by a mutant that waits for ever, or by the machine's load."""
        return self.is_dead and "+ Timeout +" in self.said


def tried(trials: Iterable[Trial], processes: int) -> Iterator[Verdict]:
    """Yield a verdict for every trial, as they come; so many run at a time."""
    BUILD.mkdir(parents=True, exist_ok=True)
    import_once()
    with ExitStack() as stack:
        # A program that a test started may still be writing its compiled modules.
        folders = [TemporaryDirectory(dir=BUILD, ignore_cleanup_errors=True) for _ in range(processes)]
        free = [Copy(Path(stack.enter_context(folder)).resolve()) for folder in folders]
        running: dict[int, tuple[Copy, Trial]] = {}
        waiting = iter(trials)
        while True:
            while free and (trial := next(waiting, None)):
                copy = free.pop()
                running[copy.begin(trial)] = copy, trial
            if not running:
                return
            child, status = os.wait()
            copy, trial = running.pop(child)
            yield copy.end(trial, status)
            free.append(copy)


@cache
def import_once() -> None:
    """Load what every child needs, and let no collection of garbage write to it: children share its memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisSideeffectWarning)  # it takes this for the start of pytest
        hypothesis.strategies.text().validate()  # finds out what characters there are
        for name in IMPORTED_ONCE:
            importlib.import_module(name)
    for service in SERVICES:
        for kind in ("service-2", "endpoint-rule-set-1"):
            LOADER.load_service_model(service, kind)
    gc.freeze()


@dataclass
class Copy:
    """A copy of the package that one trial at a time has to itself."""

    root: Path
    _times: Iterator[int] = field(default_factory=lambda: count(1_000_000_000))

    def __post_init__(self) -> None:
        self._output, self._killer, self._running = (self.root / name for name in ("output", "killer", "running"))
        for folder in (PACKAGE, INFRA):
            # With the compiled forms, for a copy has the times of its original; without those that are being written.
            shutil.copytree(folder, self.root / folder, ignore=shutil.ignore_patterns("*.pyc.*"))
        # What infra and its tests read beside the code: documents, settings, and in build/ the wheels for the zip.
        for each in Path().resolve().iterdir():
            if each.name not in {PACKAGE.name, INFRA.name, "tests", ".git"}:
                (self.root / each.name).symlink_to(each)

    def begin(self, trial: Trial) -> int:
        """Change the copy and return the id of the process that tries it."""
        for path, text in trial.changed.items():
            self._write(path, text)
        for file in (self._killer, self._running):
            file.write_text("")
        child = os.fork()
        if child:
            return child
        try:
            code = self._try(trial.witness)
        except BaseException:
            traceback.print_exc()
            code = UNFIT
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    def end(self, trial: Trial, status: int) -> Verdict:
        for path in trial.changed:
            shutil.copy2(_place(path), self.root / _place(path))
        said = "\n".join(self._output.read_text(errors="replace").splitlines()[-25:])
        code = os.waitstatus_to_exitcode(status)  # below 0: killed, for it went round in a circle
        if code == UNFIT:
            raise RuntimeError(f"{trial.name} was not tried:\n{said}")
        if code == SURVIVED:
            return Verdict(trial, is_dead=False, said=said, killer="")
        return Verdict(trial, is_dead=True, said=said, killer=self._killer.read_text() or self._running.read_text())

    def _write(self, path: Path, text: str) -> None:
        """Write a source at a time of its own, so that no compiled form of another one passes for it."""
        target = self.root / _place(path)
        target.write_text(text)
        time = next(self._times)
        os.utime(target, (time, time))

    def _try(self, witness: Witness) -> int:
        """Run a witness in this process; return what it shows."""
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
        with self._output.open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(self.root / "hypothesis")
        package = str(self.root / PACKAGE)
        # After sys.path[0] has been given the copy, the editable install of the work tree is never asked.
        sys.path.insert(0, package)
        assert "skipscan" not in sys.modules
        # Also what a test starts tries the copy; a test that loads the product from the work tree tries nothing.
        os.environ["PYTHONPATH"] = os.pathsep.join((package, str(self.root), str(self.root / "tools")))
        if witness.engines:
            # pytest puts the checkout first, which has an infra too.
            sys.path.insert(0, str(self.root))
            assert str(importlib.import_module("infra").__file__).startswith(str(self.root))
        failure = FirstFailure(self._killer, self._running)
        return _by_tests(witness, f"{package} {self.root}", self.root / "tmp", failure)


def _place(path: Path) -> Path:
    """Return where a changed source is, below the checkout or its copy."""
    return path if path.parts[0] == INFRA.name else PACKAGE / path


def pytest_arguments(package: str, temporary: Path) -> list[str]:
    """Return how pytest tries a mutant: with the product from these folders, and the same examples each time."""
    hypothesis.settings.register_profile(
        "mutants",
        deadline=None,
        database=None,
        max_examples=40,
        derandomize=True,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    chosen = ["--assert=plain", "--tb=native", "--hypothesis-profile=mutants", "-o", f"pythonpath={package} . tools"]
    chosen += ["-o", f"timeout={WAITING_SECONDS}", "-o", "timeout_method=thread"]
    chosen += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    # Without xdist nobody declares its mark.
    chosen += ["-o", "markers=xdist_group"]
    chosen += ["-o", "addopts=--strict-markers", "--disable-plugin-autoload", "-p", "no:cacheprovider"]
    chosen += ["-p", "_hypothesis_pytestplugin", "-p", "pytest_timeout", "-p", "no:unraisableexception"]
    # Two runs that share their temporary folders may remove an old one at the same time, and then end with an error.
    return [*chosen, f"--basetemp={temporary}"]


def _by_tests(witness: Witness, package: str, temporary: Path, failure: FirstFailure) -> int:
    chosen = ["-x", *pytest_arguments(package, temporary)]
    chosen += ["-o", "addopts=", "-m", COUNTED if witness.engines else f"{COUNTED} and not engine"]
    code = int(pytest.main([*chosen, *witness.paths], [FastFirst(), failure, InTime()]))
    return SURVIVED if code in {0, pytest.ExitCode.NO_TESTS_COLLECTED} else DIED


class FirstFailure:
    """Keeps the node ids of what failed first, and of what runs, in files; the latter for what never ends."""

    def __init__(self, file: Path, running: Path) -> None:
        self._file, self._running = file, running

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._running.write_text(nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._keep(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._keep(report)

    def _keep(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.failed and not self._file.read_text():
            self._file.write_text(report.nodeid)


class InTime:
    """Ends a test in which a mutant goes round in a circle."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        signal.signal(signal.SIGPROF, _round_in_a_circle)
        signal.setitimer(signal.ITIMER_PROF, TEST_CPU_SECONDS, 1)  # again and again: Hypothesis repeats what failed
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _round_in_a_circle(*_: object) -> None:
    pytest.fail(f"the test took {TEST_CPU_SECONDS} s of CPU", pytrace=False)


class FastFirst:
    """Runs first what is marked neither slow nor with an engine: mostly it notices, and the trial ends."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: [item.get_closest_marker(mark) is not None for mark in ("engine", "slow")])
