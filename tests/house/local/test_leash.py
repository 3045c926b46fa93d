from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from local.checkout import environ
from local.leash import leashed

pytestmark = pytest.mark.engine

# A program with a child: it writes both process ids and waits for ever.
FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
time.sleep(600)
"""
DEAF_FAMILY = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)" + FAMILY


def read_family(log: Path) -> list[str]:
    """The process ids of a family, once it has written them to `log`."""
    deadline = time.monotonic() + 300
    while not log.read_text().endswith("\n"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return log.read_text().split()


def running(processes: list[str]) -> list[str]:
    """Return those of `processes` that are still running; zombies do not count."""
    table = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True)
    states = dict(line.split() for line in table.stdout.splitlines())
    return [process for process in processes if not states.get(process, "Z").startswith("Z")]


def await_end(processes: list[str]) -> None:
    """Wait until none of them runs: one that was killed ends when the machine comes to it."""
    deadline = time.monotonic() + 300
    while running(processes):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("program", [FAMILY, DEAF_FAMILY], ids=["plain", "deaf to SIGTERM"])
def test_leaving_the_block_ends_the_program_and_its_child(program: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-c", program]
    with log.open("wb") as output, leashed(command, environ={}, folder=tmp_path, output=output):
        processes = read_family(log)
        assert running(processes) == processes
    await_end(processes)


@pytest.mark.parametrize(("program", "status"), [("raise SystemExit(7)", 7), ("import os; os.abort()", 134)])
def test_hands_on_the_exit_status(program: str, status: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", program]
    with (
        (tmp_path / "log").open("wb") as output,
        leashed(command, environ=environ(), folder=tmp_path, output=output) as process,
    ):
        assert process.wait() == status
