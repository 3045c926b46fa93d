"""A Lambda function and an SQS queue that keys are handed to, at least once."""

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ReadTimeoutError

from skipscan.act.counts import ActCounts
from skipscan.act.job import Job
from skipscan.act.task import Again, Answer, Outcome, Task
from skipscan.inputs.names import table_name

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


class Function:
    """Invokes a function, and takes its answer for the outcome. Safe to use from several threads."""

    def __init__(self, client: "LambdaClient", arn: str, job: Job) -> None:
        self._client = client
        self._arn = arn
        self._job = job

    def call(self, tasks: Sequence[Task]) -> Answer:
        """Hand over the keys of the one task of a request and wait; raises what Lambda raises."""
        (task,) = tasks
        try:
            answer = self._client.invoke(FunctionName=self._arn, Payload=message(self._job, task))
        except ReadTimeoutError:  # it may be at work still, so it is not called again
            return Answer((Outcome.refused(task, "TimedOut"),))
        if "FunctionError" in answer:
            return Answer((Again("FunctionError"),))
        return Answer((_partly(task, answer["Payload"].read()),))


class Queue:
    """Sends tasks as messages, up to ten in a request. Safe to use from several threads."""

    def __init__(self, client: Any, url: str, job: Job) -> None:
        self._client = client
        self._url = url
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


def queue_url(client: Any, arn: str) -> str:
    """Return the URL under which a queue is sent to."""
    account, name = arn.split(":")[-2:]
    url: str = client.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
    return url


def message(job: Job, task: Task) -> bytes:
    """Return what a function or a queue gets. The keys stand in it as in the run's parts, every digit kept.

    `id` is the same whenever the same keys come again.
    """
    plan = job.plan
    head = {"id": f"{job.name}/{task.id}", "table": table_name(plan.table), "run": plan.run, "job": job.name}
    keys = b", ".join(line.rstrip(b"\n") for line in task.lines)
    return json.dumps(head).encode()[:-1] + b', "keys": [' + keys + b"]}"


def _partly(task: Task, payload: bytes) -> Outcome:
    """Return the outcome by a function's answer, which may name keys it failed by their places in `keys`.

    It does so in the form in which functions answer SQS: {"batchItemFailures": [{"itemIdentifier": "3"}]}.
    """
    try:
        answer = json.loads(payload)
        listed = answer.get("batchItemFailures") or () if isinstance(answer, dict) else ()
        places = sorted({int(entry["itemIdentifier"]) for entry in listed})
    except (ValueError, TypeError, LookupError):
        return Outcome.refused(task, "MalformedAnswer")
    if places and not 0 <= places[0] <= places[-1] < len(task.lines):
        return Outcome.refused(task, "MalformedAnswer")
    counts = ActCounts(sent=len(task.lines) - len(places), failed=len(places))
    return Outcome(counts, tuple((place, "batchItemFailure") for place in places))
