"""The requests of a job that writes: an action's steps, one key at a time.

Before an action, a read shows whether the key's item collection still has an item. No condition can check that.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from botocore.exceptions import ClientError

from skipscan.act.action import Put, WritingAction
from skipscan.act.item import delete_item, put_item
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActCounts, CallResult, Reads, RefusedTask, Task, TaskResult
from skipscan.aws import item
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import code_of, fault
from skipscan.aws.lean import LeanClient
from skipscan.aws.table import first_items
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Get, ItemSteps, Refused, Write, do_steps
from skipscan.items.mark import digest
from skipscan.lines.convert import item_reader
from skipscan.lines.formats import decoder
from skipscan.loop.work import Work
from skipscan.pace.pace import Fault


class Writer:
    """Makes a job's writes one key at a time. Safe to use from several threads."""

    def __init__(self, client: DynamoDBClient, job: Work[ActPlan]) -> None:
        action = job.plan.action
        if not isinstance(action, WritingAction):
            raise TypeError(f"{action.name} has no request to DynamoDB")
        self._client = client
        self._action = action
        key, form = job.plan.partition_key, job.plan.line_format
        self._decode = decoder(key, form)
        if action.takes_items:
            self._decode = item_reader(key, form, has_level=job.plan.has_level)
        self._table_key = [attribute.name for attribute in (*key, *job.plan.sort_key)]
        self._table, self._mark = job.plan.table, job.plan.mark
        self._first = Lock()

    def call(self, tasks: Sequence[Task], reads: Reads) -> CallResult:
        """Do the one task of a request; raises what DynamoDB raises unless it concerns this key alone."""
        (task,) = tasks
        writes: list[float] = []
        try:
            steps = self._steps(self._decode(task.lines[0]), reads)
            result = do_steps(steps, lambda step: self._do(step, reads, writes))
        except ClientError as error:  # of a read: its key is too long
            if fault(error) is not Fault.INVALID:
                raise
            result, writes = Refused(code_of(error)), [0.0]
        ended = TaskResult.refused(task, result.code) if isinstance(result, Refused) else TaskResult(result)
        return CallResult((ended,), sum(writes), requests=len(writes))

    def _steps(self, key: Item, reads: Reads) -> ItemSteps:
        request = self._action.request(key, self._table_key, self._mark)
        if isinstance(request, Put):
            whole = {name: request.item[name] for name in self._table_key}
            self._read_first(whole, reads)
            return put_item(self._table, whole, request, self._mark)
        if not request.whole:
            self._read_first(request.key, reads)
        return delete_item(self._table, request)

    def _do(self, step: Get | Write, reads: Reads, writes: list[float]) -> object:
        answer = item.do(self._client, step)
        if isinstance(step, Get):
            reads.add(answer.read_units)
        else:
            writes.append(answer.write_units)
        return answer.value

    def _read_first(self, key: Item, reads: Reads) -> None:
        """Have the lean client compare a read with boto3's before its first write."""
        if not isinstance(self._client, LeanClient):
            return
        with self._first:
            if units := self._client.read_first(TableName=self._table, ReturnConsumedCapacity="TOTAL", Key=key):
                reads.add(units)


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
