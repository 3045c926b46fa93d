"""The part of an account that a cut-over needs, in memory: a replicator, its queue, its stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import boto3
from botocore.validate import validate_parameters

from tests.simulation.world.clock import Clock
from tests.unit.cli.stream import Stream

REGION, ACCOUNT = "us-east-1", "123456789012"
TABLE = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/Audit"
STREAM = f"{TABLE}/stream/2026-01-01T00:00:00.000"
QUEUE = f"arn:aws:sqs:{REGION}:{ACCOUNT}:skipscan-dev-{'JobsReplicatorAudit'.ljust(54, 'x')}-a1B2c3D4e5F6"
"""CloudFormation cuts a logical id until the name has at most 80 characters: "Latelooks", its end, may be missing."""

FAILURES = QUEUE.replace("-a1", "-b1")
LATE_FAILURES = QUEUE.replace("-a1", "-c1")
FUNCTION = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:skipscan-dev-copy-Audit"
LATE_SECONDS = 400.0


def url_of(queue: str) -> str:
    """Return the URL of a queue, given by its ARN."""
    return f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{queue.rpartition(':')[2]}"


URL = url_of(QUEUE)
SESSION = boto3.Session("k", "s", region_name=REGION)
MODELS = {name: SESSION.client(name) for name in ("sqs", "lambda", "dynamodbstreams", "dynamodb", "cloudwatch")}
METRIC_SECONDS = 150.0
"""How much later than it was a figure of Lambda's is in CloudWatch here."""


@dataclass
class Account:
    """The replicator, its queue, and its stream. The last late look ends after `LATE_SECONDS`.

    `failed`: messages in the failure queues, by ARN. `interrupt`: the operation in which Ctrl-C is
    pressed, once. `calls`: all that was asked, in order. `metrics`: of the replicator's function, by name, time and
    value. `late`: the begin and end of other late looks.
    """

    clock: Clock
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    states: dict[str, str] = field(
        default_factory=lambda: {
            "00000000-0000-4000-8000-00000000000a": "Enabled",
            "00000000-0000-4000-8000-00000000000b": "Enabled",
        }
    )
    failed: dict[str, int] = field(default_factory=dict)
    interrupt: str | None = None
    metrics: list[tuple[str, float, float]] = field(default_factory=list)
    late: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stream = Stream(self.clock, STREAM)

    def call(self, service: str, operation: str, asked: dict[str, Any]) -> Any:
        self.calls.append((service, operation, asked))
        if operation == self.interrupt:
            self.interrupt = None
            raise KeyboardInterrupt
        return getattr(self.stream if service == "dynamodbstreams" else self, operation)(**asked)

    def done(self, operation: str) -> list[int]:
        """Return the places of an operation among all calls."""
        return [place for place, (_, name, _) in enumerate(self.calls) if name == operation]

    def get_queue_attributes(self, QueueUrl: str, AttributeNames: list[str]) -> Any:  # noqa: N803
        (arn,) = (one for one in (QUEUE, FAILURES, LATE_FAILURES) if QueueUrl == url_of(one))
        now = self.clock.monotonic()
        late = int(now < LATE_SECONDS) + sum(begun <= now < ended for begun, ended in self.late)
        every = {"ApproximateNumberOfMessages": str(self.failed.get(arn, 0)), "QueueArn": arn}
        every |= {"ApproximateNumberOfMessagesNotVisible": "0", "ApproximateNumberOfMessagesDelayed": "0"}
        if arn == QUEUE:
            policy = {"deadLetterTargetArn": LATE_FAILURES, "maxReceiveCount": 10}
            every |= {"ApproximateNumberOfMessagesDelayed": str(late), "RedrivePolicy": json.dumps(policy)}
        return {"Attributes": {name: every[name] for name in AttributeNames}}

    def list_event_source_mappings(self, EventSourceArn: str = "", FunctionName: str = "") -> Any:  # noqa: N803
        arns = {"00000000-0000-4000-8000-00000000000a": STREAM, "00000000-0000-4000-8000-00000000000b": QUEUE}
        found = [
            {"UUID": one, "State": self.states[one], "EventSourceArn": arn, "FunctionArn": FUNCTION}
            | (
                {"DestinationConfig": {"OnSuccess": {}, "OnFailure": {"Destination": FAILURES}}}
                if arn == STREAM
                else {}
            )
            for one, arn in arns.items()
            if EventSourceArn in ("", arn) and FunctionName in ("", FUNCTION) and one in self.states
        ]
        self.states = {one: state.replace("Disabling", "Disabled") for one, state in self.states.items()}
        return {"EventSourceMappings": found}

    def update_event_source_mapping(self, UUID: str, Enabled: bool) -> Any:  # noqa: N803
        assert Enabled is False
        self.states[UUID] = "Disabling"
        return {}

    def get_metric_statistics(self, MetricName: str, EndTime: datetime, **asked: Any) -> Any:  # noqa: N803
        assert asked["Dimensions"] == [{"Name": "FunctionName", "Value": FUNCTION.rpartition(":")[2]}]
        now, (statistic,) = self.clock.monotonic(), asked["Statistics"]
        points = [
            {"Timestamp": EndTime - timedelta(seconds=now - at), statistic: value}
            for name, at, value in self.metrics
            if name == MetricName and at + METRIC_SECONDS <= now
        ]
        return {"Datapoints": [point for point in points if point["Timestamp"] >= asked["StartTime"]]}


class Client:
    """A client of boto3 that asks the account instead, and refuses parameters that boto3 would refuse."""

    def __init__(self, account: Account, service: str) -> None:
        self._account, self._service = account, service
        self.meta: Any = MODELS[service].meta
        self.exceptions: Any = MODELS[service].exceptions

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        client: Any = MODELS[self._service]

        def call(**asked: Any) -> Any:
            model = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[operation])
            validate_parameters(asked, model.input_shape)
            return self._account.call(self._service, operation, asked)

        return call

    def get_paginator(self, operation: str) -> Client:
        self._paged = operation
        return self

    def paginate(self, **asked: Any) -> Iterator[Any]:
        yield getattr(self, self._paged)(**asked)
