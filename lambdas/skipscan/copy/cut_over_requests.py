"""The AWS side of a cut-over: the replicator's queues, its mappings and its metrics."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil
from typing import Any

import boto3

from skipscan.aws import clients
from skipscan.copy.mapping_requests import OFF, switching_on
from skipscan.copy.replica import Replica
from skipscan.errors import NotFoundError

COUNTS = [f"ApproximateNumberOfMessages{which}" for which in ("", "NotVisible", "Delayed")]
READING = {"IteratorAge": "Maximum", "Throttles": "Sum", "Errors": "Sum"}
MINUTE, WATCHED_SECONDS, MOST_POINTS = 60, 900.0, 1440


class Replicator:
    """The replicator of a pair of tables. Raises `NotFoundError` if there is none.

    `function`: its ARN. `failures`: the URLs of the queues of changes that it could not make.
    """

    def __init__(self, session: boto3.Session, replica: Replica) -> None:
        self._sqs, self._lambda = clients.single(session, "sqs"), clients.single(session, "lambda")
        self._cloudwatch = clients.single(session, "cloudwatch")
        self.queue = replica.queue
        said = self._attributes(replica.queue, ["QueueArn", "RedrivePolicy"])
        self.function = _follower(self._lambda, replica, said["QueueArn"])
        mappings = _mappings(self._lambda, FunctionName=self.function)
        found = [one.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination") for one in mappings]
        found.append(json.loads(said.get("RedrivePolicy", "{}")).get("deadLetterTargetArn"))
        beside = replica.queue.rpartition("/")[0]  # of the same account and region
        self.failures = [f"{beside}/{arn.rpartition(':')[2]}" for arn in found if arn]

    @property
    def states(self) -> dict[str, str]:
        """Return the states of the mappings, such as Enabled, Disabling and Disabled, by their identifiers."""
        return {one["UUID"]: one["State"] for one in _mappings(self._lambda, FunctionName=self.function)}

    @property
    def is_off(self) -> bool:
        return set(self.states.values()) == {"Disabled"}

    @property
    def switching_on(self) -> str:
        return switching_on(self.states, self.function)

    def messages(self, queue: str) -> int:
        """Return how many messages a queue has: available, in flight and delayed."""
        return sum(map(int, self._attributes(queue, COUNTS).values()))

    def turn_off(self) -> None:
        """Ask for every mapping to be disabled. Lambda takes about a minute."""
        refusals = self._lambda.exceptions
        for mapping, state in self.states.items():
            if state not in OFF:
                # A mapping that is still changing accepts no other change until it is done.
                with suppress(refusals.ResourceInUseException, refusals.ResourceConflictException):
                    self._lambda.update_event_source_mapping(UUID=mapping, Enabled=False)

    def last_tried(self, now: datetime, since: datetime | None = None) -> datetime | None:
        """Return the end of the last period in which Lambda invoked or throttled the function.

        No request returns a mapping's place in the stream. But a mapping with unread records tries again and again:
        each batch leaves the age of its last record, also one that is refused, and each refusal is counted (Lambda
        developer guide, "Types of metrics for Lambda functions").

        `since`: the beginning of the time to look at, at least the last quarter of an hour. `None`: in no period of it.
        """
        begin = min(now - timedelta(seconds=WATCHED_SECONDS), since or now)
        # An answer has at most 1,440 points (API reference, GetMetricStatistics).
        period = MINUTE * ceil((now - begin).total_seconds() / MINUTE / MOST_POINTS)
        found = []
        for metric, statistic in READING.items():
            answer = self._cloudwatch.get_metric_statistics(
                **{"Namespace": "AWS/Lambda", "MetricName": metric, "Statistics": [statistic]},
                Dimensions=[{"Name": "FunctionName", "Value": self.function.rpartition(":function:")[2]}],
                **{"StartTime": begin, "EndTime": now, "Period": period},
            )
            found += [point["Timestamp"] for point in answer["Datapoints"] if point[statistic] > 0]
        return max(found) + timedelta(seconds=period) if found else None

    def _attributes(self, queue: str, names: Sequence[str]) -> Mapping[str, str]:
        said: Mapping[str, str] = self._sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"]
        return said


def _follower(client: Any, replica: Replica, queue_arn: str) -> str:
    """Return the ARN of the function that reads the queue and the stream; raise `NotFoundError` for none."""
    for function in {one["FunctionArn"] for one in _mappings(client, EventSourceArn=queue_arn)}:
        read = {one["EventSourceArn"] for one in _mappings(client, FunctionName=function)}
        if {replica.stream, queue_arn} <= read:
            return str(function)
    rule = f"no replicator follows its stream {replica.stream} now, so the new table lacks later changes"
    raise NotFoundError("table", replica.source, rule, "deploy the environment with its copy, and copy again")


def _mappings(client: Any, **parameters: str) -> Iterator[Mapping[str, Any]]:
    for page in client.get_paginator("list_event_source_mappings").paginate(**parameters):
        yield from page["EventSourceMappings"]
