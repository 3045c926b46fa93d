"""Every check on the embedded AWS, the rights that they need, and that nothing is left of the kit."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.checkout import ACCOUNT, REGION, ROOT
from tests.engines.e2e.verify.conftest import ENVIRONMENT, Place
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import Need, is_allowed
from verify.check import Outcome
from verify.checks import CHECKS
from verify.checks.jobs import to_copy
from verify.kit import Kit
from verify.run import attempt

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order]
long = pytest.mark.long

WRONG, MISSING = Outcome.NOT_HELD, Outcome.NOT_TRIED
DEVIATIONS = {
    "results-never-change": (WRONG, "evaluates no bucket policy"),
    "waiting-workers": (MISSING, "names the refusal Lambda.Unknown, which no retrier knows"),
    "error-names": (WRONG, "reports Runtime.HandlerError whatever was raised"),
    "metrics": (MISSING, "makes no metrics of log lines"),
    "table-key": (WRONG, "makes a table in a stack without its key"),
    "redrive": (MISSING, "denies nothing, so that the run does not fail"),
    "alarm": (MISSING, "denies nothing, so that no run fails"),
    "schedule-dead-letter": (MISSING, "denies no start, and has no dead letters of schedules"),
    "state-size": (WRONG, "knows no limit of a state's size"),
    "stream-failures": (MISSING, "takes a stream's batch for done, whatever the function reports"),
    "copy": (MISSING, "the environment has no copy: another test deploys one"),
    "copy-follows": (MISSING, "the environment has no copy: another test deploys one"),
}
ACTIONS = {
    "s3:HeadObject": "s3:GetObject",
    "s3:ListObjectsV2": "s3:ListBucket",
    "s3:DeleteObjects": "s3:DeleteObject",
    "lambda:Invoke": "lambda:InvokeFunction",
    "sqs:SendMessageBatch": "sqs:SendMessage",
}
"""Where the right has another name than the call."""

SERVICES = {"stepfunctions": "states", "dynamodbstreams": "dynamodb"}
OTHERS = {"kms:CreateKey"}
"""Calls of the tests."""


@pytest.fixture(scope="module")
def kit(kept_place: Place) -> Iterator[Kit]:
    made = kept_place.kit("checks")
    made.create()
    yield made
    made.remove()


@long
@pytest.mark.parametrize("name", CHECKS)
def test_an_assumption_holds_unless_the_engine_is_known_to_deviate(kit: Kit, name: str) -> None:
    outcome, seen = attempt(kit, CHECKS[name])
    expected, reason = DEVIATIONS.get(name, (Outcome.HELD, "it is like AWS"))
    assert outcome is expected, f"{outcome}: {seen}; expected, because MiniStack {reason}"


def test_after_the_checks_nothing_is_left(kit: Kit, kept_place: Place) -> None:
    assert kept_place.left() != []
    assert kit.remove() == []
    assert kept_place.left() == []
    found = kit.client("s3").list_objects_v2(Bucket=kit.deployment.bucket, Prefix="skipscan/skipscan-verify-")
    assert found.get("KeyCount") == 0


@long
def test_the_policies_have_every_right_that_the_checks_need_and_no_other(kept_place: Place) -> None:
    calls = {
        f"{SERVICES.get(service, service)}:{name}" for service, name in (one.split(":") for one in kept_place.calls)
    }
    needed = {ACTIONS.get(call, call) for call in calls - OTHERS}
    place = {"account": ACCOUNT, "region": REGION, "environment": ENVIRONMENT, "bucket": "results"}
    run, verify = (
        {grant.action for name in names for grant in documented(name, **place)}
        for names in (("run", "jobs"), ("verify",))
    )
    assert needed - run - verify == set()
    assert not any(action.startswith("iam:") for action in verify)
    assert {each for each in verify - needed if each not in BY_CLOUDFORMATION} == set()


BY_CLOUDFORMATION = {
    *(f"dynamodb:{action}" for action in ("CreateTable", "DeleteTable", "TagResource", "ListTagsOfResource")),
    *(f"dynamodb:Describe{what}" for what in ("ContributorInsights", "KinesisStreamingDestination", "TimeToLive")),
    *("dynamodb:GetResourcePolicy", "states:StopExecution", "dynamodb:DescribeStream"),
    *("cloudformation:DescribeStackEvents", "kms:CreateGrant"),
}
"""Rights that CloudFormation uses, or that are used only where the embedded AWS deviates."""


@pytest.mark.parametrize(
    ("action", "resource"),
    [
        ("dynamodb:DeleteTable", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Orders"),
        ("dynamodb:PutItem", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Orders"),
        ("dynamodb:Scan", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Orders"),
        ("s3:DeleteObject", "arn:aws:s3:::results/skipscan/Orders/runs/x/manifest.json"),
        ("s3:PutObject", "arn:aws:s3:::results/skipscan/Orders/runs/x/manifest.json"),
        ("lambda:PutFunctionConcurrency", f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:skipscan-kept-scan"),
        ("lambda:InvokeFunction", f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:skipscan-kept-act"),
        ("cloudformation:DeleteStack", f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/skipscan-kept/1"),
        ("iam:CreateRole", f"arn:aws:iam::{ACCOUNT}:role/skipscan-verify-kept-role"),
        ("iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/skipscan-verify-kept-role"),
    ],
)
def test_nothing_but_the_kits_own_may_be_touched(action: str, resource: str) -> None:
    place = {"account": ACCOUNT, "region": REGION, "environment": ENVIRONMENT, "bucket": "results"}
    assert not is_allowed(Need(action, resource), documented("verify", **place))


def launched(folder: Path, *options: str, program: str = "verify") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", program, "--env", ENVIRONMENT, "--region", REGION, "--keys", "20"]
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


def finished(process: subprocess.Popen[str], answer: str | None = None) -> tuple[int, str]:
    said, _ = process.communicate(answer, timeout=600)
    return process.returncode, said


def test_it_says_what_it_creates_and_creates_nothing_without_consent(kept_place: Place, tmp_path: Path) -> None:
    status, said = finished(launched(tmp_path, "--only", "put-once"), "n\n")
    assert status == 130
    for word in (
        f"1 checks in account {ACCOUNT}",
        f"the CloudFormation stack verify-skipscan-{ENVIRONMENT}",
        "nothing",
    ):
        assert word in said, said
    assert kept_place.left() == []


def test_a_check_is_run_reported_and_everything_is_removed(kept_place: Place, tmp_path: Path) -> None:
    status, said = finished(launched(tmp_path, "--only", "put-once", "--yes"))
    assert (status, "held         put-once: 412" in said) == (0, True), said
    [document] = tmp_path.glob("*.json")
    assert json.loads(document.read_text())["counts"] == {"held": 1, "did not hold": 0, "could not be tried": 0}
    assert kept_place.left() == []


@long
def test_after_an_interruption_everything_is_removed_and_after_a_kill_by_the_option_clean(
    kept_place: Place, tmp_path: Path
) -> None:
    waiting = "tests.engines.e2e.verify.waiting"
    for by in (signal.SIGTERM, signal.SIGKILL):
        process = launched(tmp_path, "--only", "put-once", "--only", "waits", "--yes", program=waiting)
        assert process.stdout
        assert any(" put-once:" in line for line in process.stdout)
        process.send_signal(by)
        status, said = finished(process)
        assert (status, kept_place.left() == []) == ((130, True) if by is signal.SIGTERM else (-9, False)), said
    status, said = finished(launched(tmp_path, "--only", "put-once", "--yes"))
    assert "an earlier launch has left its stack" in said
    assert kept_place.left() == []
    assert finished(launched(tmp_path, "--clean", "--yes"))[0] == 0


@long
def test_what_was_prepared_and_deployed_is_copied_and_followed_in_each_launch(kept_place: Place) -> None:
    kit = kept_place.kit("prepare")
    kit.keep()
    kept_place.deploy(**to_copy(kit))
    for launch in ("first", "second"):
        made = kept_place.kit(launch)
        for check in ("copy", "copy-follows"):
            outcome, seen = attempt(made, CHECKS[check])
            assert outcome is Outcome.HELD, seen
        assert made.remove() == []
        assert kept_place.left() != []
    assert kit.remove(with_kept=True) == []
    assert kept_place.left() == []
