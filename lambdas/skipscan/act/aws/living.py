"""A read before an action: does the key's item collection still have an item? No condition can check that."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skipscan.act.plan import ActPlan
from skipscan.act.task import ActCounts, Again, CallResult, Reads, Task, TaskResult
from skipscan.aws.services import DynamoDBClient
from skipscan.aws.table import first_items
from skipscan.dynamodb.source import Item
from skipscan.items.mark import digest
from skipscan.lines.formats import decoder

Act = Callable[[Sequence[Task], Reads], CallResult]
"""Does the tasks of a request, and adds each read that it makes before."""


class SkipEndedCollections:
    """Acts on keys whose collections live, and skips the others. Safe to use from several threads.

    A collection that ends after the read is not noticed.
    """

    def __init__(self, client: DynamoDBClient, plan: ActPlan, act: Act) -> None:
        self._client: Any = client
        self._act = act
        self._decode = decoder(plan.partition_key, plan.line_format)
        (key,) = plan.partition_key
        self._key = key.name
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
        places = [
            tuple(place for place, line in enumerate(task.lines) if self._lives(self._decode(line), reads))
            for task in tasks
        ]
        left = [_left(task, living) for task, living in zip(tasks, places, strict=True) if living]
        answer = self._act(left, reads) if left else CallResult((), requests=0)
        acted = iter(answer.results)
        results = tuple(
            _whole(task, living, next(acted) if living else TaskResult(ActCounts()))
            for task, living in zip(tasks, places, strict=True)
        )
        return replace(answer, results=results)

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


def _whole(task: Task, living: Sequence[int], result: TaskResult | Again) -> TaskResult | Again:
    """Return the result of a task from that of its living keys, at their places in the task."""
    if isinstance(result, Again):
        return result
    counts = result.counts + ActCounts(ended=len(task.lines) - len(living))
    return TaskResult(counts, tuple((living[place], reason) for place, reason in result.failed))
