"""What the processes of pytest-xdist do not send, and what its scheduler forgets, is missed by nobody."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from local.checkout import ROOT, environ
from tests.house.suite.distribution import Groups

TESTS = """
import pytest

@pytest.fixture
def begins_badly(): 1 / 0

@pytest.fixture
def ends_badly():
    yield
    1 / 0

@pytest.mark.parametrize("n", range(20))
def test_good(n): ...
def test_bad(): 1 / 0
def test_without_a_beginning(begins_badly): ...
def test_without_an_end(ends_badly): ...
@pytest.mark.skip
def test_left_out(): ...
@pytest.mark.xdist_group("any")
def test_a(): ...
@pytest.mark.xdist_group("any")
def test_b(): ...
"""


@pytest.mark.slow
def test_every_outcome_of_other_processes_is_shown(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]")
    pytester.makepyfile(TESTS)
    plugin = ["-p", "tests.house.suite.distribution"]
    command = [sys.executable, "-m", "pytest", *plugin, "-n2", "--dist=loadgroup", "-ra"]
    ran = subprocess.run(
        command, cwd=pytester.path, env=environ(PYTHONPATH=str(ROOT)), capture_output=True, text=True, check=False
    )
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout + ran.stderr
    for outcome in ("1 failed", "23 passed", "1 skipped", "2 errors"):
        assert outcome in ran.stdout.splitlines()[-1]
    assert "100%" in ran.stdout


class Node:
    """A process: `given` are the tests that it has been told to run."""

    gateway = SimpleNamespace(id="any")

    def __init__(self) -> None:
        self.given: list[int] = []
        self.shutting_down = False

    def send_runtest_some(self, tests: list[int]) -> None:
        self.given += tests

    def shutdown(self) -> None:
        self.shutting_down = True


def test_each_test_is_given_once_and_what_is_done_is_forgotten(pytester: pytest.Pytester) -> None:
    tests = [*(f"test_any.py::test_{n}" for n in range(7)), *(f"test_any.py::test_{n}@group" for n in "abc")]
    groups: Any = Groups(pytester.parseconfig("--tx=2*popen", "--no-loadscope-reorder"))
    nodes = [Node(), Node()]
    for node in nodes:
        groups.add_node(node)
        groups.add_node_collection(node, tests)
    groups.schedule()
    done: list[int] = []
    while ready := [(node, test) for node in nodes for test in node.given if test not in done]:
        node, test = ready[0]
        groups.mark_test_complete(node, test)
        done.append(test)
        assert all(False in group.values() for given in groups.assigned_work.values() for group in given.values())
    assert sorted(done) == list(range(len(tests)))
    assert groups.tests_finished
    assert any({7, 8, 9} <= set(node.given) for node in nodes)
