"""The keeper's steps for an item collection as requests to the table."""

from collections.abc import Callable, Sequence
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.aws.follower import ItemEffect
from skipscan.aws.table import first_items
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.page import projection
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Get, Refused, Write, finish
from skipscan.markers.keeper import DeleteMarker, KeeperRead, KeeperStep, MarkerOutcome, PutMarker, keep
from skipscan.markers.marker import Marker
from skipscan.pace.pace import Fault


class Markers(ItemEffect):
    """Keeps the marker of one collection at a time. Safe to use from several threads.

    `check`: raises before a write unless the table still is the one that is followed, and the marker fits it.
    """

    done = frozenset(outcome.value for outcome in MarkerOutcome if outcome is not MarkerOutcome.UNSETTLED)
    quiet = frozenset({MarkerOutcome.AGREES.value})

    def __init__(self, client: DynamoDBClient, marker: Marker, *, check: Callable[[], None]) -> None:
        super().__init__(client, (marker.partition_key.name,), check=check)
        self._marker = marker
        self._items: dict[str, Any] = {
            **projection((marker.partition_key.name, *marker.template.values), "a"),
            "TableName": marker.table,
            "KeyConditionExpression": "#a0 = :p",
            # An old answer could hide the last change, and no later event would correct that.
            "ConsistentRead": True,
            "ReturnConsumedCapacity": "TOTAL",
        }

    def settle(self, change: Change) -> str:
        partition_key = change.key[self._marker.partition_key.name]
        keeping = keep(self._marker, partition_key, only_added=self._marker.only_added(change))
        try:
            outcome: MarkerOutcome = finish(keeping, lambda step: self.answer(step, partition_key))
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            # A table that was created again with other keys may refuse the read of every marker.
            self.check()
            self.spent.count()
            return MarkerOutcome.REFUSED.value
        return outcome.value

    def answer(self, step: KeeperStep, partition_key: AttributeValue) -> Sequence[Item] | Refused:
        """Do a step; return the items that a read finds, none for a write unless it is refused."""
        marker, key = self._marker, self._marker.key(partition_key)
        match step:
            case KeeperRead.READ_ITEMS:
                values = {":p": partition_key}
                return first_items(self.client, 2, self._count, **self._items, ExpressionAttributeValues=values)
            case KeeperRead.READ_MARKER:
                found: Any = self.do(Get(marker.table, key))
                return [found] if found else []
            case PutMarker.PUT_MARKER:
                write = Write(marker.table, key, put=marker.item(partition_key), expects={next(iter(key)): None})
            case DeleteMarker(seen=seen):
                others = {name: value for name, value in seen.items() if name not in key}
                write = Write(marker.table, key, expects=others)
        answer = self.do(write)
        return answer if isinstance(answer, Refused) else ()

    def _count(self, read_units: float) -> None:
        self.spent.count(read_units=read_units)
