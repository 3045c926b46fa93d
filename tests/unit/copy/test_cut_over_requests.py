"""A replicator is switched off although Lambda still works on a mapping."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.cut_over_requests import CutOver, Queue, Reader, Switch, check_on
from skipscan.copy.replica import Replica
from skipscan.errors import TableError
from tests.fakes.pages import paged, refuse
from tests.refusal import refused

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


@pytest.mark.parametrize("code", ["ResourceConflictException", "ResourceInUseException"])
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
        found = {name: held[name] for name in parameters["AttributeNames"] if name in held}
        return {"Attributes": found} if found else {}

    queue = Queue(paged("sqs", get_queue_attributes=attributes), URL)
    assert (queue.counts(), queue.name) == ((1, 2, 3), "late")
    assert queue.arn == "arn:aws:sqs:us-east-1:000000000000:late"
    assert queue.dead_letters == "arn:aws:sqs:us-east-1:000000000000:dead"
    assert queue.beside(queue.dead_letters).name == "dead"
    assert {one["QueueUrl"] for one in asked} == {URL}
    del held["RedrivePolicy"]
    assert queue.dead_letters is None


ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"


STREAM = f"{ARN}/stream/2026-01-01T00:00:00.000"
LATE, DEAD, LOST = (f"arn:aws:sqs:us-east-1:000000000000:{name}" for name in ("late", "dead", "lost"))


def mapping(number: int, source: str, function: str = FUNCTION) -> dict[str, Any]:
    return {"UUID": MAPPINGS[number], "FunctionArn": function, "EventSourceArn": source, "State": "Enabled"}


def listing(*mappings: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the answer of ListEventSourceMappings where these are all mappings of the account."""
    fields = {"FunctionName": "FunctionArn", "EventSourceArn": "EventSourceArn"}

    def listed(asked: Mapping[str, Any]) -> dict[str, Any]:
        wanted = {field: asked[name] for name, field in fields.items() if name in asked}
        return {"EventSourceMappings": [one for one in mappings if wanted.items() <= one.items()]}

    return listed


def test_a_cut_over_observes_what_belongs_to_its_pair_of_tables() -> None:
    asked: dict[str, Any] = {}
    held = {"QueueArn": LATE, "RedrivePolicy": json.dumps({"deadLetterTargetArn": DEAD})}
    failing = {"DestinationConfig": {"OnFailure": {"Destination": LOST}}}
    foreign = {"DestinationConfig": {"OnFailure": {"Destination": f"{LOST}-2"}}}
    others = [
        {**mapping(0, LATE, f"{FUNCTION}-{number}"), **foreign, "UUID": f"another-{number}"} for number in range(9)
    ]
    own = [mapping(0, LATE), {**mapping(1, STREAM), **failing}]

    def answering(name: str, answer: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
        def answers(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
            asked[name] = parameters
            return answer

        return answers

    clients = {
        "sqs": paged("sqs", get_queue_attributes=lambda _: {"Attributes": held}),
        "lambda": paged(
            "lambda",
            list_event_source_mappings=listing(*others, *own),
        ),
        "dynamodbstreams": paged(
            "dynamodbstreams",
            describe_stream=answering("stream", {"StreamDescription": {"StreamStatus": "ENABLED", "Shards": []}}),
        ),
        "cloudwatch": paged(
            "cloudwatch", get_metric_statistics=answering("metric", {"Label": "IteratorAge", "Datapoints": []})
        ),
    }
    session: Any = SimpleNamespace(client=lambda service, **_: clients[service])
    both = CutOver.of(session, Replica("Orders", "Orders-2", STREAM, URL))
    assert (both.queue.name, [queue.name for queue in both.failures]) == ("late", ["lost", "dead"])
    assert (both.switch.function, both.switch.states) == (FUNCTION, dict.fromkeys(MAPPINGS, "Enabled"))
    assert both.stream.changes() == 0
    assert both.reader.last_tried(datetime(2026, 1, 1, tzinfo=UTC)) is None
    assert asked["stream"] == {"StreamArn": STREAM}
    assert asked["metric"]["Dimensions"] == [{"Name": "FunctionName", "Value": "replicator"}]


@pytest.mark.parametrize("states", [("Disabled", "Disabled"), ("Disabling", "Disabled"), ("Enabled", "Disabling")])
def test_mappings_that_are_on_are_switched_off_and_only_disabled_ones_are_off(states: tuple[str, str]) -> None:
    asked: list[Mapping[str, Any]] = []

    def update(parameters: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(parameters)
        return {"UUID": parameters["UUID"], "State": "Disabling"}

    listed = [{**mapping(number, LATE), "State": state} for number, state in enumerate(states)]
    client = paged(
        "lambda",
        list_event_source_mappings=lambda _: {"EventSourceMappings": listed},
        update_event_source_mapping=update,
    )
    assert Switch(client, FUNCTION).turn_off() == (states == ("Disabled", "Disabled"))
    on = [each for each, state in zip(MAPPINGS, states, strict=True) if state == "Enabled"]
    assert asked == [{"UUID": each, "Enabled": False} for each in on]


def lambda_of(states: Mapping[str, str]) -> Any:
    """Return a client that knows the states of mappings; one that it does not know was deleted."""

    def found(asked: Mapping[str, Any]) -> dict[str, Any]:
        state = states.get(asked["UUID"]) or refuse("ResourceNotFoundException", "GetEventSourceMapping")
        return {"UUID": asked["UUID"], "State": state}

    return paged("lambda", get_event_source_mapping=found)


REPLICA = Replica(ARN, f"{ARN}-2", STREAM.replace("us-east-1", "eu-west-1"), URL)


@pytest.mark.parametrize("states", [("Disabled", "Enabled"), ("Disabling", "Enabled"), ("Disabled", "Disabling")])
def test_a_copy_whose_replicator_is_off_is_refused_with_the_commands_that_switch_it_on(
    states: tuple[str, str],
) -> None:
    commands = " and ".join(
        f"`aws lambda update-event-source-mapping --uuid {each} --enabled --region eu-west-1`"
        for each, state in zip(MAPPINGS, states, strict=True)
        if state != "Enabled"
    )
    way = rf'^a copy .*"Orders-2".* {commands}, and'
    with refused(TableError, "table", "Orders", "compare_only", rule="switched off", way=way):
        check_on(lambda_of(dict(zip(MAPPINGS, states, strict=True))), REPLICA, MAPPINGS)


def test_a_state_that_cannot_be_read_does_not_pass_for_a_deleted_mapping() -> None:
    client = paged(
        "lambda", get_event_source_mapping=lambda _: refuse("AccessDeniedException", "GetEventSourceMapping")
    )
    with pytest.raises(ClientError, match="AccessDeniedException"):
        check_on(client, REPLICA, MAPPINGS)


NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since_seconds", "seconds", "period"),
    [(None, 900, 60), (0, 900, 60), (900, 900, 60), (1_000, 1_000, 60), (86_400, 86_400, 60), (86_401, 86_401, 120)],
)
def test_a_reader_asks_for_at_most_1440_points_of_each_metric(
    since_seconds: int | None, seconds: int, period: int
) -> None:
    asked: list[Mapping[str, Any]] = []

    def points(parameters: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(parameters)
        return {"Label": "", "Datapoints": []}

    reader = Reader(paged("cloudwatch", get_metric_statistics=points), FUNCTION)
    since = None if since_seconds is None else NOW - timedelta(seconds=since_seconds)
    assert reader.last_tried(NOW, since) is None
    assert asked == [
        {
            "Namespace": "AWS/Lambda",
            "MetricName": metric,
            "Dimensions": [{"Name": "FunctionName", "Value": "replicator"}],
            "StartTime": NOW - timedelta(seconds=seconds),
            "EndTime": NOW,
            "Period": period,
            "Statistics": [statistic],
        }
        for metric, statistic in (("IteratorAge", "Maximum"), ("Throttles", "Sum"), ("Errors", "Sum"))
    ]


def test_a_reader_tried_last_at_the_end_of_the_last_period_with_any_sign() -> None:
    held = {
        "IteratorAge": [{"Timestamp": NOW - timedelta(minutes=9), "Maximum": 1.0}],
        "Throttles": [{"Timestamp": NOW - timedelta(minutes=5), "Sum": 0.5}],
        "Errors": [{"Timestamp": NOW - timedelta(minutes=2), "Sum": 0.0}],
    }
    client = paged(
        "cloudwatch", get_metric_statistics=lambda asked: {"Label": "", "Datapoints": held[asked["MetricName"]]}
    )
    assert Reader(client, FUNCTION).last_tried(NOW) == NOW - timedelta(minutes=4)
