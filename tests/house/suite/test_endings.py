"""What a process of the suite removes when it ends is removed, however long that takes, and after Ctrl-C too."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from local.checkout import ROOT, environ
from tests.house.suite import endings

pytestmark = [pytest.mark.posix, pytest.mark.slow]  # process groups and their signals

SECONDS = 300
ENDS_LATE = """
import atexit, time
from pathlib import Path

left = Path("left")
left.mkdir(exist_ok=True)

def end():
    Path("ending").touch()
    while not Path("late").exists():
        time.sleep(0.05)
    left.rmdir()

def test_leaves_something_to_the_end():
    atexit.register(end)
"""
INTERRUPTED = """
import time
from pathlib import Path

import pytest

@pytest.fixture(scope="session")
def started():
    left = Path("left")
    left.mkdir()
    yield
    Path("ending").touch()
    while not Path("late").exists():
        time.sleep(0.05)
    left.rmdir()

def test_takes_long(started):
    Path("begun").touch()
    time.sleep(600)
"""


@contextmanager
def suite(folder: Path, tests: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run tests in a folder with one process of pytest-xdist, in a process group of its own."""
    (folder / "test_left.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-n", "1", "-p", endings.__name__, "-p", "no:randomly", "--basetemp=tmp"]
    environment = environ(PYTHONPATH=str(ROOT), PYTEST_ADDOPTS="")
    with subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True) as running:
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def wait_for(file: Path) -> None:
    deadline = monotonic() + SECONDS
    while not file.exists():
        assert monotonic() < deadline
        sleep(0.05)


@pytest.mark.long
def test_a_process_may_take_longer_to_end_than_pytest_xdist_gives_it(tmp_path: Path) -> None:
    with suite(tmp_path, ENDS_LATE) as running:
        wait_for(tmp_path / "ending")
        with suppress(subprocess.TimeoutExpired):
            running.wait(12)  # longer than the default: the process that ends is held for so long
        (tmp_path / "late").touch()
        assert running.wait(SECONDS) == 0
    assert not (tmp_path / "left").exists()


def test_a_second_ctrl_c_does_not_cut_short_what_the_first_one_removes(tmp_path: Path) -> None:
    with suite(tmp_path, INTERRUPTED) as running:
        wait_for(tmp_path / "begun")
        os.killpg(running.pid, signal.SIGINT)
        wait_for(tmp_path / "ending")
        os.killpg(running.pid, signal.SIGINT)
        (tmp_path / "late").touch()
        assert running.wait(SECONDS) == pytest.ExitCode.INTERRUPTED
    assert not (tmp_path / "left").exists()


@pytest.mark.long
def test_an_interrupted_suite_has_time_to_remove_what_it_started(tmp_path: Path) -> None:
    with suite(tmp_path, INTERRUPTED) as running:
        wait_for(tmp_path / "begun")
        running.send_signal(signal.SIGINT)  # the process that runs the test is not told
        wait_for(tmp_path / "ending")
        with suppress(subprocess.TimeoutExpired):
            running.wait(12)  # execnet would kill after ten
        (tmp_path / "late").touch()
        assert running.wait(SECONDS) == pytest.ExitCode.INTERRUPTED
    assert not (tmp_path / "left").exists()
