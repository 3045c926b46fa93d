"""The AWS side of a cut-over: the replicator's mappings and how to switch them, its queue."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

import boto3
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.copy.replica import Replica
from skipscan.copy.stream_requests import StreamWatch
from skipscan.errors import NotFoundError, TableError, named
from skipscan.inputs.names import table_name

OFF = {"Disabling", "Disabled"}
"""The states of a mapping that a cut-over, or a person, switched off."""

DELETING = "Deleting"
"""The state of a mapping that somebody deletes, and here of one that does not exist."""


def mapping_state(client: Any, mapping: str) -> str:
    """Return the state of a mapping, by its UUID. Needs lambda:GetEventSourceMapping."""
    try:
        found: str = client.get_event_source_mapping(UUID=mapping)["State"]
    except ClientError as error:
        if error.response["Error"].get("Code") != "ResourceNotFoundException":
            raise
        return DELETING
    return found


def switching_on(mappings: Iterable[str], like: str) -> str:
    """Return the commands that switch mappings on, in words. `like`: the ARN of a resource in their region."""
    rest = f"--enabled --region {like.split(':')[3]}"
    return " and ".join(f"`aws lambda update-event-source-mapping --uuid {each} {rest}`" for each in mappings)


def check_on(client: Any, replica: Replica, mappings: Sequence[str]) -> None:
    """Raise `TableError` if a mapping of the replicator is switched off or deleted.

    After a cut-over the new table has writers of its own, and nothing that follows the old one. A copy would put back
    what they delete.
    """
    source, target = table_name(replica.source), table_name(replica.target)
    states = {mapping: mapping_state(client, mapping) for mapping in mappings}
    if DELETING in states.values():
        raise TableError(
            "table",
            source,
            f'an event source mapping of its replicator was deleted, so "{target}" would lack later changes',
            "deploy the environment again",
        )
    if off := [mapping for mapping, found in states.items() if found in OFF]:
        raise TableError(
            "table",
            source,
            "its replicator is switched off, as a cut-over leaves it",
            f'a copy would put back items that the writers of "{target}" delete. {named("compare_only")} works without '
            f'it. Only if no writer uses "{target}" yet, switch it on with {switching_on(off, replica.stream)}, and '
            "start again",
        )


COUNTS = (
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
)
READING = {"IteratorAge": "Maximum", "Throttles": "Sum", "Errors": "Sum"}
MINUTE, WATCHED_SECONDS, MOST_POINTS = 60, 900.0, 1440

UNDER_WAY = {"ResourceInUseException", "ResourceConflictException"}
"""Refusals of a mapping that is still changing: it accepts no other change until it is done."""


class Queue:
    """A queue of the replicator, by URL: of late looks, or of failures. Needs sqs:GetQueueAttributes."""

    def __init__(self, client: Any, url: str) -> None:
        self._client, self._url = client, url

    def counts(self) -> tuple[int, int, int]:
        """Return how many messages are available, in flight and delayed."""
        said = self._attributes(*COUNTS)
        available, in_flight, delayed = (int(said[name]) for name in COUNTS)
        return available, in_flight, delayed

    @property
    def arn(self) -> str:
        return self._attributes("QueueArn")["QueueArn"]

    @property
    def name(self) -> str:
        return self._url.rpartition("/")[2]

    @property
    def dead_letters(self) -> str | None:
        """Return the ARN of the queue for messages that failed too often; `None` without one."""
        said = self._attributes("QueueArn", "RedrivePolicy").get("RedrivePolicy")
        return None if said is None else json.loads(said)["deadLetterTargetArn"]

    def beside(self, arn: str) -> "Queue":
        """Return a queue of the same account and region."""
        return Queue(self._client, f"{self._url.rpartition('/')[0]}/{arn.rpartition(':')[2]}")

    def _attributes(self, *names: str) -> Mapping[str, str]:
        said: Mapping[str, str] = self._client.get_queue_attributes(QueueUrl=self._url, AttributeNames=list(names))[
            "Attributes"
        ]
        return said


class Switch:
    """The event source mappings of a replicator: one of the stream, one of the queue.

    Needs lambda:ListEventSourceMappings, and lambda:UpdateEventSourceMapping on the replicator's.
    """

    def __init__(self, client: Any, function: str) -> None:
        self._client, self._function = client, function

    @classmethod
    def find(cls, client: Any, replica: Replica, queue_arn: str) -> "Switch":
        """Return the mappings of the function that reads the queue and the stream; raise `NotFoundError` for none."""
        readers = {mapping["FunctionArn"] for mapping in _mappings(client, EventSourceArn=queue_arn)}
        for function in readers:
            if {replica.stream, queue_arn} <= {
                one["EventSourceArn"] for one in _mappings(client, FunctionName=function)
            }:
                return cls(client, function)
        raise NotFoundError(
            "table",
            replica.source,
            f"no replicator follows its stream {replica.stream} now, so the new table lacks later changes",
            "deploy the environment with its copy, and copy again",
        )

    @property
    def function(self) -> str:
        """Return the ARN of the replicator."""
        return self._function

    @property
    def states(self) -> dict[str, str]:
        """Return the states of the mappings, such as Enabled, Disabling and Disabled, by their identifiers."""
        return {one["UUID"]: one["State"] for one in _mappings(self._client, FunctionName=self._function)}

    @property
    def failures(self) -> list[str]:
        """Return the ARNs of the destinations of records that failed too often."""
        mappings = _mappings(self._client, FunctionName=self._function)
        found = (one.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination") for one in mappings)
        return [arn for arn in found if arn]

    def turn_off(self) -> bool:
        """Ask for every mapping to be disabled; return whether all are. Lambda takes about a minute."""
        states = self.states
        for mapping, state in states.items():
            if state not in OFF:
                try:
                    self._client.update_event_source_mapping(UUID=mapping, Enabled=False)
                except ClientError as error:
                    if error.response["Error"].get("Code") not in UNDER_WAY:
                        raise
        return set(states.values()) == {"Disabled"}


class Reader:
    """How the replicator reads its stream, by Lambda's metrics of its function. Needs cloudwatch:GetMetricStatistics.

    No request returns a mapping's place in the stream. But a mapping with unread records tries again and again: each
    batch leaves the age of its last record, also one that is refused, and each refusal is counted (Lambda developer
    guide, "Types of metrics for Lambda functions").
    """

    def __init__(self, client: Any, function: str) -> None:
        self._client, self._function = client, function.rpartition(":function:")[2]

    def last_tried(self, now: datetime, since: datetime | None = None) -> datetime | None:
        """Return the end of the last period in which Lambda invoked or throttled the function.

        `since`: the beginning of the time to look at, at least the last quarter of an hour. `None`: in no period of it
        that CloudWatch knows.
        """
        begin = min(now - timedelta(seconds=WATCHED_SECONDS), since or now)
        # An answer has at most 1,440 points (API reference, GetMetricStatistics).
        period = MINUTE * ceil((now - begin).total_seconds() / MINUTE / MOST_POINTS)
        found = (
            point["Timestamp"] + timedelta(seconds=period)
            for metric, statistic in READING.items()
            for point in self._points(metric, statistic, begin, now, period)
            if point[statistic] > 0
        )
        return max(found, default=None)

    def _points(self, metric: str, statistic: str, begin: datetime, now: datetime, period: int) -> list[Any]:
        points: list[Any] = self._client.get_metric_statistics(
            Namespace="AWS/Lambda",
            MetricName=metric,
            Dimensions=[{"Name": "FunctionName", "Value": self._function}],
            StartTime=begin,
            EndTime=now,
            Period=period,
            Statistics=[statistic],
        )["Datapoints"]
        return points


def _mappings(client: Any, **parameters: str) -> Iterator[Mapping[str, Any]]:
    for page in client.get_paginator("list_event_source_mappings").paginate(**parameters):
        yield from page["EventSourceMappings"]


@dataclass(frozen=True)
class CutOver:
    """Everything that a cut-over observes for one pair of tables. `failures`: the queues of changes that failed."""

    queue: Queue
    failures: tuple[Queue, ...]
    switch: Switch
    stream: StreamWatch
    reader: Reader

    @classmethod
    def of(cls, session: boto3.Session, replica: Replica) -> "CutOver":
        """Return the observer, which counts the stream's changes from now on.

        Raises `NotFoundError` if there is no replicator.
        """
        queue = Queue(clients.single(session, "sqs"), replica.queue)
        switch = Switch.find(clients.single(session, "lambda"), replica, queue.arn)
        return cls(
            queue,
            tuple(queue.beside(arn) for arn in (*switch.failures, queue.dead_letters) if arn),
            switch,
            StreamWatch(clients.single(session, "dynamodbstreams"), replica.stream),
            Reader(clients.single(session, "cloudwatch"), switch.function),
        )
