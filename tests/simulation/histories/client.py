"""DynamoDB and the queue of late looks as they answer in a history."""

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tests.fakes.attribute_value import Item
from tests.fakes.condition import condition
from tests.fakes.error import ConditionalCheckError
from tests.fakes.small_table import DESCRIPTION
from tests.fakes.update import conditional, updated
from tests.simulation.histories.versions import Key, Table
from tests.simulation.world.functions import ARN

if TYPE_CHECKING:
    from tests.simulation.histories.world import History

UNIT = {"ConsumedCapacity": {"CapacityUnits": 1.0}}


class DynamoDB:
    """The tables by name. `tells`: whether a failed condition returns the item; not every engine returns it."""

    def __init__(self, tables: Mapping[str, Table], world: "History", *, tells: bool = True) -> None:
        self._tables, self._world, self.tells = tables, world, tells
        self.exceptions = SimpleNamespace(ConditionalCheckFailedException=ConditionalCheckError)
        self.meta = SimpleNamespace(region_name="us-east-1", endpoint_url="https://dynamodb.us-east-1.amazonaws.com")

    def describe_table(self, *, TableName: str) -> dict[str, Any]:  # noqa: N803 (boto3's)
        return {"Table": described(TableName)}

    def get_item(self, **asked: Any) -> dict[str, Any]:
        key = key_of(asked["Key"])

        self._world.look(key)
        found = self._seen(key, asked)
        return UNIT if found is None else {**UNIT, "Item": projected(found, asked)}

    def query(self, **asked: Any) -> dict[str, Any]:
        ((value,),) = (tuple(entry.values()) for entry in asked["ExpressionAttributeValues"].values())

        table = self._tables[asked["TableName"]]
        self._world.look((value, ""))
        items: list[Item] = []
        keys = sorted(key for key in table.versions if key[0] == value)
        for key in keys if asked.get("ScanIndexForward", True) else reversed(keys):
            if len(items) < asked["Limit"] and (item := self._seen(key, asked)) is not None:
                self._world.look(key)
                items.append(projected(item, asked))
        return {**UNIT, "Items": items}

    def scan(self, **asked: Any) -> dict[str, Any]:
        after = key_of(asked["ExclusiveStartKey"]) if "ExclusiveStartKey" in asked else ("", "")

        items = self._tables[asked["TableName"]].items
        mine = (key for key in items if crc32(key[0].encode()) % asked["TotalSegments"] == asked["Segment"])
        keys = sorted(key for key in mine if key > after)
        page = keys[: min(asked["Limit"], 3)]
        more = {"LastEvaluatedKey": named(page[-1])} if len(keys) > len(page) else {}
        seen = [item for key in page if (item := self._seen(key, asked)) is not None]
        return {**UNIT, **more, "Items": [projected(item, asked) for item in seen]}

    def put_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked, key_of(asked["Item"]), lambda _: dict(asked["Item"]))

    def delete_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked, key_of(asked["Key"]), lambda _: None)

    def update_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked, key_of(asked["Key"]), lambda old: updated({**asked["Key"], **(old or {})}, asked))

    def _seen(self, key: Key, asked: Mapping[str, Any]) -> Item | None:
        """Return an item as a read shows it: one that is not strongly consistent may show an older version."""
        table = self._tables[asked["TableName"]]
        if asked.get("ConsistentRead"):
            return table.items.get(key)
        versions = table.versions.get(key, [])
        return versions[-1 - self._world.age(len(versions))].item if versions else None

    def _write(self, asked: Mapping[str, Any], key: Key, made: Callable[[Item | None], Item | None]) -> dict[str, Any]:
        table, old = self._tables[asked["TableName"]], self._tables[asked["TableName"]].items.get(key)
        if not condition(conditional(asked), "")(old):
            raise ConditionalCheckError("a write", old if self.tells else None)
        table.write(key, made(old), self._world.by)
        return UNIT


def key_of(item: Mapping[str, Any]) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def named(key: Key) -> Item:
    return {"pk": {"S": key[0]}, "sk": {"S": key[1]}}


def projected(item: Item, asked: Mapping[str, Any]) -> Item:
    if "ProjectionExpression" not in asked:
        return dict(item)
    names = {asked["ExpressionAttributeNames"][name] for name in asked["ProjectionExpression"].split(",")}
    return {name: value for name, value in item.items() if name in names}


class LateLooks:
    """The queue of a copy's late looks."""

    def __init__(self, world: "History") -> None:
        self._world = world

    def send_message_batch(self, *, Entries: list[dict[str, Any]], **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        world = self._world
        world.messages += [(world.now + entry["DelaySeconds"], entry["MessageBody"]) for entry in Entries]
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

    def hear(self, *_: Any) -> None:
        """Ignore the answers to its messages."""


def described(table: str) -> dict[str, Any]:
    """Return what DescribeTable says about one of the tables."""
    keys = {"pk": "HASH", "sk": "RANGE"}
    return {
        **DESCRIPTION,
        "TableArn": f"{ARN}{table}",
        "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in keys.items()],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in keys],
    }


def line(partition_key: str) -> bytes:
    """Return a line of a run's part."""
    return json.dumps({"pk": partition_key}).encode() + b"\n"
