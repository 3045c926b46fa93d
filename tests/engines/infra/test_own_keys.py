"""Customer managed keys of histories and of late looks: what is encrypted with them, and which roles may use them."""

from __future__ import annotations

from typing import Any

import pytest

from infra.cdk_json import read_environments
from tests.engines.infra.conftest import AUDIT_STREAM
from tests.engines.infra.environment import GOOD, KEY, refuses
from tests.engines.infra.template import Template
from tests.engines.infra.test_company import stack_of

pytestmark = pytest.mark.xdist_group("synth")

EXECUTIONS, LATE = (
    f"arn:aws:kms:us-east-1:111111111111:key/{digit}0000000-0000-4000-8000-000000000000" for digit in "ef"
)
USES = ("kms:Decrypt", "kms:GenerateDataKey")


@pytest.fixture(scope="module")
def own() -> Template:
    return stack_of(
        tables=["Audit"],
        encryption={"executions": EXECUTIONS, "late_looks": LATE},
        writing={"Audit": {"act": True, "copy": {"to": "Audit-2", "stream": AUDIT_STREAM}}},
        schedules={"nightly": {"expression": "rate(1 day)", "input": {"table": "Audit"}}},
    )


def used(template: Template, role: Any, key: str) -> set[tuple[str, str]]:
    """Return what a role may do with a key, and on which condition."""
    return {
        (action, on.removeprefix(f"{key} if "))
        for action, on in template.permissions(role)
        if on.startswith(key) and action.startswith("kms:")
    }


def test_every_state_machine_is_encrypted_with_the_key_of_executions(own: Template, plain: Template) -> None:
    machines = own.every("AWS::StepFunctions::StateMachine")
    assert len(machines) == 3
    for machine in machines:
        assert machine["EncryptionConfiguration"]["Type"] == "CUSTOMER_MANAGED_KMS_KEY"
        assert machine["EncryptionConfiguration"]["KmsKeyId"] == EXECUTIONS
    assert "EncryptionConfiguration" not in plain.the("AWS::StepFunctions::StateMachine")


def test_a_machine_uses_the_key_for_itself_and_its_workers_alone(own: Template) -> None:
    for machine in own.every("AWS::StepFunctions::StateMachine"):
        arn = f"arn:aws:states:us-east-1:111111111111:stateMachine:{machine['StateMachineName']}"
        context = f"kms:EncryptionContext:aws:states:stateMachineArn StringLike {[arn, f'{arn}/*']}"
        assert used(own, machine["RoleArn"], EXECUTIONS) == {(use, context) for use in USES}


def test_schedules_start_and_plan_reads_executions_through_step_functions(own: Template) -> None:
    through = "kms:ViaService StringEquals states.us-east-1.amazonaws.com"
    schedule = own.the("AWS::Scheduler::Schedule")["Target"]["RoleArn"]
    assert used(own, schedule, EXECUTIONS) == {(use, through) for use in USES}
    plan = own.the("AWS::Lambda::Function", FunctionName="skipscan-big-plan")["Role"]
    assert used(own, plan, EXECUTIONS) == {("kms:Decrypt", through)}


def test_late_looks_and_their_dead_letters_are_encrypted_with_their_key(own: Template) -> None:
    """Both hold keys of items; the messages about a stream's failures hold none."""
    encrypted = [queue for queue in own.raw("AWS::SQS::Queue") if queue["Properties"].get("KmsMasterKeyId") == LATE]
    assert sorted("RedrivePolicy" in queue["Properties"] for queue in encrypted) == [False, True]
    redriven = next(
        queue["Properties"]["RedrivePolicy"] for queue in encrypted if "RedrivePolicy" in queue["Properties"]
    )
    dead = redriven["deadLetterTargetArn"]["Fn::GetAtt"][0]
    assert own.document["Resources"][dead] in encrypted


@pytest.mark.parametrize("function", ["copy-page", "copy-Audit"])
def test_who_sends_and_who_receives_late_looks_uses_their_key_through_sqs(own: Template, function: str) -> None:
    role = own.the("AWS::Lambda::Function", FunctionName=f"skipscan-big-{function}")["Role"]
    assert used(own, role, LATE) == {(use, "kms:ViaService StringEquals sqs.us-east-1.amazonaws.com") for use in USES}


def test_no_other_role_uses_these_keys(own: Template) -> None:
    users = {"copy-page", "copy-Audit", "plan"}
    for function in own.every("AWS::Lambda::Function"):
        if function["FunctionName"].removeprefix("skipscan-big-") not in users:
            assert not used(own, function["Role"], LATE) | used(own, function["Role"], EXECUTIONS)


@pytest.mark.parametrize("field", ["executions", "late_looks"])
def test_a_key_is_an_arn_of_the_region(field: str) -> None:
    [environment] = read_environments({"prod": {**GOOD, "encryption": {field: KEY}}})
    assert getattr(environment.encryption, field) == KEY
    refuses({"encryption": {field: KEY.replace("us-east-1", "eu-west-1")}}, f"encryption.{field}", "in us-east-1")
