"""A Lambda function that keys are handed to, at least once."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import ReadTimeoutError

from skipscan.act.message import message
from skipscan.act.plan import ActPlan
from skipscan.act.task import ActCounts, Again, CallResult, Task, TaskResult
from skipscan.loop.work import Work

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


class LambdaFunction:
    """Invokes a function, and takes its answer for the outcome. Safe to use from several threads."""

    def __init__(self, client: "LambdaClient", arn: str, job: Work[ActPlan]) -> None:
        self._client = client
        self._arn = arn
        self._job = job

    def call(self, tasks: Sequence[Task]) -> CallResult:
        """Hand over the keys of the one task of a request and wait; raises what Lambda raises."""
        (task,) = tasks
        try:
            answer = self._client.invoke(FunctionName=self._arn, Payload=message(self._job, task))
        except ReadTimeoutError:  # it may be at work still, so it is not called again
            return CallResult((TaskResult.refused(task, "TimedOut"),))
        if "FunctionError" in answer:
            return CallResult((Again("FunctionError"),))
        return CallResult((_partly(task, answer["Payload"].read()),))


def _partly(task: Task, payload: bytes) -> TaskResult:
    """Return the outcome by a function's answer, which may name keys it failed by their places in `keys`.

    It does so in the form in which functions answer SQS: {"batchItemFailures": [{"itemIdentifier": "3"}]}.
    """
    try:
        answer = json.loads(payload)
        listed = answer.get("batchItemFailures") or () if isinstance(answer, dict) else ()
        places = sorted({int(entry["itemIdentifier"]) for entry in listed})
    except (ValueError, TypeError, LookupError):
        return TaskResult.refused(task, "MalformedAnswer")
    if places and not 0 <= places[0] <= places[-1] < len(task.lines):
        return TaskResult.refused(task, "MalformedAnswer")
    counts = ActCounts(sent=len(task.lines) - len(places), failed=len(places))
    return TaskResult(counts, tuple((place, "batchItemFailure") for place in places))
