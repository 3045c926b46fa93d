"""DynamoDB, SQS and the results' storage as the product calls them, each call in the hands of a schedule."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, Protocol
from zlib import crc32

from skipscan.loop.storage import Stored
from tests.fakes.attribute_value import Item
from tests.fakes.condition import condition
from tests.fakes.error import ConditionalCheckError
from tests.fakes.update import assigned, conditional
from tests.histories.versions import Key, Table, Write

UNIT = {"ConsumedCapacity": {"CapacityUnits": 1.0}}
MODIFIED = datetime(2026, 1, 1, tzinfo=UTC)


class Hands(Protocol):
    """Decides when a call is made, and which answer its caller receives."""

    def call(self, perform: Callable[[], Any], *, writes: bool = False) -> Any: ...
    def look(self, key: Key) -> None: ...
    def age(self, versions: int) -> int: ...
    def author(self, key: Key) -> Write: ...
    def committed(self, name: str) -> None: ...


class DynamoDB:
    """The tables by name. `tells`: whether a failed condition returns the item; not every engine returns it."""

    def __init__(self, tables: Mapping[str, Table], hands: Hands, *, tells: bool = True) -> None:
        self._tables, self._hands, self.tells = tables, hands, tells
        self.exceptions = SimpleNamespace(ConditionalCheckFailedException=ConditionalCheckError)

    def get_item(self, **asked: Any) -> dict[str, Any]:
        key = key_of(asked["Key"])

        def perform() -> dict[str, Any]:
            self._hands.look(key)
            found = self._seen(key, asked)
            return UNIT if found is None else {**UNIT, "Item": projected(found, asked)}

        return self._read(perform)

    def query(self, **asked: Any) -> dict[str, Any]:
        ((value,),) = (tuple(entry.values()) for entry in asked["ExpressionAttributeValues"].values())

        def perform() -> dict[str, Any]:
            table = self._tables[asked["TableName"]]
            self._hands.look((value, ""))
            items: list[Item] = []
            for key in sorted(key for key in table.versions if key[0] == value):
                if len(items) < asked["Limit"] and (item := self._seen(key, asked)) is not None:
                    self._hands.look(key)
                    items.append(projected(item, asked))
            return {**UNIT, "Items": items}

        return self._read(perform)

    def scan(self, **asked: Any) -> dict[str, Any]:
        after = key_of(asked["ExclusiveStartKey"]) if "ExclusiveStartKey" in asked else ("", "")

        def perform() -> dict[str, Any]:
            items = self._tables[asked["TableName"]].items
            mine = (key for key in items if crc32(key[0].encode()) % asked["TotalSegments"] == asked["Segment"])
            keys = sorted(key for key in mine if key > after)
            page = keys[: min(asked["Limit"], 3)]
            more = {"LastEvaluatedKey": named(page[-1])} if len(keys) > len(page) else {}
            seen = [item for key in page if (item := self._seen(key, asked)) is not None]
            return {**UNIT, **more, "Items": [projected(item, asked) for item in seen]}

        return self._read(perform)

    def put_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked, key_of(asked["Item"]), lambda _: dict(asked["Item"]))

    def delete_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked, key_of(asked["Key"]), lambda _: None)

    def update_item(self, **asked: Any) -> dict[str, Any]:
        values = assigned(asked)
        return self._write(asked, key_of(asked["Key"]), lambda old: {**asked["Key"], **(old or {}), **values})

    def _seen(self, key: Key, asked: Mapping[str, Any]) -> Item | None:
        """Return an item as a read shows it: one that is not strongly consistent may show an older version."""
        table = self._tables[asked["TableName"]]
        if asked.get("ConsistentRead"):
            return table.items.get(key)
        versions = table.versions.get(key, [])
        return versions[-1 - self._hands.age(len(versions))].item if versions else None

    def _read(self, perform: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        answer: dict[str, Any] = self._hands.call(perform)
        return answer

    def _write(self, asked: Mapping[str, Any], key: Key, made: Callable[[Item | None], Item | None]) -> dict[str, Any]:
        table, by, holds = self._tables[asked["TableName"]], self._hands.author(key), condition(conditional(asked), "")

        def perform() -> dict[str, Any]:
            old = table.items.get(key)
            if not holds(old):
                raise ConditionalCheckError("a write", old if self.tells else None)
            table.write(key, made(old), by)
            return UNIT

        answer: dict[str, Any] = self._hands.call(perform, writes=True)
        return answer


def key_of(item: Item) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def named(key: Key) -> Item:
    return {"pk": {"S": key[0]}, "sk": {"S": key[1]}}


def projected(item: Item, asked: Mapping[str, Any]) -> Item:
    if "ProjectionExpression" not in asked:
        return dict(item)
    names = {asked["ExpressionAttributeNames"][name] for name in asked["ProjectionExpression"].split(",")}
    return {name: value for name, value in item.items() if name in names}


class Queue:
    """`messages`: bodies, each with the seconds until it may be delivered."""

    def __init__(self, hands: Hands, put: Callable[[str, float], None]) -> None:
        self._hands, self._put = hands, put

    def send_message_batch(self, *, Entries: list[dict[str, Any]], **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        def perform() -> dict[str, Any]:
            for entry in Entries:
                self._put(entry["MessageBody"], entry["DelaySeconds"])
            return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

        answer: dict[str, Any] = self._hands.call(perform)
        return answer


class Storage:
    """Objects of the results; its looks and its conditional puts may go wrong."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self.objects: dict[str, tuple[bytes, Mapping[str, str]]] = {}

    def uri(self, name: str) -> str:
        return f"memory://{name}"

    def get(self, name: str) -> bytes | None:
        return self.objects[name][0] if name in self.objects else None

    def get_range(self, name: str, start: int, end: int) -> tuple[bytes, int]:
        body = self.objects[name][0]
        return body[start:end], len(body)

    def look(self, name: str) -> Stored | None:
        def perform() -> Stored | None:
            if name not in self.objects:
                return None
            body, metadata = self.objects[name]
            return Stored(name, len(body), MODIFIED, metadata, sha256(body).hexdigest())

        stored: Stored | None = perform() if "/keys/" in name else self._hands.call(perform)
        return stored

    def put(self, name: str, body: bytes) -> None:
        self.objects[name] = body, {}

    def put_once(
        self, name: str, body: bytes, metadata: Mapping[str, str] | None = None, *, expires: bool = False
    ) -> bool:
        def perform() -> bool:
            if name in self.objects:
                return False
            self.objects[name] = body, metadata or {}
            if not expires:
                self._hands.committed(name)
            return True

        return bool(self._hands.call(perform))

    def names(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        yield from ((name, MODIFIED) for name in sorted(self.objects) if name.startswith(prefix))

    def folders(self, prefix: str) -> Iterator[str]:
        raise NotImplementedError(prefix)


def line(partition_key: str) -> bytes:
    """Return a line of a run's part."""
    return json.dumps({"pk": partition_key}).encode() + b"\n"
