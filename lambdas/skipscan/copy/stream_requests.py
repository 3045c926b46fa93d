"""Watches a table's stream for changes, across shards that close and the shards that continue them."""

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from skipscan.errors import TableError

LOST = {"ExpiredIteratorException", "TrimmedDataAccessException"}
"""A shard iterator expires after 15 minutes, a record after 24 hours: then changes may have been missed."""


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
            found = sum(map(self._read, [shard for shard, iterator in self._iterators.items() if iterator]))
            return found + self._follow("TRIM_HORIZON")
        except ClientError as error:
            if error.response["Error"].get("Code") not in LOST:
                raise
            self._begin()
            return 1

    def _begin(self) -> None:
        self._iterators: dict[str, str | None] = {}
        """Of each shard; `None` once it is closed and read to its end: its children continue it."""
        self._parents: set[str | None] = set()
        """The shards that another listed shard continues."""
        self._follow("LATEST")

    def _follow(self, where: str) -> int:
        """Begin to read each shard that is listed only now; return how many changes older than now were read."""
        shards, found = self._shards(), 0
        self._parents |= {shard.get("ParentShardId") for shard in shards}
        for shard in shards:
            if (name := shard["ShardId"]) in self._iterators:
                continue
            if where == "LATEST" and "EndingSequenceNumber" in shard["SequenceNumberRange"]:
                self._iterators[name] = None
                continue
            asked = {"StreamArn": self._arn, "ShardId": name, "ShardIteratorType": where}
            self._iterators[name] = self._client.get_shard_iterator(**asked)["ShardIterator"]
            found += self._read(name) if where != "LATEST" else 0
        return found

    def _read(self, shard: str) -> int:
        answer = self._client.get_records(ShardIterator=self._iterators[shard])
        self._iterators[shard] = answer.get("NextShardIterator")
        return len(answer["Records"])

    def _shards(self) -> list[Mapping[str, Any]]:
        shards: list[Mapping[str, Any]] = []
        after: dict[str, str] = {}
        while True:
            stream = self._client.describe_stream(StreamArn=self._arn, **after)["StreamDescription"]
            if stream["StreamStatus"] not in {"ENABLED", "ENABLING"}:
                rule = f"is {stream['StreamStatus']}, so later changes are unknown"
                way = "switch a stream on, write its ARN into cdk.json, deploy, and copy again"
                raise TableError(f"the stream {self._arn}", rule=rule, remedy=way)
            shards += stream["Shards"]
            last = stream.get("LastEvaluatedShardId")
            if last in {None, *after.values()}:
                return shards
            after = {"ExclusiveStartShardId": last}
