"""Jobs that write exist only where an environment enables them, with no more permissions than they need."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engines.infra.conftest import QUEUE, TARGET
from tests.engines.infra.environment import refuses
from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

TABLES = [f"arn:aws:dynamodb:us-east-1:111111111111:table/{name}" for name in ("Orders", "Customers")]


@pytest.fixture(scope="session")
def acting_stack(templates: Mapping[str, Template]) -> Template:
    return templates["acting"]


def function(template: Template, state: str) -> dict[str, Any]:
    return dict(template.the("AWS::Lambda::Function", FunctionName=f"skipscan-acting-{state}"))


@pytest.mark.parametrize("environment", ["plain", "full"])
def test_an_environment_without_writing_has_no_job_and_no_right_to_write(
    templates: Mapping[str, Template], environment: str
) -> None:
    text = json.dumps(templates[environment].document)
    assert "-act" not in text
    assert not any(action in text for action in ("PutItem", "DeleteItem", "UpdateItem", "plan_act"))
    for function in templates[environment].every("AWS::Lambda::Function"):
        assert "sqs:" not in str(templates[environment].permissions(function["Role"]))


def test_only_act_may_write_and_only_to_the_tables_named(acting_stack: Template) -> None:
    writes = {
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:DeleteItem",
        "lambda:InvokeFunction",
        "sqs:SendMessage",
        "sqs:GetQueueUrl",
    }
    may = {
        state: {p for p in acting_stack.permissions(function(acting_stack, state)["Role"]) if p[0] in writes}
        for state in ("plan", "scan", "finish", "report", "plan-act", "act", "finish-act", "report-act")
    }
    assert may.pop("act") == {
        *((f"dynamodb:{action}", table) for action in ("GetItem", "PutItem", "DeleteItem") for table in TABLES),
        ("lambda:InvokeFunction", TARGET),
        ("sqs:SendMessage", QUEUE),
        ("sqs:GetQueueUrl", QUEUE),
    }
    assert may == {state: set() for state in may}


def test_finish_act_may_only_describe_the_tables(acting_stack: Template) -> None:
    may = acting_stack.permissions(function(acting_stack, "finish-act")["Role"])
    assert {p for p in may if p[0].startswith("dynamodb:")} == {("dynamodb:DescribeTable", table) for table in TABLES}


def test_plan_act_gets_the_tables_and_their_targets(acting_stack: Template) -> None:
    variable = function(acting_stack, "plan-act")["Environment"]["Variables"]["SKIPSCAN_WRITING"]
    assert json.loads(variable) == {TABLES[0]: [TARGET, QUEUE], TABLES[1]: []}


def test_a_job_writes_only_below_its_run(acting_stack: Template) -> None:
    for state in ("plan-act", "act", "finish-act"):
        puts = {p[1] for p in acting_stack.permissions(function(acting_stack, state)["Role"]) if p[0] == "s3:PutObject"}
        assert puts
        assert all(name.startswith("the bucket/skipscan/*/acts/*/") for name in puts)


def test_act_is_a_loop_like_the_listing(acting_stack: Template) -> None:
    machine = acting_stack.the("AWS::StepFunctions::StateMachine", StateMachineName="skipscan-acting-act")
    text = "".join(part if isinstance(part, str) else "arn" for part in machine["DefinitionString"]["Fn::Join"][1])
    definition = json.loads(text)
    assert definition["StartAt"] == "Plan act"
    worker = definition["States"]["Workers"]["ItemProcessor"]["States"]
    assert set(worker) == {"Act", "Keys left?", "Wait for the rate", "Worker done"}
    assert definition["States"]["Workers"]["ItemSelector"] == {"work.$": "$.work", "worker.$": "$$.Map.Item.Value"}
    assert {"Act complete?", "Act incomplete", "Act done", "Plan only", "Finish act"} <= set(definition["States"])


@pytest.mark.parametrize(
    ("writing", "place", "rule"),
    [
        ({"Other": {"act": True}}, "writing.Other", "not in tables"),
        ({"Orders": {"acts": True}}, "writing.Orders.acts", "act, targets"),
        ({"Orders": {"act": "yes"}}, "writing.Orders.act", "true or false"),
        (
            {"Orders": {"act": True, "targets": ["receiver"]}},
            "writing.Orders.targets.0",
            "Lambda function or an SQS queue",
        ),
    ],
)
def test_a_mistake_stops_synth(writing: dict[str, Any], place: str, rule: str) -> None:
    refuses({"writing": writing}, place, rule)
