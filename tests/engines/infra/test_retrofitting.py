"""Retrofits exist only where an environment enables them, with no more permissions than they need."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engines.infra.template import Template

pytestmark = pytest.mark.xdist_group("synth")

TABLE = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit"
STATES = ("plan-retrofit", "retrofit", "finish-retrofit")


def function(template: Template, state: str) -> dict[str, Any]:
    return dict(template.the("AWS::Lambda::Function", FunctionName=f"skipscan-retrofit-{state}"))


@pytest.mark.parametrize("environment", ["plain", "full", "acting"])
def test_an_environment_without_retrofit_has_none_and_no_right_to_update(
    templates: Mapping[str, Template], environment: str
) -> None:
    text = json.dumps(templates[environment].document)
    assert not any(word in text for word in ("UpdateItem", "plan_retrofit", "RetrofitStateMachineArn"))


def test_a_retrofit_may_update_its_table_alone_and_neither_put_nor_delete(retrofit: Template) -> None:
    allowed = {
        state: {p for p in retrofit.permissions(function(retrofit, state)["Role"]) if p[0].startswith("dynamodb:")}
        for state in STATES
    }
    assert allowed == {
        "plan-retrofit": {
            (f"dynamodb:{action}", TABLE) for action in ("DescribeTable", "DescribeContinuousBackups", "Scan")
        },
        "retrofit": {(f"dynamodb:{action}", TABLE) for action in ("DescribeTable", "Scan", "GetItem", "UpdateItem")},
        "finish-retrofit": {("dynamodb:DescribeTable", TABLE), ("dynamodb:Scan", f"{TABLE}/index/*")},
    }


def test_the_listing_s_functions_cannot_write(retrofit: Template) -> None:
    for state in ("plan", "scan", "finish"):
        actions = {action for action, _ in retrofit.permissions(function(retrofit, state)["Role"])}
        assert not actions & {"dynamodb:UpdateItem", "dynamodb:PutItem", "dynamodb:DeleteItem"}


def test_plan_retrofit_gets_the_tables(retrofit: Template) -> None:
    variable = function(retrofit, "plan-retrofit")["Environment"]["Variables"]["SKIPSCAN_RETROFIT"]
    assert json.loads(variable) == [TABLE]


def test_a_retrofit_writes_only_below_its_own_prefix(retrofit: Template) -> None:
    for state in STATES:
        puts = {p[1] for p in retrofit.permissions(function(retrofit, state)["Role"]) if p[0] == "s3:PutObject"}
        assert puts
        assert all(name.startswith("the bucket/skipscan/*/retrofits/*/") for name in puts)


def test_states_that_read_within_a_budget_may_declare_it(retrofit: Template) -> None:
    for state in STATES:
        allowed = retrofit.permissions(function(retrofit, state)["Role"])
        for action in ("s3:PutObject", "s3:PutObjectTagging"):
            assert (action, "the bucket/skipscan/*/retrofits/*/allotments/*") in allowed


def test_it_is_a_loop_like_the_listing(retrofit: Template) -> None:
    machine = retrofit.the("AWS::StepFunctions::StateMachine", StateMachineName="skipscan-retrofit-retrofit")
    text = "".join(part if isinstance(part, str) else "arn" for part in machine["DefinitionString"]["Fn::Join"][1])
    definition = json.loads(text)
    assert definition["StartAt"] == "Plan retrofit"
    workers = definition["States"]["Workers"]
    assert set(workers["ItemProcessor"]["States"]) == {
        "Retrofit",
        "Items left?",
        "Wait for the rate",
        "Worker done",
    }
    assert workers["ItemSelector"] == {"work.$": "$.work", "worker.$": "$$.Map.Item.Value"}
    assert {"Retrofit complete?", "Retrofit incomplete", "Retrofit done", "Plan only"} <= set(definition["States"])
