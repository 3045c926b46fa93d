"""The two tables of a copy, and the queue between copy and replicator."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.answer import conflict, consumed_units
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.aws.follower import Spent
from skipscan.aws.messages import BATCH_MESSAGES, send
from skipscan.aws.unread import page_of, unread
from skipscan.copy.batch import CopyAnswer, CopyRequest, HandedOver, HandKeyOver
from skipscan.copy.plan import CopyPlan
from skipscan.copy.reconciling import DeleteTarget, Ending, LookAt, PutTarget, Reconciling, Side
from skipscan.copy.replica import DELAY_SECONDS, Replica, Transform, late_look_messages
from skipscan.dynamodb.delivery import Change
from skipscan.dynamodb.page import Page, after, projection
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.walk import LookAtItem, Looked, ReadPage, WriteItem, Written
from skipscan.loop.run_batch import Unread
from skipscan.pace.pace import Fault


class CopyTables:
    """Makes a batch's requests. Safe to use from several threads."""

    def __init__(self, client: DynamoDBClient, plan: CopyPlan, queue: "LateLooks") -> None:
        self._items = PairedItems(client, plan.replica, plan.key_names[0])
        self._plan = plan
        self._queue = queue
        self._scan: Any = unread(client).scan
        self._tables = {Side.SOURCE: plan.replica.source, Side.TARGET: plan.replica.target}
        self._asked = {"TotalSegments": plan.reading.segments, "ReturnConsumedCapacity": "TOTAL"}
        self._keys = projection(plan.key_names)

    def do(self, request: CopyRequest) -> CopyAnswer | Unread[Page]:
        """Return the answer; raises what DynamoDB or SQS raises, except for a failed condition."""
        match request:
            case ReadPage():
                return self._page(request)
            case LookAtItem(item=item, step=look):
                return self._items.look(look.side, item.key)
            case WriteItem(step=put):
                return self._items.put_new(put.item)
            case HandKeyOver(item=item):
                self._queue.hand_over(item.key)
                return HandedOver()

    def _page(self, request: ReadPage) -> Page | Unread[Page]:
        side = self._plan.verified_side(request.number)
        asked = {**self._asked, "Segment": request.segment, "Limit": request.limit, **after(request.start_key)}
        if side is not None:  # an eventually consistent page may be old, so nothing is compared with it
            asked |= self._keys
        return page_of(self._scan(**asked, TableName=self._tables[side or Side.SOURCE]))


class PairedItems:
    """Single items of both tables."""

    def __init__(self, client: DynamoDBClient, replica: Replica, partition_key: str) -> None:
        self._client: Any = client
        self._partition_key = partition_key
        self._tables = {Side.SOURCE: replica.source, Side.TARGET: replica.target}

    def look(self, side: Side, key: Item) -> Looked:
        """Return an item, with a strongly consistent read."""
        answer = self._client.get_item(
            TableName=self._tables[side], Key=key, ConsistentRead=True, ReturnConsumedCapacity="TOTAL"
        )
        return Looked(answer.get("Item"), consumed_units(answer))

    def put_new(self, item: Item) -> Written | Conflict:
        """Put an item into the new table if none has its key."""
        try:
            answer = self._client.put_item(
                **self._target,
                Item=item,
                ConditionExpression="attribute_not_exists(#k)",
                ExpressionAttributeNames={"#k": self._partition_key},
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            return conflict(error)
        return Written(consumed_units(answer))

    def put(self, item: Item) -> float:
        """Put an item into the new table, without a condition; return the write units."""
        return consumed_units(self._client.put_item(**self._target, Item=item))

    def delete(self, key: Item) -> float:
        """Delete an item of the new table, if it exists; return the write units."""
        return consumed_units(self._client.delete_item(**self._target, Key=key))

    @property
    def _target(self) -> dict[str, str]:
        return {"TableName": self._tables[Side.TARGET], "ReturnConsumedCapacity": "TOTAL"}


class LateLooks:
    """The queue of keys to recheck: now, or when every request in progress has arrived."""

    def __init__(self, client: Any, replica: Replica) -> None:
        self._client = client
        self._url = replica.queue
        self._stream = replica.stream

    def hand_over(self, key: Item) -> None:
        """Have a key rechecked now; raises unless the queue accepts it."""
        self._send(list(late_look_messages([key], self._stream)), delay_seconds=0)

    def promise(self, keys: Iterable[Item]) -> None:
        """Have keys rechecked after `DELAY_SECONDS`; raises unless the queue accepts them all."""
        messages = late_look_messages(keys, self._stream)
        while batch := list(islice(messages, BATCH_MESSAGES)):
            self._send(batch, delay_seconds=DELAY_SECONDS)

    def _send(self, messages: list[str], *, delay_seconds: int) -> None:
        entries = [{"MessageBody": body, "DelaySeconds": delay_seconds} for body in messages]
        for refusal in filter(None, send(self._client, self._url, entries)):
            # A message that is not refused for good is like a request that the service could not serve.
            status = 400 if refusal.is_final else 503
            response: Any = {
                "Error": {"Code": refusal.code, "Message": "a message was not taken"},
                "ResponseMetadata": {"HTTPStatusCode": status},
            }
            raise ClientError(response, "SendMessageBatch")


class Replication:
    """Reconciles one key at a time. Safe to use from several threads. `by`: the tables' key attributes.

    `is_late`: these are late looks. What the new table refuses is left to the late look at the key. A refusal there
    makes its message come again, and end in the dead-letter queue.

    `check`: raises before a write unless the old table still is the one that is followed.
    """

    quiet = frozenset(map(str, (Ending.RIGHT, Ending.WRITTEN)))

    def __init__(
        self,
        transform: Transform,
        items: PairedItems,
        by: Sequence[str],
        *,
        is_late: bool,
        check: Callable[[], None],
    ) -> None:
        self._transform = transform
        self._items = items
        self._check = check
        self.by = by
        self.done = self.quiet if is_late else self.quiet | {str(Ending.REFUSED)}
        self.spent = Spent()

    def settle(self, change: Change) -> str:
        """Do all steps for a key; raises what DynamoDB raises."""
        one = Reconciling(self._transform, change.key)
        while one.ending is None:
            match one.step:
                case LookAt(side=side):
                    looked = self._items.look(side, one.key)
                    self.spent.count(read_units=looked.read_units)
                    one.found(looked.item)
                case PutTarget() | DeleteTarget() as step:
                    self._write(one, step)
        return one.ending

    def _write(self, one: Reconciling, step: PutTarget | DeleteTarget) -> None:
        self._check()
        try:
            if isinstance(step, PutTarget):
                self.spent.count(write_units=self._items.put(step.item), put=1)
            else:
                self.spent.count(write_units=self._items.delete(one.key), deleted=1)
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            one.refused()
        else:
            one.written()
