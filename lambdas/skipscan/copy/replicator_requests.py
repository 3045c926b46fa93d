"""What AWS shows of the replicator of a pair of tables: its mappings, its queues, its metrics and its stream."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import boto3
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.aws.faults import code_of
from skipscan.copy.replica import Replica
from skipscan.errors import NotFoundError, TableError, named
from skipscan.inputs.names import table_name

OFF = {"Disabling", "Disabled"}
"""The states of an event source mapping that a cut-over, or a person, switched off."""

COUNTS = [f"ApproximateNumberOfMessages{which}" for which in ("", "NotVisible", "Delayed")]
READING = {"IteratorAge": "Maximum", "Throttles": "Sum", "Errors": "Sum"}
LOST = {"ExpiredIteratorException", "TrimmedDataAccessException"}
"""A shard iterator expires after 15 minutes, a record after 24 hours: then changes may have been missed."""

MINUTE, WATCHED = timedelta(minutes=1), timedelta(minutes=15)


def switching_on(mappings: Iterable[str], like: str) -> str:
    """Return how to switch mappings on. `like`: the ARN of a resource in their region."""
    rest = f"--enabled --region {like.split(':')[3]}"
    commands = [f"`aws lambda update-event-source-mapping --uuid {each} {rest}`" for each in mappings]
    return f"switch the replicator on again with {' and '.join(commands)}"


def check_on(client: Any, replica: Replica, mappings: Sequence[str]) -> None:
    """Raise `TableError` if a mapping of the replicator is off or deleted. Needs lambda:GetEventSourceMapping.

    After a cut-over the new table has writers of its own, and nothing that follows the old one. A copy would put back
    what they delete.
    """
    source, target = table_name(replica.source), table_name(replica.target)
    states = {mapping: _state(client, mapping) for mapping in mappings}
    if "Deleting" in states.values():
        rule = f'an event source mapping of its replicator was deleted, so "{target}" would lack later changes'
        raise TableError("table", source, rule, "deploy the environment again")
    if off := [mapping for mapping, state in states.items() if state in OFF]:
        way = (
            f'a copy would put back items that the writers of "{target}" delete. {named("compare_only")} works without '
            f'it. Only if no writer uses "{target}" yet, {switching_on(off, replica.stream)}, and start again'
        )
        raise TableError("table", source, "its replicator is switched off, as a cut-over leaves it", way)


def _state(client: Any, mapping: str) -> str:
    """Return the state of a mapping, by its UUID; one that is deleted counts as being deleted."""
    try:
        return str(client.get_event_source_mapping(UUID=mapping)["State"])
    except ClientError as error:
        if code_of(error) == "ResourceNotFoundException":
            return "Deleting"
        raise


class Replicator:
    """What a cut-over observes of a replicator. Raises `NotFoundError` if there is none for the pair of tables.

    `queue`: the URL of the late looks' queue. `failures`: those of the queues of changes that it could not make.
    """

    def __init__(self, session: boto3.Session, replica: Replica) -> None:
        self._sqs, self._lambda = clients.single(session, "sqs"), clients.single(session, "lambda")
        self._cloudwatch = clients.single(session, "cloudwatch")
        self.queue = replica.queue
        queue = self._attributes(replica.queue, ["QueueArn", "RedrivePolicy"])
        late = {one["FunctionArn"] for one in self._mappings(EventSourceArn=queue["QueueArn"])}
        follower = next(
            (one for one in self._mappings(EventSourceArn=replica.stream) if one["FunctionArn"] in late), None
        )
        if follower is None:
            rule = f"no replicator follows its stream {replica.stream} now, so the new table lacks later changes"
            raise NotFoundError("table", replica.source, rule, "deploy the environment with its copy, and copy again")
        self._function: str = follower["FunctionArn"]
        found = [follower.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination")]
        found.append(json.loads(queue.get("RedrivePolicy", "{}")).get("deadLetterTargetArn"))
        beside = replica.queue.rpartition("/")[0]  # of the same account and region
        self.failures = [f"{beside}/{arn.rpartition(':')[2]}" for arn in found if arn]

    @property
    def states(self) -> dict[str, str]:
        """Return the states of the mappings, such as Enabled, Disabling and Disabled, by their identifiers."""
        return {one["UUID"]: one["State"] for one in self._mappings(FunctionName=self._function)}

    @property
    def is_off(self) -> bool:
        return set(self.states.values()) == {"Disabled"}

    @property
    def switching_on(self) -> str:
        return switching_on(self.states, self._function)

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

    def last_tried(self, now: datetime) -> datetime | None:
        """Return the end of the last minute in which Lambda invoked or throttled the function; `None` for none of 15.

        No request returns a mapping's place in the stream. But a mapping with unread records tries again and again:
        each batch leaves the age of its last record, also one that is refused, and each refusal is counted (Lambda
        developer guide, "Types of metrics for Lambda functions").
        """
        found = []
        for metric, statistic in READING.items():
            answer = self._cloudwatch.get_metric_statistics(
                **{"Namespace": "AWS/Lambda", "MetricName": metric, "Statistics": [statistic]},
                Dimensions=[{"Name": "FunctionName", "Value": self._function.rpartition(":function:")[2]}],
                **{"StartTime": now - WATCHED, "EndTime": now, "Period": int(MINUTE.total_seconds())},
            )
            found += [point["Timestamp"] + MINUTE for point in answer["Datapoints"] if point[statistic] > 0]
        return max(found, default=None)

    def _attributes(self, queue: str, names: Sequence[str]) -> Mapping[str, str]:
        found: Mapping[str, str] = self._sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"]
        return found

    def _mappings(self, **by: str) -> Iterator[Mapping[str, Any]]:
        for page in self._lambda.get_paginator("list_event_source_mappings").paginate(**by):
            yield from page["EventSourceMappings"]


class StreamWatch:
    """Counts the changes of a stream from now on, and keeps none of them. It needs to read the stream."""

    def __init__(self, client: Any, arn: str) -> None:
        self._client, self._arn = client, arn
        self._begin()

    @property
    def awaits_shard(self) -> bool:
        """Return whether a shard is closed that no listed shard continues yet, so that later changes are unknown.

        DescribeStream can list a child some time after its parent closed. AWS's own reader therefore retries:
        https://github.com/awslabs/dynamodb-streams-kinesis-adapter (DynamoDBStreamsProxy).
        """
        return any(not iterator and shard not in self._parents for shard, iterator in self._iterators.items())

    def records(self) -> int:
        """Return how many changes were read since the last call; 1 if some may have been missed.

        Raises `TableError` if the stream is disabled.
        """
        try:
            return self._read("TRIM_HORIZON")
        except ClientError as error:
            if code_of(error) not in LOST:
                raise
            self._begin()
            return 1

    def _begin(self) -> None:
        self._iterators: dict[str, str | None] = {}
        """Of each shard; `None` once it is closed and read to its end: its children continue it."""
        self._parents: set[str | None] = set()
        """The shards that another listed shard continues."""
        self._read("LATEST")

    def _read(self, where: str) -> int:
        """Read every shard, from `where` on if it is listed only now; return how many changes there were."""
        found = 0
        for shard in self._shards():
            name = shard["ShardId"]
            self._parents.add(shard.get("ParentShardId"))
            if name not in self._iterators:
                is_past = where == "LATEST" and "EndingSequenceNumber" in shard["SequenceNumberRange"]
                asked = {"StreamArn": self._arn, "ShardId": name, "ShardIteratorType": where}
                self._iterators[name] = None if is_past else self._client.get_shard_iterator(**asked)["ShardIterator"]
            if iterator := self._iterators[name]:
                answer = self._client.get_records(ShardIterator=iterator)
                self._iterators[name] = answer.get("NextShardIterator")
                found += len(answer["Records"])
        return found

    def _shards(self) -> Iterator[Mapping[str, Any]]:
        after: dict[str, str] | None = {}
        while after is not None:
            stream = self._client.describe_stream(StreamArn=self._arn, **after)["StreamDescription"]
            if stream["StreamStatus"] not in {"ENABLED", "ENABLING"}:
                rule = f"is {stream['StreamStatus']}, so later changes are unknown"
                way = "switch a stream on, write its ARN into cdk.json, deploy, and copy again"
                raise TableError(f"the stream {self._arn}", rule=rule, remedy=way)
            yield from stream["Shards"]
            last = stream.get("LastEvaluatedShardId")
            after = None if last in {None, *after.values()} else {"ExclusiveStartShardId": last}
