"""A replicator is switched off although Lambda still works on a mapping."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.copy.replica import Replica
from skipscan.copy.replicator_requests import Replicator
from tests.fakes.pages import paged, refuse

FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:replicator"
MAPPINGS = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(2)]

URL = "https://sqs.us-east-1.amazonaws.com/000000000000/late"

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


class World:
    """The services that a cut-over asks about one pair of tables. `refused`: the code of a mapping's refusal.

    `asked`: the parameters of each request, by its operation.
    """

    def __init__(self, states: tuple[str, str] = ("Enabled", "Enabled"), *, refused: str = "") -> None:
        self.asked: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        self.points: dict[str, list[dict[str, Any]]] = {}
        self.messages = {"ApproximateNumberOfMessages": "1", "ApproximateNumberOfMessagesNotVisible": "2"}
        self.messages["ApproximateNumberOfMessagesDelayed"] = "3"
        self.dead_letters: str | None = DEAD
        self._refused = refused
        failing = {"DestinationConfig": {"OnFailure": {"Destination": LOST}}}
        foreign = {"DestinationConfig": {"OnFailure": {"Destination": f"{LOST}-2"}}}
        others = [{**mapping(0, LATE, f"{FUNCTION}-{n}"), **foreign, "UUID": f"another-{n}"} for n in range(9)]
        own = [{**mapping(0, LATE), "State": states[0]}, {**mapping(1, STREAM), **failing, "State": states[1]}]
        clients = {
            "sqs": paged("sqs", get_queue_attributes=self._attributes),
            "lambda": paged(
                "lambda", list_event_source_mappings=listing(*others, *own), update_event_source_mapping=self._update
            ),
            "cloudwatch": paged("cloudwatch", get_metric_statistics=self._points),
        }
        session: Any = SimpleNamespace(client=lambda service, **_: clients[service])
        self.replicator = Replicator(session, Replica("Orders", "Orders-2", STREAM, URL))

    def _attributes(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.asked["attributes"].append(asked)
        held = {**self.messages, "QueueArn": LATE}
        if self.dead_letters:
            held["RedrivePolicy"] = json.dumps({"deadLetterTargetArn": self.dead_letters})
        return {"Attributes": {name: held[name] for name in asked["AttributeNames"] if name in held}}

    def _update(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.asked["update"].append(asked)
        if self._refused and asked["UUID"] == MAPPINGS[0]:
            refuse(self._refused, "UpdateEventSourceMapping")
        return {"UUID": asked["UUID"], "State": "Disabling"}

    def _points(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.asked["points"].append(asked)
        return {"Label": "", "Datapoints": self.points.get(asked["MetricName"], [])}


def test_a_cut_over_observes_what_belongs_to_its_pair_of_tables() -> None:
    world = World()
    found = world.replicator
    assert [queue.rpartition("/")[2] for queue in found.failures] == ["lost", "dead"]
    assert {queue.rpartition("/")[0] for queue in found.failures} == {URL.rpartition("/")[0]}
    assert found.states == dict.fromkeys(MAPPINGS, "Enabled")
    assert found.messages(found.queue) == 6
    assert {one["QueueUrl"] for one in world.asked["attributes"]} == {URL}


@pytest.mark.parametrize("code", ["ResourceConflictException", "ResourceInUseException"])
def test_a_mapping_that_is_being_changed_is_asked_about_at_the_next_look(code: str) -> None:
    world = World(refused=code)
    world.replicator.turn_off()
    assert [one["UUID"] for one in world.asked["update"]] == MAPPINGS


def test_another_refusal_ends_the_cut_over() -> None:
    with pytest.raises(ClientError, match="AccessDeniedException"):
        World(refused="AccessDeniedException").replicator.turn_off()


@pytest.mark.parametrize("states", [("Disabled", "Disabled"), ("Disabling", "Disabled"), ("Enabled", "Disabling")])
def test_mappings_that_are_on_are_switched_off_and_only_disabled_ones_are_off(states: tuple[str, str]) -> None:
    world = World(states)
    world.replicator.turn_off()
    assert world.replicator.is_off is (states == ("Disabled", "Disabled"))
    on = [each for each, state in zip(MAPPINGS, states, strict=True) if state == "Enabled"]
    assert world.asked["update"] == [{"UUID": each, "Enabled": False} for each in on]


NOW = datetime(2026, 1, 2, tzinfo=UTC)


def test_a_reader_s_metrics_of_a_quarter_of_an_hour_are_asked_for_by_the_minute() -> None:
    world = World()
    assert world.replicator.last_tried(NOW) is None
    assert world.asked["points"] == [
        {
            "Namespace": "AWS/Lambda",
            "MetricName": metric,
            "Dimensions": [{"Name": "FunctionName", "Value": "replicator"}],
            "StartTime": NOW - timedelta(minutes=15),
            "EndTime": NOW,
            "Period": 60,
            "Statistics": [statistic],
        }
        for metric, statistic in (("IteratorAge", "Maximum"), ("Throttles", "Sum"), ("Errors", "Sum"))
    ]


def test_a_reader_tried_last_at_the_end_of_the_last_period_with_any_sign() -> None:
    world = World()
    world.points = {
        "IteratorAge": [{"Timestamp": NOW - timedelta(minutes=9), "Maximum": 1.0}],
        "Throttles": [{"Timestamp": NOW - timedelta(minutes=5), "Sum": 0.5}],
        "Errors": [{"Timestamp": NOW - timedelta(minutes=2), "Sum": 0.0}],
    }
    assert world.replicator.last_tried(NOW) == NOW - timedelta(minutes=4)
