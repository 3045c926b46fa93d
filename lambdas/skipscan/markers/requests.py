"""The keeper's steps for an item collection as requests to the table."""

from collections.abc import Callable, Sequence
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.answer import consumed_units
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.aws.follower import Spent
from skipscan.aws.table import first_items
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.source import Item
from skipscan.markers.keeper import DeleteMarker, KeeperRead, KeeperStep, MarkerOutcome, PutMarker, keep
from skipscan.markers.marker import Marker
from skipscan.pace.pace import Fault


class Markers:
    """Keeps the marker of one collection at a time. Safe to use from several threads.

    `check`: raises before a write unless the table still is the one that is followed, and the marker fits it.
    """

    done = frozenset(outcome.value for outcome in MarkerOutcome if outcome is not MarkerOutcome.UNSETTLED)
    quiet = frozenset({MarkerOutcome.AGREES.value})

    def __init__(self, client: DynamoDBClient, marker: Marker, *, check: Callable[[], None]) -> None:
        self._client: Any = client
        self._marker = marker
        self._check = check
        self.by = (marker.partition_key.name,)
        self.spent = Spent()
        names = [marker.partition_key.name, *marker.template.values]
        # Placeholders, because an attribute may have a reserved word, a dot or a dash in its name.
        self._placeholders = {name: f"#a{number}" for number, name in enumerate(names)}
        self._partition = self._placeholders[marker.partition_key.name]
        self._projected: dict[str, Any] = {
            "ProjectionExpression": ",".join(self._placeholders.values()),
            "ExpressionAttributeNames": {placeholder: name for name, placeholder in self._placeholders.items()},
        }
        # An old answer could hide the last change, and no later event would correct that.
        self._read: dict[str, Any] = {"ConsistentRead": True}
        self._every: dict[str, Any] = {"TableName": marker.table, "ReturnConsumedCapacity": "TOTAL"}

    def settle(self, change: Change) -> str:
        """Do all of the keeper's steps; raises what DynamoDB raises, except that it refuses the marker."""
        partition_key = change.key[self._marker.partition_key.name]
        steps = keep(self._marker, partition_key, only_added=self._marker.only_added(change))
        try:
            step = next(steps)
            while True:
                step = steps.send(self.do(step, partition_key))
        except StopIteration as end:
            outcome: MarkerOutcome = end.value
            return outcome.value
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            # A table that was created again with other keys, or has a new index, may refuse every marker.
            self._check()
            self.spent.count()
            return MarkerOutcome.REFUSED.value

    def do(self, step: KeeperStep, partition_key: AttributeValue) -> Sequence[Item]:
        """Make the request of a step; return the items that a read finds, none for a write."""
        match step:
            case KeeperRead.READ_MARKER:
                return self._read_marker(partition_key)
            case KeeperRead.READ_ITEMS:
                return self._read_items(partition_key)
            case PutMarker.PUT_MARKER:
                self._put(partition_key)
            case DeleteMarker(seen=seen):
                self._delete(partition_key, seen)
        return ()

    def _read_marker(self, partition_key: AttributeValue) -> Sequence[Item]:
        answer = self._client.get_item(**self._every, **self._read, Key=self._marker.key(partition_key))
        self._count(consumed_units(answer), "read_units")
        return [answer["Item"]] if "Item" in answer else []

    def _read_items(self, partition_key: AttributeValue) -> Sequence[Item]:
        return first_items(
            self._client,
            2,
            lambda units: self._count(units, "read_units"),
            **self._every,
            **self._read,
            **self._projected,
            KeyConditionExpression=f"{self._partition} = :p",
            ExpressionAttributeValues={":p": partition_key},
        )

    def _put(self, partition_key: AttributeValue) -> None:
        condition = {
            "ConditionExpression": f"attribute_not_exists({self._partition})",
            "ExpressionAttributeNames": {self._partition: self._marker.partition_key.name},
        }
        self._write(self._client.put_item, "put", Item=self._marker.item(partition_key), **condition)

    def _delete(self, partition_key: AttributeValue, seen: Item) -> None:
        key = self._marker.key(partition_key)
        others = {name: value for name, value in seen.items() if name not in key}
        condition = {
            "ConditionExpression": " AND ".join(f"#s{number} = :s{number}" for number in range(len(others))),
            "ExpressionAttributeNames": {f"#s{number}": name for number, name in enumerate(others)},
            "ExpressionAttributeValues": {f":s{number}": value for number, value in enumerate(others.values())},
        }
        self._write(self._client.delete_item, "deleted", Key=key, **condition)

    def _write(self, write: Any, count: str, **parameters: Any) -> None:
        self._check()
        try:
            answer = write(**self._every, **parameters)
        except self._client.exceptions.ConditionalCheckFailedException:
            self.spent.count()
        else:
            self._count(consumed_units(answer), "write_units", count)

    def _count(self, consumed: float, units: str, *counts: str) -> None:
        self.spent.count(1, **{units: consumed, **dict.fromkeys(counts, 1)})
