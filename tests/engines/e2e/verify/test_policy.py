"""docs/policies/verify.json, run.json and jobs.json let a person run the kit, and verify.json nothing else."""

from __future__ import annotations

import pytest

from local.checkout import ACCOUNT, REGION
from tests.engines.e2e.verify.conftest import CALLS, Recorded
from tests.engines.e2e.verify.needs import needs
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import Grant, Need, is_allowed
from verify.checks import CHECKS

pytestmark = pytest.mark.xdist_group("embedded")

PLACE = {"account": ACCOUNT, "region": REGION, "environment": "e2e"}
INTERRUPTED = {"states:StopExecution"}
"""Actions that the kit needs only if it ends while its own executions are running."""


def allowed(name: str, bucket: str) -> set[Grant]:
    return documented(name, bucket=bucket, **PLACE)


def test_every_call_is_allowed(recorded: Recorded) -> None:
    for name in ("skip-global-index", "put-once", "refused-invocation", "statement-conditions", "stream-order"):
        recorded.attempt("ministack", name)
    bucket = recorded.kits["ministack"].deployment.bucket
    grants = allowed("run", bucket) | allowed("jobs", bucket) | allowed("verify", bucket)
    assert len(CALLS) > 50
    assert {need for call in CALLS for need in needs(call) if not is_allowed(need, grants)} == set()


@pytest.mark.long
@pytest.mark.refused_by_aws  # the check lean-client asks for a refusal
def test_nothing_is_allowed_that_is_not_needed(recorded: Recorded) -> None:
    for name in CHECKS:
        recorded.attempt("dynalite", name)
        if recorded.is_of_dynamodb(name):
            recorded.attempt("ministack", name)
    recorded.clean()
    bucket = recorded.kits["ministack"].deployment.bucket
    run, verify = allowed("run", bucket) | allowed("jobs", bucket), allowed("verify", bucket)
    needed = {need for call in CALLS for need in needs(call)}
    assert {need for need in needed if not is_allowed(need, run | verify)} == set()
    beside_run = {need for need in needed if not is_allowed(need, run)}
    spare = {grant.action for grant in verify if all(is_allowed(need, verify - {grant}) for need in beside_run)}
    assert spare == INTERRUPTED


@pytest.mark.parametrize(
    ("action", "resource"),
    [
        ("dynamodb:DeleteTable", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Orders"),
        ("dynamodb:PutItem", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Orders"),
        ("dynamodb:Scan", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Orders"),
        ("dynamodb:DeleteTable", f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/skipscan-verify-prod-1-run"),
        ("s3:DeleteObject", "arn:aws:s3:::results/skipscan/Orders/runs/x/manifest.json"),
        ("s3:PutObject", "arn:aws:s3:::results/skipscan/Orders/runs/x/manifest.json"),
        ("lambda:PutFunctionConcurrency", f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:skipscan-e2e-scan"),
        *(
            ("lambda:InvokeFunction", f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:skipscan-{name}")
            for name in ("e2e-act", "e2e-plan", "e2e-retrofit", "e2e-copy-page", "e2e-keeper-Orders", "e2e-2-scan")
        ),
        ("lambda:DeleteFunction", f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:skipscan-e2e-scan"),
        ("iam:PutRolePolicy", f"arn:aws:iam::{ACCOUNT}:role/skipscan-e2e-Plan"),
        ("iam:AttachRolePolicy", f"arn:aws:iam::{ACCOUNT}:role/skipscan-verify-e2e-1-role"),
        ("states:DeleteStateMachine", f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:skipscan-e2e"),
    ],
)
def test_nothing_but_the_kits_own_may_be_touched(action: str, resource: str) -> None:
    assert not is_allowed(Need(action, resource), allowed("verify", "results"))
