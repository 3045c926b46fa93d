"""A table as a retrofit and the attribute keeper read and write it.

The keeper settles the current item, not the one in the record.
"""

from collections.abc import Callable, Sequence
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.answer import conflict, consumed_units
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.aws.follower import Spent
from skipscan.aws.unread import page_of, unread
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.page import Page, after, projection
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.assignments import Assignments, Update
from skipscan.items.batch import REFUSAL
from skipscan.items.walk import LookAtItem, Looked, ReadPage, WriteItem, Written
from skipscan.loop.run_batch import Unread
from skipscan.pace.pace import Fault
from skipscan.retrofit.batch import ItemRead, ItemUpdate, RetrofitAnswer, RetrofitOutcome, RetrofitRequest
from skipscan.retrofit.plan import RetrofitPlan


class RetrofitTable:
    """Makes a batch's requests. Safe to use from several threads."""

    def __init__(self, client: DynamoDBClient, plan: RetrofitPlan) -> None:
        source = plan.reading.source
        self._items = RetrofitItems(client, source.table, source.partition_key[0].name, plan.projected)
        self._scan: Any = unread(client).scan
        self._asked: dict[str, Any] = {
            "TableName": source.table,
            "TotalSegments": plan.reading.segments,
            "ReturnConsumedCapacity": "TOTAL",
            **self._items.projection,
        }
        if plan.reading.consistent_read:
            self._asked["ConsistentRead"] = True

    def do(self, request: RetrofitRequest) -> RetrofitAnswer | Unread[Page]:
        """Return the answer; raises what DynamoDB raises, except for a failed condition."""
        match request:
            case ReadPage():
                return self._page(request)
            case LookAtItem(item=item):
                return self._items.look(item.key)
            case WriteItem(item=item, step=change):
                return self._items.update(item.key, change)

    def _page(self, request: ReadPage) -> Page | Unread[Page]:
        asked = {**self._asked, "Segment": request.segment, "Limit": request.limit, **after(request.start_key)}
        return page_of(self._scan(**asked))


class RetrofitItems:
    """Reads single items and updates them. `read`: the attributes that a read returns."""

    def __init__(self, client: DynamoDBClient, table: str, partition_key: str, read: tuple[str, ...]) -> None:
        self._client: Any = client
        self._partition_key = partition_key
        self.projection = projection(read, "p")
        self._every = {"TableName": table, "ReturnConsumedCapacity": "TOTAL"}

    def look(self, key: Item) -> Looked:
        """Return an item, with a strongly consistent read."""
        answer = self._client.get_item(**self._every, **self.projection, Key=key, ConsistentRead=True)
        return Looked(answer.get("Item"), consumed_units(answer))

    def update(self, key: Item, change: Update) -> Written | Conflict:
        """Set the attributes of a change, if everything it depends on is unchanged."""
        names = {"#k": self._partition_key}
        values: dict[str, Any] = {}
        conditions = ["attribute_exists(#k)"]
        for number, (name, read) in enumerate(change.read.items()):
            names[f"#r{number}"] = name
            if read is None:
                conditions.append(f"attribute_not_exists(#r{number})")
            else:
                conditions.append(f"#r{number} = :r{number}")
                values[f":r{number}"] = read
        for number, (name, value) in enumerate(change.values.items()):
            names[f"#s{number}"] = name
            values[f":s{number}"] = value
        try:
            answer = self._client.update_item(
                **self._every,
                Key=key,
                UpdateExpression="SET " + ", ".join(f"#s{number} = :s{number}" for number in range(len(change.values))),
                ConditionExpression=" AND ".join(conditions),
                ExpressionAttributeNames=names,
                ExpressionAttributeValues=values,
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            return conflict(error)
        return Written(consumed_units(answer))


class AttributeKeeping:
    """Sets attributes on one item at a time. Safe to use from several threads. `by`: the table's key attributes.

    `check`: raises before a write unless the table still is the one that is followed.
    """

    done = frozenset(map(str, set(RetrofitOutcome) - {RetrofitOutcome.CONTENDED}))
    quiet = frozenset(map(str, (RetrofitOutcome.WRITTEN, RetrofitOutcome.RIGHT, RetrofitOutcome.GONE)))

    def __init__(
        self, assignments: Assignments, items: RetrofitItems, by: Sequence[str], *, check: Callable[[], None]
    ) -> None:
        self._assignments = assignments
        self._items = items
        self._check = check
        self.by = by
        self.spent = Spent()

    def settle(self, change: Change) -> str:
        """Do all steps for an item; raises what DynamoDB raises, except that it refuses the item."""
        settling = ItemUpdate(self._assignments, change.key)
        while settling.outcome is None:
            if settling.step is None or isinstance(settling.step, ItemRead):
                looked = self._items.look(settling.key)
                self.spent.count(read_units=looked.read_units)
                settling.found(looked.item)
                continue
            self._check()
            try:
                answer = self._items.update(settling.key, settling.step)
            except ClientError as error:
                if fault(error) is not Fault.INVALID:
                    raise
                self.spent.count()
                settling.refused(REFUSAL)
                continue
            if isinstance(answer, Written):
                self.spent.count(write_units=answer.write_units, updated=1)
                settling.written()
            else:
                self.spent.count()
                settling.conflicted(answer.item)
        return settling.outcome
