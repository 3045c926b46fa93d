"""A replicator is switched off although Lambda still works on a mapping."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.cut_over_requests import UNDER_WAY, CutOver, Queue, Switch, TablePolicy
from skipscan.copy.replica import Replica
from tests.fakes.pages import paged, refuse

FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:replicator"
MAPPINGS = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(2)]


def switch(code: str, switched: list[str]) -> Switch:
    """Return the switch of two mappings that are on; to switch off the first is refused."""

    def update(asked: Mapping[str, Any]) -> dict[str, Any]:
        if asked["UUID"] == MAPPINGS[0]:
            refuse(code, "UpdateEventSourceMapping")
        switched.append(asked["UUID"])
        return {"State": "Disabling"}

    mappings = [{"UUID": mapping, "State": "Enabled", "FunctionArn": FUNCTION} for mapping in MAPPINGS]
    listed = {"EventSourceMappings": mappings}
    client = paged("lambda", list_event_source_mappings=lambda _: listed, update_event_source_mapping=update)
    return Switch(client, FUNCTION)


@pytest.mark.asked_again("skipscan.copy.cut_over_requests:Switch.turn_off")
@pytest.mark.parametrize("code", sorted(UNDER_WAY))
def test_a_mapping_that_is_being_changed_is_asked_about_at_the_next_look(code: str) -> None:
    switched: list[str] = []
    assert switch(code, switched).turn_off() is False
    assert switched == MAPPINGS[1:]


def test_another_refusal_ends_the_cut_over() -> None:
    with pytest.raises(ClientError, match="AccessDeniedException"):
        switch("AccessDeniedException", []).turn_off()


URL = "https://sqs.us-east-1.amazonaws.com/000000000000/late"


def test_a_queue_says_its_messages_its_name_and_where_its_failures_go() -> None:
    asked: list[Mapping[str, Any]] = []
    held = {
        **{"ApproximateNumberOfMessages": "1", "ApproximateNumberOfMessagesNotVisible": "2"},
        **{"ApproximateNumberOfMessagesDelayed": "3", "QueueArn": "arn:aws:sqs:us-east-1:000000000000:late"},
        "RedrivePolicy": '{"deadLetterTargetArn": "arn:aws:sqs:us-east-1:000000000000:dead"}',
    }

    def attributes(parameters: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(parameters)
        return {"Attributes": {name: held[name] for name in parameters["AttributeNames"] if name in held}}

    queue = Queue(paged("sqs", get_queue_attributes=attributes), URL)
    assert (queue.counts(), queue.name) == ((1, 2, 3), "late")
    assert queue.arn == "arn:aws:sqs:us-east-1:000000000000:late"
    assert queue.dead_letters == "arn:aws:sqs:us-east-1:000000000000:dead"
    assert queue.beside(queue.dead_letters).name == "dead"
    assert {one["QueueUrl"] for one in asked} == {URL}
    del held["RedrivePolicy"]
    assert queue.dead_letters is None


ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"


def test_a_denial_is_put_where_no_policy_is_and_only_if_nobody_puts_another_meanwhile() -> None:
    """DynamoDB takes NO_POLICY for a revision (API reference, PutResourcePolicy)."""
    put: list[Mapping[str, Any]] = []

    def keep(asked: Mapping[str, Any]) -> dict[str, Any]:
        put.append(asked)
        return {"RevisionId": "1"}

    client = paged(
        "dynamodb",
        get_resource_policy=lambda _: refuse("PolicyNotFoundException", "GetResourcePolicy"),
        put_resource_policy=keep,
    )
    TablePolicy(client, ARN).deny_writes()
    assert [(asked["ResourceArn"], asked["ExpectedRevisionId"]) for asked in put] == [(ARN, "NO_POLICY")]


def test_a_policy_that_cannot_be_read_is_not_replaced() -> None:
    client = paged("dynamodb", get_resource_policy=lambda _: refuse("AccessDeniedException", "GetResourcePolicy"))
    with pytest.raises(ClientError, match="AccessDeniedException"):
        TablePolicy(client, ARN).deny_writes()


STREAM = f"{ARN}/stream/2026-01-01T00:00:00.000"
LATE, DEAD, LOST = (f"arn:aws:sqs:us-east-1:000000000000:{name}" for name in ("late", "dead", "lost"))


def test_a_cut_over_observes_what_belongs_to_its_pair_of_tables() -> None:
    asked: dict[str, Any] = {}
    held = {"QueueArn": LATE, "RedrivePolicy": json.dumps({"deadLetterTargetArn": DEAD})}
    mappings = [
        {"UUID": MAPPINGS[0], "FunctionArn": FUNCTION, "EventSourceArn": LATE, "State": "Enabled"},
        {
            **{"UUID": MAPPINGS[1], "FunctionArn": FUNCTION, "EventSourceArn": STREAM, "State": "Enabled"},
            "DestinationConfig": {"OnFailure": {"Destination": LOST}},
        },
    ]

    def answering(name: str, answer: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
        def answers(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
            asked[name] = parameters
            return answer

        return answers

    clients = {
        "sqs": paged("sqs", get_queue_attributes=lambda _: {"Attributes": held}),
        "lambda": paged(
            "lambda",
            list_event_source_mappings=lambda asked: {
                "EventSourceMappings": [
                    one
                    for one in mappings
                    if one["EventSourceArn"] == asked.get("EventSourceArn", one["EventSourceArn"])
                ]
            },
        ),
        "dynamodbstreams": paged(
            "dynamodbstreams",
            describe_stream=answering("stream", {"StreamDescription": {"StreamStatus": "ENABLED", "Shards": []}}),
        ),
        "cloudwatch": paged(
            "cloudwatch", get_metric_statistics=answering("metric", {"Label": "IteratorAge", "Datapoints": []})
        ),
        "dynamodb": paged("dynamodb", get_resource_policy=answering("policy", {"Policy": "{}", "RevisionId": "1"})),
    }
    session: Any = SimpleNamespace(client=lambda service, **_: clients[service])
    both = CutOver.of(session, Replica("Orders", "Orders-2", STREAM, URL))
    assert (both.queue.name, [queue.name for queue in both.failures]) == ("late", ["lost", "dead"])
    assert (both.switch.function, both.switch.states) == (FUNCTION, dict.fromkeys(MAPPINGS, "Enabled"))
    assert both.stream.changes() == 0
    assert both.reader.last_tried(datetime(2026, 1, 1, tzinfo=UTC)) is None
    assert both.policy.read() == ({}, "1")
    assert asked["stream"] == {"StreamArn": STREAM}
    assert asked["policy"] == {"ResourceArn": ARN}
    assert asked["metric"]["Dimensions"] == [{"Name": "FunctionName", "Value": "replicator"}]
