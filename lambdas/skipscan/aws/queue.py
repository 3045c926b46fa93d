"""An SQS queue that keys are sent to, at least once."""

import hashlib
from collections.abc import Sequence
from typing import Any

from skipscan.act.message import message
from skipscan.act.plan import ActPlan
from skipscan.act.task import ActCounts, Again, CallResult, Task, TaskResult
from skipscan.aws.messages import Refusal, send
from skipscan.loop.work import Work


class Queue:
    """Sends tasks as messages, up to ten in a request. Safe to use from several threads."""

    def __init__(self, client: Any, arn: str, job: Work[ActPlan]) -> None:
        self._client = client
        self._url = _url(client, arn)
        self._job = job

    def call(self, tasks: Sequence[Task]) -> CallResult:
        """Send every task; one that the queue does not acknowledge, by no fault of the task, is to be tried again."""
        refusals = send(self._client, self._url, [self._entry(task) for task in tasks])
        return CallResult(tuple(_result(task, refusal) for task, refusal in zip(tasks, refusals, strict=True)))

    def _entry(self, task: Task) -> dict[str, str]:
        entry = {"MessageBody": message(self._job, task).decode()}
        if self._url.endswith(".fifo"):
            identity = hashlib.sha256(f"{self._job.name}/{task.id}".encode()).hexdigest()
            entry |= {"MessageGroupId": identity, "MessageDeduplicationId": identity}
        return entry


def _result(task: Task, refusal: Refusal | None) -> TaskResult | Again:
    if refusal is None:
        return TaskResult(ActCounts(sent=len(task.lines)))
    return TaskResult.refused(task, refusal.code) if refusal.is_final else Again(refusal.code)


def _url(client: Any, arn: str) -> str:
    """Return the URL under which a queue is sent to."""
    account, name = arn.split(":")[-2:]
    url: str = client.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
    return url
