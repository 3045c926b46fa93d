"""An SQS queue that keys are sent to, at least once."""

import hashlib
from collections.abc import Sequence
from typing import Any

from skipscan.act.counts import ActCounts
from skipscan.act.message import message
from skipscan.act.plan import ActPlan
from skipscan.act.task import Again, Answer, Outcome, Task
from skipscan.loop.work import Work


class Queue:
    """Sends tasks as messages, up to ten in a request. Safe to use from several threads."""

    def __init__(self, client: Any, arn: str, job: Work[ActPlan]) -> None:
        self._client = client
        self._url = _url(client, arn)
        self._job = job

    def call(self, tasks: Sequence[Task]) -> Answer:
        """Send every task; one that the queue refuses by fault of its own is to be tried again."""
        entries: list[Any] = []
        for place, task in enumerate(tasks):
            entry = {"Id": str(place), "MessageBody": message(self._job, task).decode()}
            if self._url.endswith(".fifo"):
                identity = hashlib.sha256(f"{self._job.name}/{task.id}".encode()).hexdigest()
                entry |= {"MessageGroupId": identity, "MessageDeduplicationId": identity}
            entries.append(entry)
        answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
        failed = {int(entry["Id"]): entry for entry in answer.get("Failed", ())}
        results: list[Outcome | Again] = []
        for place, task in enumerate(tasks):
            if place not in failed:
                results.append(Outcome(ActCounts(sent=len(task.lines))))
            elif failed[place]["SenderFault"]:
                results.append(Outcome.refused(task, failed[place]["Code"]))
            else:
                results.append(Again(failed[place]["Code"]))
        return Answer(tuple(results))


def _url(client: Any, arn: str) -> str:
    """Return the URL under which a queue is sent to."""
    account, name = arn.split(":")[-2:]
    url: str = client.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
    return url
