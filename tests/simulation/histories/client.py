"""DynamoDB and the queue of late looks as they answer in a history."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.small_table import STREAM
from tests.simulation.histories.versions import Key, Table, key_of

if TYPE_CHECKING:
    from tests.simulation.histories.world import History


def definition(name: str) -> TableDefinition:
    return TableDefinition(name, KeySchema.of(("pk", "S"), ("sk", "S")), id=f"id of {name}", stream=STREAM)


class DynamoDB(FakeDynamoDB):
    """`histories`: of the tables. `tells`: whether a failed condition returns the item; not every engine returns it."""

    def __init__(self, names: Iterable[str], world: "History", *, tells: bool) -> None:
        super().__init__()
        self._world, self.tells = world, tells
        self.histories = {name: Table(self.add(definition(name)), world.moments) for name in names}

    def get_item(self, **asked: Any) -> dict[str, Any]:
        self._world.look(key_of(asked["Key"]))
        return self._read(super().get_item, asked)

    def query(self, **asked: Any) -> dict[str, Any]:
        ((value,),) = (tuple(entry.values()) for entry in asked["ExpressionAttributeValues"].values())
        self._world.look((value, ""))
        answer = self._read(super().query, asked)
        for item in answer["Items"]:
            if "sk" in item:
                self._world.look((value, item["sk"]["S"]))
        return answer

    def scan(self, **asked: Any) -> dict[str, Any]:
        return self._read(super().scan, {**asked, "Limit": min(asked["Limit"], 3)})

    def put_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(super().put_item, asked, key_of(asked["Item"]))

    def delete_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(super().delete_item, asked, key_of(asked["Key"]))

    def update_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(super().update_item, asked, key_of(asked["Key"]))

    def _read(self, read: Callable[..., dict[str, Any]], asked: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a read: one that is not strongly consistent may show older versions."""
        if asked.get("ConsistentRead"):
            return read(**asked)
        with self.histories[asked["TableName"]].aged(self._world.age):
            return read(**asked)

    def _write(self, write: Callable[..., dict[str, Any]], asked: dict[str, Any], key: Key) -> dict[str, Any]:
        if not self.tells:
            asked.pop("ReturnValuesOnConditionCheckFailure", None)
        answer = write(**asked)
        self.histories[asked["TableName"]].note(key, self._world.by)
        return answer


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
