"""A seed means the same schedules and histories in a process of its own, in the suite, and however strings hash."""

import os
import subprocess
import sys

import pytest

from local.checkout import ROOT, environ

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
for module in sys.argv[1:]:
    __import__(module)
from hypothesis import HealthCheck, given, seed, settings
from tests.simulation.faults.machine import SETTINGS
from tests.simulation.faults.run import run
from tests.simulation.histories.run import schedules

@seed(7)
@settings(max_examples=20, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(SETTINGS)
def show(setting):
    print(setting)

show()
tally = run(3, 7)
print(sorted(tally.faults.items()), sorted(tally.outcomes.items(), key=str), tally.schedules)
print(sorted(schedules(3, 7, ("send", "copy", "marker keeper")).items()))
"""
OTHERS = (
    "tests.simulation.inputs.bent",
    "tests.fakes.handlers.execution",
    "tests.fakes.iam.policy",
    "benchmarks.limit.figures",
)
PATHS = (".", "lambdas", "tools")


def schedules(*modules: str, hashing: int) -> str:
    """Return what the schedules of a seed were made of, in a new process that has loaded these modules before."""
    command = [sys.executable, "-c", PROGRAM, *modules]
    variables = environ(PYTHONHASHSEED=str(hashing), PYTHONPATH=os.pathsep.join(str(ROOT / path) for path in PATHS))
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True).stdout


@pytest.mark.long
def test_a_seed_means_the_same_schedules_alone_and_in_the_suite() -> None:
    alone = schedules(hashing=1)
    assert len(alone.splitlines()) > 15
    assert schedules(*OTHERS, hashing=2) == alone
