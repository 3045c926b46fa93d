"""The puts and deletes of a job, each with its action's condition. Most conditions make a repeat harmless.

Before an action, a read shows whether the key's item collection still has an item. No condition can check that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from botocore.exceptions import ClientError

from skipscan.act.action import Delete, Put, WritingAction
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActCounts, CallResult, Reads, RefusedTask, Task, TaskResult
from skipscan.aws.answer import consumed_units
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import code_of, fault
from skipscan.aws.lean import LeanClient
from skipscan.aws.table import first_items
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, equality, is_same_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import write_units
from skipscan.items.mark import MARK, digest
from skipscan.lines.convert import item_reader
from skipscan.lines.formats import decoder
from skipscan.loop.work import Work
from skipscan.pace.pace import Fault

PUT, DELETED = ActCounts(put=1), ActCounts(deleted=1)
PRESENT, ABSENT = ActCounts(present=1), ActCounts(absent=1)


class Writer:
    """Makes a job's writes one key at a time. Safe to use from several threads."""

    def __init__(self, client: DynamoDBClient, job: Work[ActPlan]) -> None:
        action = job.plan.action
        if not isinstance(action, WritingAction):
            raise TypeError(f"{action.name} has no request to DynamoDB")
        self._client: Any = client
        self._action = action
        reading = item_reader if action.takes_items else decoder
        self._decode = reading(job.plan.partition_key, job.plan.line_format)
        self._table_key = [attribute.name for attribute in (*job.plan.partition_key, *job.plan.sort_key)]
        self._mark = job.plan.mark
        self._first = Lock()
        self._asked: dict[str, Any] = {
            "TableName": job.plan.table,
            "ReturnConsumedCapacity": "TOTAL",  # of the table and its indexes together
        }

    def call(self, tasks: Sequence[Task], reads: Reads) -> CallResult:
        """Do the one task of a request; raises what DynamoDB raises unless it concerns this key alone."""
        (task,) = tasks
        key = self._decode(task.lines[0])
        try:
            return self._write(key, reads)
        except ClientError as error:
            return CallResult((_refused(task, error),))

    def _write(self, key: Item, reads: Reads) -> CallResult:
        match self._action.request(key, self._table_key, self._mark):
            case Put(item=item, overwrites=overwrites):
                self._read_first({name: item[name] for name in self._table_key}, reads)
                outcome, units = self._put(item, self._table_key[0], overwrites=overwrites)
            case Delete(wanted=wanted) if len(wanted) > EQUALITY_ATTRIBUTES:
                return CallResult((TaskResult(ActCounts(failed=1), ((0, "TooManyAttributes"),)),), requests=0)
            case Delete(key=of, wanted=wanted, whole=True):
                return self._delete_whole(of, {**of, **wanted}, reads)
            case Delete(key=of, wanted=wanted):
                self._read_first(of, reads)
                outcome, units = self._delete(of, wanted)
        return CallResult((outcome,), units)

    def _read_first(self, key: Item, reads: Reads) -> None:
        """Have the lean client compare a read with boto3's before its first write."""
        if not isinstance(self._client, LeanClient):
            return
        with self._first:
            if units := self._client.read_first(**self._asked, Key=key):
                reads.add(units)

    def _put(self, item: Item, key: str, *, overwrites: bool) -> tuple[TaskResult, float]:
        """Put an item where none exists; to overwrite, where none of this job's exists. `key`: a key attribute's name.

        An item with the job's mark is not overwritten: the application may have changed it since.
        """
        asked = {
            **self._asked,
            "Item": item,
            "ConditionExpression": "attribute_not_exists(#k)",
            "ExpressionAttributeNames": {"#k": key},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        if overwrites:
            asked["ConditionExpression"] = "attribute_not_exists(#k) OR #k <> :k"
            asked["ExpressionAttributeNames"] = {"#k": MARK}
            asked["ExpressionAttributeValues"] = {":k": {"S": self._mark}}
        try:
            answer = self._client.put_item(**asked)
        except self._client.exceptions.ConditionalCheckFailedException as error:
            found = _found(error)
            # The job's own item exists: an earlier attempt put it, and crashed before it was counted.
            outcome = PUT if found.get(MARK) == {"S": self._mark} else PRESENT
            return TaskResult(outcome), write_units(found)
        return TaskResult(PUT), consumed_units(answer)

    def _delete_whole(self, key: Item, item: Item, reads: Reads) -> CallResult:
        """Delete an item that a job put, or a run listed, and that is unchanged.

        An item with other attributes now belongs to another writer. The delete has a condition on everything that the
        item had. No condition can name what is added after the read.
        """
        answer = self._client.get_item(**self._asked, Key=key, ConsistentRead=True)
        reads.add(consumed_units(answer))  # or a truncated answer would say that there is no item
        found: Item | None = answer.get("Item")
        if not is_same_item(found, item):
            return CallResult((TaskResult(PRESENT if found else ABSENT),), requests=0)
        outcome, units = self._delete(key, {name: value for name, value in item.items() if name not in key})
        return CallResult((outcome,), units)

    def _delete(self, key: Item, wanted: Item) -> tuple[TaskResult, float]:
        """Delete the item with a key, if it has the wanted attribute values."""
        names = {f"#a{number}": name for number, name in enumerate(wanted)}
        names["#k"] = next(iter(key))
        values = {f":a{number}": value for number, value in enumerate(wanted.values())}
        asked = {
            **self._asked,
            "Key": key,
            "ConditionExpression": equality(len(wanted)),
            "ExpressionAttributeNames": names,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        if values:
            asked["ExpressionAttributeValues"] = values
        try:
            answer = self._client.delete_item(**asked)
        except self._client.exceptions.ConditionalCheckFailedException as error:
            found = _found(error)
            return TaskResult(PRESENT if found else ABSENT), write_units(found)
        return TaskResult(DELETED), consumed_units(answer)


def _refused(task: Task, error: ClientError) -> TaskResult:
    """Return the result of a key that DynamoDB refuses for good, listed with the code; raise any other error."""
    if fault(error) is not Fault.INVALID:
        raise error
    return TaskResult.refused(task, code_of(error))


def _found(error: ClientError) -> Mapping[str, AttributeValue]:
    """Return the item that a condition failed on; an empty one if there is none."""
    response: Any = error.response
    found: Mapping[str, AttributeValue] = response.get("Item", {})
    return found


Act = Callable[[Sequence[Task], Reads], CallResult]
"""Does the tasks of a request, and adds each read that it makes before."""


class SkipEndedCollections:
    """Acts on keys whose collections live, and skips the others. Safe to use from several threads.

    A collection that ends after the read is not noticed. A call whose read is refused continues behind the reads that
    were answered: else a table with little capacity would answer the first reads again and again. Once the action was
    tried, every key is read again.
    """

    def __init__(self, client: DynamoDBClient, plan: ActPlan, act: Act) -> None:
        self._client: Any = client
        self._act = act
        self._decode = decoder(plan.partition_key, plan.line_format)
        (key,) = plan.partition_key
        self._key = key.name
        self._read: dict[str, list[bool]] = {}
        self._asked: dict[str, Any] = {
            "TableName": plan.table,
            "KeyConditionExpression": "#k = :k",
            "ExpressionAttributeNames": {"#k": key.name},
            "ProjectionExpression": "#k",
            "ConsistentRead": True,
            "ReturnConsumedCapacity": "TOTAL",
        }

    def call(self, tasks: Sequence[Task], reads: Reads) -> CallResult:
        """Do the tasks of a request without the ended keys; raises what DynamoDB and the action raise."""
        living = [(task, self._living(task, reads)) for task in tasks]
        for task in tasks:
            del self._read[task.id]
        left = [_left(task, places) for task, places in living if places]
        answer = self._act(left, reads) if left else CallResult((), requests=0)
        acted = iter(answer.results)
        results = tuple(
            _whole(task, places, next(acted) if places else TaskResult(ActCounts())) for task, places in living
        )
        return replace(answer, results=results)

    def _living(self, task: Task, reads: Reads) -> tuple[int, ...]:
        """Return the places in a task of the keys whose collections live."""
        known = self._read.setdefault(task.id, [])
        for line in task.lines[len(known) :]:
            known.append(self._lives(self._decode(line), reads))
        return tuple(place for place, is_alive in enumerate(known) if is_alive)

    def _lives(self, key: Item, reads: Reads) -> bool:
        values = {":k": key[self._key]}
        return bool(first_items(self._client, 1, reads.add, **self._asked, ExpressionAttributeValues=values))


def _left(task: Task, living: Sequence[int]) -> Task:
    """Return the task without its ended keys.

    Its id stands for the keys that are left: a collection may begin again before the task is repeated, and a receiver
    that drops a repeated id would drop that key.
    """
    lines = tuple(task.lines[place] for place in living)
    id = task.id if lines == task.lines else f"{task.id}-{digest(b''.join(lines))}"
    return replace(task, lines=lines, id=id)


def _whole(task: Task, living: Sequence[int], result: TaskResult | RefusedTask) -> TaskResult | RefusedTask:
    """Return the result of a task from that of its living keys, at their places in the task."""
    if isinstance(result, RefusedTask):
        return result
    counts = result.counts + ActCounts(ended=len(task.lines) - len(living))
    return TaskResult(counts, tuple((living[place], reason) for place, reason in result.failed))
