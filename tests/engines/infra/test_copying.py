"""A copy reads its source and writes to its target alone; its replicator too, with a queue of late looks."""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.section import CdkJsonError
from skipscan.copy.replica import DELAY_SECONDS
from tests.engines.infra.conftest import AUDIT_STREAM
from tests.engines.infra.template import Template
from tests.fakes.iam.documents import documented
from tests.refusal import failed

pytestmark = pytest.mark.xdist_group("synth")

SOURCE = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit"
TARGET = f"{SOURCE}-2"


@pytest.fixture(scope="session")
def copying(templates: Mapping[str, Template]) -> Template:
    return templates["copying"]


def function(template: Template, state: str) -> dict[str, Any]:
    return dict(template.the("AWS::Lambda::Function", FunctionName=f"skipscan-copying-{state}"))


def allowed(template: Template, state: str, service: str) -> set[tuple[str, str]]:
    permissions = template.permissions(function(template, state)["Role"])
    return {(action, resource) for action, resource in permissions if action.startswith(f"{service}:")}


def on(table: str, *actions: str) -> set[tuple[str, str]]:
    return {(f"dynamodb:{action}", table) for action in actions}


@pytest.mark.parametrize("environment", ["plain", "full", "retrofit"])
def test_an_environment_without_copy_has_none(templates: Mapping[str, Template], environment: str) -> None:
    text = json.dumps(templates[environment].document)
    assert not any(word in text for word in ("copy_page", "stream.replicator", "CopyStateMachineArn"))


def test_sources_are_read_and_targets_written_to(copying: Template) -> None:
    backups = ("DescribeContinuousBackups", "UpdateContinuousBackups")
    creates = on(TARGET, "DescribeTable", "CreateTable", *backups, "TagResource", "ListTagsOfResource")
    assert allowed(copying, "plan-copy", "dynamodb") == on(SOURCE, "DescribeTable", "Scan") | creates
    puts = on(TARGET, "DescribeTable", "Scan", "GetItem", "PutItem")
    assert allowed(copying, "copy-page", "dynamodb") == on(SOURCE, "DescribeTable", "Scan", "GetItem") | puts
    assert allowed(copying, "finish-copy", "dynamodb") == on(SOURCE, "DescribeTable") | on(TARGET, "DescribeTable")
    stream = on(AUDIT_STREAM, "DescribeStream", "GetRecords", "GetShardIterator") | {("dynamodb:ListStreams", "*")}
    writes = on(TARGET, "GetItem", "PutItem", "DeleteItem")
    assert allowed(copying, "copy-Audit", "dynamodb") == on(SOURCE, "DescribeTable", "GetItem") | writes | stream


@pytest.mark.parametrize("state", ["plan-copy", "copy-page"])
def test_states_that_read_within_a_budget_may_declare_it(copying: Template, state: str) -> None:
    allotments = "the bucket/skipscan/*/copies/*/allotments/*"
    assert {(f"s3:{action}", allotments) for action in ("PutObject", "PutObjectTagging")} <= allowed(
        copying, state, "s3"
    )


def test_a_table_may_be_created_with_the_source_s_key(copying: Template) -> None:
    # https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
    key = "arn:aws:kms:us-east-1:{}:key/{}"
    via = " if kms:ViaService StringEquals dynamodb.us-east-1.amazonaws.com"
    own = f"{key.format(222222222222, 'c0000000-0000-4000-8000-000000000000')}{via}"
    creates = ("CreateGrant", "DescribeKey", "Encrypt", "Decrypt", "ReEncrypt*", "GenerateDataKey*")
    default = (
        "kms:DescribeKey",
        f"{key.format(111111111111, '*')} if kms:RequestAlias StringEquals alias/aws/dynamodb",
    )
    assert allowed(copying, "plan-copy", "kms") == {*((f"kms:{action}", own) for action in creates), default}
    assert allowed(copying, "copy-page", "kms") == {("kms:Decrypt", own)}


def test_plan_copy_waits_for_the_recovery_of_a_table_that_it_created(copying: Template, plain: Template) -> None:
    machine = copying.the("AWS::StepFunctions::StateMachine", StateMachineName="skipscan-copying-copy")
    text = "".join(part if isinstance(part, str) else "arn" for part in machine["DefinitionString"]["Fn::Join"][1])
    [waits] = [
        each
        for each in json.loads(text)["States"]["Plan copy"]["Retry"]
        if each["ErrorEquals"] == ["ContinuousBackupsUnavailableException"]
    ]
    assert waits["MaxAttempts"] * waits["IntervalSeconds"] >= 20 * 60
    assert waits["BackoffRate"] == 1
    assert "ContinuousBackups" not in json.dumps(plain.the("AWS::StepFunctions::StateMachine"))


def test_a_copy_may_only_send_to_the_queue_and_the_replicator_receive(copying: Template) -> None:
    assert {action for action, _ in allowed(copying, "copy-page", "sqs")} == {"sqs:SendMessage"}
    assert {action for action, _ in allowed(copying, "copy-Audit", "sqs")} >= {"sqs:ReceiveMessage", "sqs:SendMessage"}
    assert allowed(copying, "plan-copy", "sqs") == set()


def test_plan_copy_knows_what_invokes_the_replicator_and_may_look_at_nothing_else(copying: Template) -> None:
    kind = "AWS::Lambda::EventSourceMapping"
    mappings = {name for name, resource in copying.document["Resources"].items() if resource["Type"] == kind}
    assert len(mappings) == 2
    known = function(copying, "plan-copy")["Environment"]["Variables"]["SKIPSCAN_MAPPINGS"]["Fn::Join"][1]
    assert {part["Ref"] for part in known if isinstance(part, dict)} == mappings
    text = "".join(part["Ref"] if isinstance(part, dict) else part for part in known)
    assert [{*names} for names in json.loads(text)] == [mappings]
    [looks] = [
        statement
        for policy in copying.every("AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Action"] == "lambda:GetEventSourceMapping"
    ]
    arns = [resource["Fn::Join"][1] for resource in looks["Resource"]]
    assert {arn[1]["Ref"] for arn in arns} == mappings
    assert {arn[0] for arn in arns} == {"arn:aws:lambda:us-east-1:111111111111:event-source-mapping:"}
    assert {action for action, _ in allowed(copying, "plan-copy", "lambda")} == {"lambda:GetEventSourceMapping"}


def test_plan_copy_knows_what_retrofits_may_write_to(company: Template, copying: Template) -> None:
    def known(template: Template, name: str) -> Any:
        plan = template.the("AWS::Lambda::Function", FunctionName=f"skipscan-{name}-plan-copy")
        return json.loads(plan["Environment"]["Variables"]["SKIPSCAN_RETROFIT"])

    assert (known(company, "company"), known(copying, "copying")) == (["Orders"], [])


def test_the_replicator_sees_every_kind_of_change_and_its_late_looks(copying: Template) -> None:
    stream = copying.the("AWS::Lambda::EventSourceMapping", EventSourceArn=AUDIT_STREAM)
    pattern = json.loads(stream["FilterCriteria"]["Filters"][0]["Pattern"])
    assert pattern == {"eventName": ["INSERT", "MODIFY", "REMOVE"]}
    assert stream["StartingPosition"] == "TRIM_HORIZON"
    (late,) = [m for m in copying.every("AWS::Lambda::EventSourceMapping") if "StartingPosition" not in m]
    assert late["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert late["ScalingConfig"] == {"MaximumConcurrency": 10}


def test_no_function_runs_so_long_that_its_put_arrives_after_the_late_look(copying: Template, full: Template) -> None:
    """Lambda's own maximum is longer: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html."""
    for template in (copying, full):
        assert max(function["Timeout"] for function in template.every("AWS::Lambda::Function")) <= DELAY_SECONDS


def test_every_write_of_the_replicator_has_arrived_before_the_late_look_of_the_same_moment(copying: Template) -> None:
    signature_seconds = 300
    assert function(copying, "copy-Audit")["Timeout"] + signature_seconds < DELAY_SECONDS


def test_every_queue_is_encrypted_and_the_late_looks_have_a_dead_letter_queue(copying: Template) -> None:
    queues = copying.every("AWS::SQS::Queue")
    assert len(queues) == 3
    assert all(queue["SqsManagedSseEnabled"] is True for queue in queues)
    (late,) = [queue for queue in queues if "RedrivePolicy" in queue]
    assert late["VisibilityTimeout"] >= 6 * function(copying, "copy-Audit")["Timeout"]


def test_it_is_a_loop_like_the_listing(copying: Template) -> None:
    machine = copying.the("AWS::StepFunctions::StateMachine", StateMachineName="skipscan-copying-copy")
    text = "".join(part if isinstance(part, str) else "arn" for part in machine["DefinitionString"]["Fn::Join"][1])
    definition = json.loads(text)
    assert definition["StartAt"] == "Plan copy"
    assert set(definition["States"]["Workers"]["ItemProcessor"]["States"]) == {
        "Copy page",
        "Pages left?",
        "Wait for the rate",
        "Worker done",
    }


STREAM_ELSEWHERE = AUDIT_STREAM.replace("us-east-1", "eu-west-1")


@pytest.mark.parametrize(
    ("copy", "facts"),
    [
        ({"stream": AUDIT_STREAM}, [".copy.to is missing; ", "table's name"]),
        ({"to": "Audit-2"}, [".copy.stream is missing; ", "the ARN"]),
        ({"to": "Audit", "stream": AUDIT_STREAM}, ['.copy.to is "Audit"; ']),
        (
            {"to": "Audit-2", "stream": STREAM_ELSEWHERE},
            [f'.copy.stream is "{STREAM_ELSEWHERE}"; ', "account and region"],
        ),
        ({"to": "Audit-2", "stream": AUDIT_STREAM, "separator": "keep"}, ['separator is "keep"; ']),
        ({"to": "Audit-2", "stream": AUDIT_STREAM, "set": {"a": "{b"}}, ['"{b"', "position 0"]),
    ],
)
def test_a_mistake_in_cdk_json_stops_synth(copy: dict[str, Any], facts: list[str]) -> None:
    environment = {"account": "111111111111", "region": "us-east-1", "tables": ["Audit"]}
    with failed(CdkJsonError, *facts):
        read_environments({"copying": {**environment, "writing": {"Audit": {"copy": copy}}}})


def test_the_policy_of_a_cut_over_names_the_queues_as_cloudformation_does(copying: Template) -> None:
    counted = [grant.resource for grant in documented("cut-over") if grant.action == "sqs:GetQueueAttributes"]
    patterns = [pattern.rpartition("ENVIRONMENT-")[2] for pattern in counted]
    queues = [name for name, one in copying.document["Resources"].items() if one["Type"] == "AWS::SQS::Queue"]
    assert len(queues) == 3
    assert [queue for queue in queues if not any(fnmatchcase(f"{queue}-x", pattern) for pattern in patterns)] == []
