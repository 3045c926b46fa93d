"""The command in a process of its own: what it says, asks and writes, and what it leaves when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from local.checkout import ROOT
from tests.engines.e2e.conftest import Deployment
from tests.engines.e2e.verify.conftest import kit_of
from verify.removal import found
from verify.thing import Thing

pytestmark = pytest.mark.xdist_group("embedded")

ENVIRONMENT = "other"
"""An environment of its own by name, because `--clean` removes what any launch has left: it has the same machine."""

CHECK = "failed-condition"
WAITING = "tests.engines.e2e.verify.waiting"
WAITS = "waits"
"""That module's check, which does not end by itself."""

MOST_SECONDS = 600


def start(folder: Path, *options: str, program: str = "verify") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", program, "--env", ENVIRONMENT, "--profile", "ministack", "--keys", "20"]
    return subprocess.Popen(
        [*command, "--folder", str(folder), *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "lambdas")])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str], answer: str | None = None) -> tuple[int, str]:
    said, _ = process.communicate(answer, timeout=MOST_SECONDS)
    return process.returncode, said


@pytest.fixture(scope="module", autouse=True)
def verified_environment(deployment: Deployment, profiles: object) -> None:
    names = ("StateMachineArn", "BucketName")
    template = {
        "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {name: {"Value": deployment.outputs[name]} for name in names},
    }
    stack, client = f"skipscan-{ENVIRONMENT}", deployment.account.cloudformation
    client.create_stack(StackName=stack, TemplateBody=json.dumps(template))
    client.get_waiter("stack_create_complete").wait(StackName=stack, WaiterConfig={"Delay": 1, "MaxAttempts": 600})


def left() -> set[Thing]:
    return set(found(kit_of("ministack", "look", ENVIRONMENT), lambda line: None))


def report(folder: Path) -> dict[str, object]:
    [document] = folder.glob("*.json")
    [page] = folder.glob("*.md")
    assert CHECK in page.read_text() or WAITS in page.read_text()
    said: dict[str, object] = json.loads(document.read_text())
    return said


def test_it_says_what_it_creates_and_creates_nothing_without_consent(tmp_path: Path) -> None:
    status, said = finish(start(tmp_path, "--only", CHECK), "n\n")
    assert status == 130
    for word in (
        "1 checks in account 000000000000",
        "minutes and $0.0",
        f"skipscan-verify-{ENVIRONMENT}-",
        "nothing was made",
    ):
        assert word in said, said
    assert list(tmp_path.iterdir()) == []
    assert left() == set()


def test_a_check_is_run_reported_and_everything_is_removed(tmp_path: Path) -> None:
    status, said = finish(start(tmp_path, "--only", CHECK, "--yes"))
    assert status == 0, said
    assert f"held         {CHECK}: the answer holds the item" in said
    assert report(tmp_path)["counts"] == {"held": 1, "did not hold": 0, "could not be tried": 0}
    assert left() == set()


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_removes_everything_and_reports_what_was_tried(tmp_path: Path, by: signal.Signals) -> None:
    process = start(tmp_path, "--only", CHECK, "--only", WAITS, "--yes", program=WAITING)
    wait_for(process, f" {CHECK}:")
    process.send_signal(by)
    status, said = finish(process)
    assert status == 130, said
    assert report(tmp_path)["interrupted"] is True
    assert left() == set()


@pytest.mark.long
def test_after_a_kill_the_option_clean_removes_what_is_left(tmp_path: Path) -> None:
    process = start(tmp_path, "--only", CHECK, "--only", WAITS, "--yes", program=WAITING)
    wait_for(process, f" {CHECK}:")
    process.kill()
    finish(process)
    tables = left()
    assert len(tables) == 2
    status, said = finish(start(tmp_path, "--clean"), "n\n")
    assert (status, left()) == (130, tables)
    status, said = finish(start(tmp_path, "--clean", "--yes"))
    assert (status, left()) == (0, set()), said
    status, said = finish(start(tmp_path, "--clean", "--yes"))
    assert (status, said) == (0, "No leftovers of earlier launches\n")


def wait_for(process: subprocess.Popen[str], text: str) -> None:
    assert process.stdout
    for line in process.stdout:
        if text in line:
            return
    raise AssertionError(f"it ended without {text}")
