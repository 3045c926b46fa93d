"""What a trial sees: a copy of the product, beside everything else that the checkout has."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.posix]


def test_a_copy_has_what_tests_of_infra_read_beside_the_code(tmp_path: Path) -> None:
    from tests.house.mutants.trial import Copy  # noqa: PLC0415  # it imports what every child needs, which takes seconds

    Copy(tmp_path)
    names = {each.name for each in Path().iterdir()} - {"tests", ".git"}
    assert {"docs", "lambdas", "infra", "cdk.json", ".gitignore", "CHANGELOG.md"} <= names
    assert {each.name for each in tmp_path.iterdir()} == names
    own = {each.name for each in tmp_path.iterdir() if not each.is_symlink()}
    assert own == {"lambdas", "infra"}


TRIALS = """
from pathlib import Path
from tests.house.mutants import trial
from tests.house.mutants.mutant import PACKAGE, Chosen
from tests.house.mutants.noticed import alone

trial.TEST_CPU_SECONDS, trial.WAITING_SECONDS = 1, 10
file, path = "tests/unit/pace/test_budget.py", Path("skipscan/pace/budget.py")

def changed(step):
    never = f"def never(*_, **__):\\n    import time\\n    while True:\\n        {step}\\n\\nBudget.of_batch = never"
    return {path: f"{(PACKAGE / path).read_text()}\\n\\n{never}\\n"}

trials = [trial.Trial(step, changed(step), Chosen((file,))) for step in ("pass", "time.sleep(9)")]
gone = trial.Trial("gone", changed("pass"), alone("tests/unit/pace/test_that_is_gone.py::test_one"))
for verdict in trial.tried([*trials, gone], 2):
    print(verdict.trial.name, verdict.is_dead, verdict.killer)
"""


@pytest.mark.long
def test_what_never_ends_is_named_and_a_test_that_is_gone_notices_nothing() -> None:
    # A process of its own: a trial begins where nothing of the product is imported.
    ended = subprocess.run([sys.executable, "-c", TRIALS], capture_output=True, text=True, check=True)
    *never, gone = sorted(ended.stdout.splitlines(), key=lambda line: line.startswith("gone"))
    assert gone.split() == ["gone", "False"]
    noticed = " True tests/unit/pace/test_budget.py::test_"
    assert [line.partition(noticed)[:2] for line in sorted(never)] == [("pass", noticed), ("time.sleep(9)", noticed)]
