"""Tables whose keeper follows their stream, and what writers do to them."""

import base64
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from local.embedded import CONFIG, SESSION, Embedded
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items import mark
from tests.fakes.attribute_value import AttributeValue, Item, KeyType
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.house.suite.examples import ALL

COLLECTIONS, WRITES = 12, 80 if ALL else 40
WAIT_SECONDS, BATCH_SECONDS = 600.0, 60.0


@dataclass(frozen=True)
class Kind:
    """A table with a keeper, by the types of its keys: its items and the places of its markers."""

    partition: KeyType
    sort: KeyType
    place: Any  # of the marker, as cdk.json writes it
    sort_keys: tuple[str, ...]

    @property
    def table(self) -> str:
        return f"Kept-{self.partition}.{self.sort}"

    @property
    def definition(self) -> TableDefinition:
        index = IndexDefinition("markers", KeySchema.of(("GSI-pk", self.partition)), projection="KEYS_ONLY")
        return TableDefinition(self.table, KeySchema.of(("p.k", self.partition), ("size", self.sort)), (index,))

    @property
    def template(self) -> dict[str, Any]:
        return {"size": self.place, "GSI-pk": "{p.k}"}

    def partition_key(self, name: str) -> AttributeValue:
        return {self.partition: name.encode() + b"\xff" if self.partition == "B" else f"{name} 🔑"}

    def key(self, name: str, sort_key: str) -> Item:
        return {"p.k": self.partition_key(name), "size": {self.sort: sort_key}}


KINDS = [Kind("S", "S", "#static", ("!", "a", "z")), Kind("B", "N", 0, ("-7", "1", "1.5"))]


@dataclass(frozen=True)
class KeptTable:
    """A table of a deployed environment that keeps its markers."""

    account: Embedded
    kind: Kind
    function: str
    stream: str

    def write(self, seed: int) -> None:
        """Insert and remove items at random, now and then a whole collection, or a marker as a job puts it."""
        home = mark.home("streams", self.function, description(self.account, self.kind.table))
        chance = random.Random(seed)
        for _ in range(WRITES):
            name = f"customer-{chance.randrange(COLLECTIONS)}"
            items = [self.kind.key(name, sort_key) for sort_key in self.kind.sort_keys]
            marker = self.kind.key(name, str(self.kind.place))
            match chance.randrange(10):
                case 0:
                    for item in items:
                        self._delete(item)
                case 1:
                    self._delete(marker)
                case 2:
                    made = {mark.MARK: {"S": mark.of_job(home, "job", "now")}}
                    self._put({**marker, "GSI-pk": self.kind.partition_key(name), **made})
                case 3 | 4 | 5:
                    self._delete(chance.choice(items))
                case _:
                    self._put(chance.choice(items))

    def _put(self, item: Item) -> None:
        self.account.dynamodb.put_item(TableName=self.kind.table, Item=item)

    def _delete(self, item: Item) -> None:
        self.account.dynamodb.delete_item(TableName=self.kind.table, Key=item)

    def drain(self, name: str) -> None:
        """Wait until the stream's records so far are handled: a last collection has its marker.

        A batch of records is settled in several threads, so others of the last one's batch can end a little later.
        """
        self._put(self.kind.key(name, self.kind.sort_keys[0]))
        marker = self.kind.key(name, str(self.kind.place))
        deadline = time.monotonic() + WAIT_SECONDS
        while "Item" not in self.account.dynamodb.get_item(TableName=self.kind.table, Key=marker):
            assert time.monotonic() < deadline, "the keeper does not come to the end of the stream"
            time.sleep(0.1)
        deadline = time.monotonic() + BATCH_SECONDS
        while self.listed() != self.collections() and time.monotonic() < deadline:
            time.sleep(0.1)

    def records(self) -> list[dict[str, Any]]:
        """Return what the stream holds, as Lambda hands it over."""
        client: Any = SESSION.client("dynamodbstreams", endpoint_url=self.account.endpoint, config=CONFIG)
        (shard,) = client.describe_stream(StreamArn=self.stream)["StreamDescription"]["Shards"]
        iterator = client.get_shard_iterator(
            StreamArn=self.stream, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        found: list[dict[str, Any]] = []
        while records := client.get_records(ShardIterator=iterator, Limit=1000):
            found += [dict(record) for record in records["Records"]]
            if not records["Records"]:
                return found
            iterator = records["NextShardIterator"]
        return found

    def invoke(self, records: list[dict[str, Any]]) -> list[str]:
        """Hand records to the function; return the sequence numbers of those it wants again."""
        event = json.dumps({"Records": records}, default=_json)
        answer = self.account.awslambda.invoke(FunctionName=self.function, Payload=event)
        payload = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, payload
        return [failure["itemIdentifier"] for failure in payload["batchItemFailures"]]

    def collections(self) -> list[AttributeValue]:
        return _keys(item for item in self._items() if item["size"] != {self.kind.sort: str(self.kind.place)})

    def listed(self) -> list[AttributeValue]:
        return _keys(self._items(IndexName="markers"))

    def _items(self, **parameters: Any) -> Iterator[Item]:
        pages = self.account.dynamodb.get_paginator("scan").paginate(TableName=self.kind.table, **parameters)
        return (item for page in pages for item in page["Items"])  # type: ignore[misc]


def description(account: Embedded, table: str) -> TableDescription:
    return TableDescription.from_json(account.dynamodb.describe_table(TableName=table)["Table"])


def _keys(items: Iterator[Item]) -> list[AttributeValue]:
    return [dict(key) for key in sorted({tuple(item["p.k"].items()) for item in items})]


def _json(value: Any) -> str | float:
    if isinstance(value, datetime):
        return value.timestamp()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
