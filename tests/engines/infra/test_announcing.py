"""The announcements of a finished run, and that they can never make the run fail."""

import json
from collections.abc import Mapping
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Annotations, Match

from infra.bundle import ROOT
from infra.cdk_json import read_environments
from infra.picture import definition_in
from infra.section import CdkJsonError
from infra.stack import SkipscanStack
from tests.engines.infra.environment import GOOD, refuses, schedule
from tests.engines.infra.template import Template
from tests.engines.infra.test_company import stack_of
from tests.engines.infra.test_state_machine import errors_in
from tests.refusal import failed
from verify.stack import prefix

pytestmark = pytest.mark.xdist_group("synth")

BUS = "arn:aws:events:eu-central-1:222222222222:event-bus/default"
TOPIC = "arn:aws:sns:eu-central-1:222222222222:runs"
HERE = TOPIC.replace("eu-central-1:222222222222", "us-east-1:111111111111")
PLAIN = {"account": "111111111111", "region": "us-east-1", "tables": ["Orders"]}
ANNOUNCED = {"version": 1, "environment": "full", "execution.$": "$$.Execution.Id", "output.$": "$"}


@pytest.fixture(scope="module")
def announcing(full: Template) -> Mapping[str, Any]:
    """The definition of the state machine of an environment with a bus and a topic."""
    text = json.dumps(definition_in(full.document))
    return dict(json.loads(text.replace("${Token[AWS.Partition]}", "aws")))


def test_a_finished_run_is_announced_once_it_is_compared(announcing: Mapping[str, Any]) -> None:
    states = announcing["States"]
    assert states["Comparison asked?"]["Default"] == states["Notice of both runs"]["Next"] == "Run of make verify?"
    assert states["Run of make verify?"]["Default"] == "Announcement"
    [own] = states["Run of make verify?"]["Choices"]
    assert own["And"][1] == {"Variable": "$.table", "StringMatches": f"{prefix('')[:-1]}*"}
    assert states[own["Next"]]["Type"] == "Succeed"
    assert (states["Announcement"]["Parameters"], states["Announcement"]["Next"]) == (ANNOUNCED, "Announce")
    assert states["Compare"]["Next"] == "Notice of both runs"
    assert (states["Announce"]["Next"], states["Publish"]["Next"]) == ("Publish", "Output of the run")
    assert (states["Output of the run"]["InputPath"], states["Output of the run"]["Next"]) == ("$.output", "Run done")
    assert errors_in(announcing) == []


def test_an_event_holds_the_output_of_the_execution_and_a_version(announcing: Mapping[str, Any]) -> None:
    announce = announcing["States"]["Announce"]
    assert announce["Resource"].endswith(":states:::events:putEvents")
    [entry] = announce["Parameters"]["Entries"]
    assert (entry["Source"], entry["DetailType"]) == ("skipscan", "Skipscan Run Finished")
    assert (entry["EventBusName"], entry["Detail.$"]) == (BUS, "$")


def test_a_message_holds_the_same_as_text_and_an_e_mail_a_sentence(announcing: Mapping[str, Any]) -> None:
    publish = announcing["States"]["Publish"]
    assert publish["Resource"].endswith(":states:::sns:publish")
    asked = publish["Parameters"]
    assert (asked["TopicArn"], asked["MessageStructure"], asked["Subject"]) == (
        TOPIC,
        "json",
        "skipscan-full: run finished",
    )
    assert asked["Message"] == {"default.$": "States.JsonToString($)", "email.$": "$.output.notice"}


def test_a_run_without_changes_is_not_published_if_the_environment_says_so() -> None:
    [environment] = read_environments({"plain": {**PLAIN, "announce": {"topic": HERE, "only_if_changed": True}}})
    app = cdk.App(context=json.loads((ROOT / "cdk.json").read_text())["context"])
    stack = SkipscanStack(app, "skipscan-plain", environment=environment, keep_results=True)
    definition = definition_in(app.synth().get_stack_by_name(stack.stack_name).template)
    Annotations.from_stack(stack).has_info("*", Match.string_like_regexp("alarms tell nobody.*monitoring.topic"))
    notice_due = definition["States"]["Notice due?"]
    assert notice_due["Default"] == "Publish"
    assert definition["States"]["Announcement"]["Next"] == "Notice due?"
    [unchanged] = notice_due["Choices"]
    assert unchanged["Next"] == "Output of the run"
    assert unchanged["And"] == [
        {"Variable": "$.output.table", "StringMatches": "*"},
        {"Variable": "$.output.diff", "IsPresent": True},
        {"Variable": "$.output.diff.new_keys", "NumericEquals": 0},
        {"Variable": "$.output.diff.vanished_keys", "NumericEquals": 0},
    ]
    assert errors_in(definition) == []


@pytest.mark.parametrize(
    ("state", "following", "note"),
    [("Announce", "Publish", "$.output.not_announced"), ("Publish", "Output of the run", "$.output.not_published")],
)
def test_a_failed_announcement_is_retried_then_reported_under_its_own_name_and_skipped(
    announcing: Mapping[str, Any], state: str, following: str, note: str
) -> None:
    announcement = announcing["States"][state]
    caught = {"ErrorEquals": ["States.ALL"], "ResultPath": note, "Next": following}
    assert announcement["Catch"] == [caught]
    [retry] = announcement["Retry"]
    assert (retry["ErrorEquals"], retry["MaxAttempts"], retry["JitterStrategy"]) == (["States.ALL"], 4, "FULL")
    assert announcement["ResultPath"] is None  # the output stays unchanged


def test_the_machine_may_use_the_bus_and_the_topic_that_are_named_and_no_others(
    full: Template, plain: Template
) -> None:
    used = {("events:PutEvents", BUS), ("sns:Publish", TOPIC)}
    assert used < full.permissions(full.the("AWS::StepFunctions::StateMachine")["RoleArn"])
    for template in (full, plain):
        for role, logical_id in ((role, name) for name, role in template.document["Resources"].items()):
            if role["Type"] == "AWS::IAM::Role":
                allowed = template.permissions({"Fn::GetAtt": [logical_id, "Arn"]})
                assert {one for one in allowed if one[0].startswith(("events:", "sns:"))} <= used


def test_the_machine_may_use_the_key_of_its_topic_through_sns() -> None:
    """A key of another account allows nothing to a role without a permission of its own."""
    key = "arn:aws:kms:us-east-1:222222222222:key/d0000000-0000-4000-8000-000000000000"

    def uses(**announce: str) -> set[tuple[str, str]]:
        template = stack_of(announce=announce, encryption={"topics": [key]})
        role = template.the("AWS::StepFunctions::StateMachine")["RoleArn"]
        return {one for one in template.permissions(role) if one[0].startswith("kms:")}

    through = f"{key} if kms:ViaService StringEquals sns.us-east-1.amazonaws.com"
    assert uses(topic=HERE) == {("kms:Decrypt", through), ("kms:GenerateDataKey", through)}
    assert uses(bus="default") == set()


def test_nothing_is_announced_unless_the_environment_says_so(definition: Mapping[str, Any], plain: Template) -> None:
    assert not {"Announce", "Publish"} & definition["States"].keys()
    assert "sns:" not in json.dumps(plain.document)


@pytest.mark.parametrize(
    ("announce", "place", "rule"),
    [
        ({}, "announce", "a bus, a topic or both"),
        ("default", "announce", "an object"),
        ({"buses": "x"}, "announce.buses", "bus, topic, only_if_changed"),
        ({"only_if_changed": True}, "announce", "a bus, a topic or both"),
        ({"bus": "default", "only_if_changed": True}, "announce.only_if_changed", "topic: add topic, or leave"),
        ({"topic": HERE, "only_if_changed": 1}, "announce.only_if_changed", "true or false"),
        ({"bus": ""}, "announce.bus", "name of an event bus"),
        ({"bus": BUS}, "announce.bus", "name of an event bus"),
        ({"topic": "runs"}, "announce.topic", "a standard topic of SNS in us-east-1"),
        ({"topic": TOPIC}, "announce.topic", "a standard topic of SNS in us-east-1"),
        (
            {"topic": "arn:aws:sns:us-east-1:111111111111:runs.fifo"},
            "announce.topic",
            "a standard topic of SNS in us-east-1",
        ),
    ],
)
def test_a_mistake_is_refused_at_synth(announce: object, place: str, rule: str) -> None:
    refuses({"announce": announce}, place, rule)


def test_a_bus_or_a_topic_alone_is_enough() -> None:
    good = {"account": "111111111111", "region": "us-east-1", "tables": ["Orders"]}
    for announce in ({"bus": BUS.replace("eu-central", "us-east")}, {"topic": TOPIC.replace("eu-central", "us-east")}):
        [environment] = read_environments({"prod": {**good, "announce": announce}})
        assert environment.announce
        named = {"bus": environment.announce.bus, "topic": environment.announce.topic}
        assert {name: value for name, value in named.items() if value} == announce


def test_a_comparison_that_a_schedule_asks_for_is_checked_at_synth() -> None:
    asked = {"table": "Orders", "compare": "../x"}
    with failed(CdkJsonError, 'compare is "../x"; ', '"previous"'):
        read_environments({"prod": {**GOOD, **schedule(input=asked)}})
