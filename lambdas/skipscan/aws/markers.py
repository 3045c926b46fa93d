"""A table's markers, read and written one step of the keeper at a time."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import Step
from skipscan.markers.marker import Marker

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass
class Spent:
    """What steps took, as DynamoDB says. A write whose condition failed is billed, but its answer names no units."""

    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    put: int = 0
    deleted: int = 0

    def to_json(self) -> dict[str, float]:
        return asdict(self)


class Markers:
    """Does the keeper's steps. Safe to use from several threads."""

    def __init__(self, client: "DynamoDBClient", marker: Marker) -> None:
        self._client: Any = client
        self._marker = marker
        self.spent = Spent()
        self._lock = Lock()
        names = [marker.partition_key.name, *marker.template.values]
        # Placeholders, because an attribute may have a reserved word, a dot or a dash in its name.
        self._placeholders = {name: f"#a{number}" for number, name in enumerate(names)}
        self._partition = self._placeholders[marker.partition_key.name]
        self._read: dict[str, Any] = {
            "ConsistentRead": True,  # an old answer could hide the last change, and nobody would look again
            "ProjectionExpression": ",".join(self._placeholders.values()),
            "ExpressionAttributeNames": {placeholder: name for name, placeholder in self._placeholders.items()},
        }
        self._every: dict[str, Any] = {"TableName": marker.table, "ReturnConsumedCapacity": "TOTAL"}

    def do(self, step: Step, partition_key: AttributeValue) -> Sequence[Item]:
        """Return the items that a reading step finds, none for a writing one."""
        match step:
            case Step.READ_MARKER:
                return self._read_marker(partition_key)
            case Step.READ_ITEMS:
                return self._read_items(partition_key)
            case Step.PUT_MARKER:
                self._put(partition_key)
            case Step.DELETE_MARKER:
                self._delete(partition_key)
        return ()

    def _read_marker(self, partition_key: AttributeValue) -> Sequence[Item]:
        answer = self._client.get_item(**self._every, **self._read, Key=self._marker.key(partition_key))
        self._count(answer, "read_units")
        return [answer["Item"]] if "Item" in answer else []

    def _read_items(self, partition_key: AttributeValue) -> Sequence[Item]:
        answer = self._client.query(
            **self._every,
            **self._read,
            KeyConditionExpression=f"{self._partition} = :p",
            ExpressionAttributeValues={":p": partition_key},
            Limit=2,
        )
        self._count(answer, "read_units")
        items: Sequence[Item] = answer["Items"]
        return items

    def _put(self, partition_key: AttributeValue) -> None:
        condition = {
            "ConditionExpression": f"attribute_not_exists({self._partition})",
            "ExpressionAttributeNames": {self._partition: self._marker.partition_key.name},
        }
        self._write(self._client.put_item, "put", Item=self._marker.item(partition_key), **condition)

    def _delete(self, partition_key: AttributeValue) -> None:
        marks = self._marker.marks(partition_key)
        equal = {self._placeholders[name]: f":v{number}" for number, name in enumerate(marks)}
        condition = {
            "ConditionExpression": " AND ".join(f"{name} = {value}" for name, value in equal.items()),
            "ExpressionAttributeNames": {self._placeholders[name]: name for name in marks},
            "ExpressionAttributeValues": dict(zip(equal.values(), marks.values(), strict=True)),
        }
        self._write(self._client.delete_item, "deleted", Key=self._marker.key(partition_key), **condition)

    def _write(self, write: Any, count: str, **parameters: Any) -> None:
        try:
            answer = write(**self._every, **parameters)
        except self._client.exceptions.ConditionalCheckFailedException:
            self._count({}, "write_units")
        else:
            self._count(answer, "write_units", count)

    def _count(self, answer: Any, units: str, *counts: str) -> None:
        consumed = answer.get("ConsumedCapacity", {}).get("CapacityUnits", 0.0)
        with self._lock:
            self.spent.requests += 1
            setattr(self.spent, units, getattr(self.spent, units) + consumed)
            for count in counts:
                setattr(self.spent, count, getattr(self.spent, count) + 1)
