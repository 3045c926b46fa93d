"""What a process of the suite removes when it ends is removed, however long that takes."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from local.checkout import ROOT, environ
from tests.suite import endings

SECONDS = 300
TESTS = """
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


@pytest.mark.long
def test_a_process_may_take_longer_to_end_than_pytest_xdist_gives_it(tmp_path: Path) -> None:
    (tmp_path / "test_left.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "1", "-p", endings.__name__, "-p", "no:randomly"]
    with subprocess.Popen(command, cwd=tmp_path, env=environ(PYTHONPATH=str(ROOT))) as running:
        try:
            deadline = monotonic() + SECONDS
            while not (tmp_path / "ending").exists():
                assert monotonic() < deadline
                sleep(0.05)
            with suppress(subprocess.TimeoutExpired):
                running.wait(12)  # longer than the default: the process that ends is held for so long
            (tmp_path / "late").touch()
            assert running.wait(SECONDS) == 0
        finally:
            running.kill()
    assert not (tmp_path / "left").exists()
