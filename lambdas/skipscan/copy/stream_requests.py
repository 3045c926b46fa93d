"""Watches a table's stream for changes, across shards that close and the shards that continue them."""

from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from skipscan.errors import TableError

LOST = {"ExpiredIteratorException", "TrimmedDataAccessException"}
"""A shard iterator expires after 15 minutes, a record after 24 hours: then changes may have been missed."""


class StreamWatch:
    """Counts the changes of a stream from now on, and keeps none of them.

    Needs dynamodb:DescribeStream, dynamodb:GetShardIterator and dynamodb:GetRecords on the stream.
    """

    def __init__(self, client: Any, arn: str) -> None:
        self._client, self._arn = client, arn
        self._known: set[str] = set()
        self._iterators: dict[str, str] = {}
        self._childless: set[str] = set()
        self._begin()

    @property
    def awaits_shard(self) -> bool:
        """Return whether a shard is closed that no listed shard continues yet, so that later changes are unknown.

        DescribeStream can list a child some time after its parent closed. AWS's own reader therefore retries:
        https://github.com/awslabs/dynamodb-streams-kinesis-adapter (DynamoDBStreamsProxy).
        """
        return bool(self._childless)

    def changes(self) -> int:
        """Return how many changes came since the last call; at least 1 if that is unknown."""
        return self.records() or int(self.awaits_shard)

    def records(self) -> int:
        """Return how many changes were read since the last call, for a caller that checks `awaits_shard`.

        Returns 1 if changes may have been missed. Raises `TableError` if the stream is disabled.
        """
        try:
            found = sum(map(self._read, list(self._iterators)))
            shards = self._shards()
            for shard in shards:
                if shard["ShardId"] not in self._known:
                    self._known.add(shard["ShardId"])
                    self._open(shard["ShardId"], "TRIM_HORIZON")
                    found += self._read(shard["ShardId"])
        except ClientError as error:
            if error.response["Error"].get("Code") not in LOST:
                raise
            self._begin()
            return 1
        self._childless -= _parents(shards)
        return found

    def _begin(self) -> None:
        self._iterators.clear()
        shards = self._shards()
        closed = set()
        for shard in shards:
            self._known.add(shard["ShardId"])
            if "EndingSequenceNumber" in shard["SequenceNumberRange"]:
                closed.add(shard["ShardId"])
            else:
                self._open(shard["ShardId"], "LATEST")
        self._childless = closed - _parents(shards)

    def _read(self, shard: str) -> int:
        answer = self._client.get_records(ShardIterator=self._iterators[shard])
        if following := answer.get("NextShardIterator"):
            self._iterators[shard] = following
        else:
            del self._iterators[shard]  # the shard is closed and read to its end; its children continue it
            self._childless.add(shard)
        return len(answer["Records"])

    def _open(self, shard: str, where: str) -> None:
        answer = self._client.get_shard_iterator(StreamArn=self._arn, ShardId=shard, ShardIteratorType=where)
        self._iterators[shard] = answer["ShardIterator"]

    def _shards(self) -> list[Mapping[str, Any]]:
        shards: list[Mapping[str, Any]] = []
        parameters = {"StreamArn": self._arn}
        while True:
            stream = self._client.describe_stream(**parameters)["StreamDescription"]
            if stream["StreamStatus"] not in {"ENABLED", "ENABLING"}:
                raise TableError(
                    f"the stream {self._arn}",
                    rule=f"is {stream['StreamStatus']}, so later changes are unknown",
                    remedy="switch a stream on, write its ARN into cdk.json, deploy, and copy again",
                )
            shards += stream["Shards"]
            last = stream.get("LastEvaluatedShardId")
            if last is None or last == parameters.get("ExclusiveStartShardId"):
                return shards
            parameters["ExclusiveStartShardId"] = last


def _parents(shards: Iterable[Mapping[str, Any]]) -> set[str]:
    return {shard["ParentShardId"] for shard in shards if "ParentShardId" in shard}
