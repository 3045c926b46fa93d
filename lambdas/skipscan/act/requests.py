"""The steps of an act's batch: fetch bytes of parts, act on keys, or send keys at least once."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from botocore.exceptions import ReadTimeoutError

from skipscan.act.action import Action, Service
from skipscan.act.batch import ActStep, Call, Fetch
from skipscan.act.parts import Parts
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActCounts, CallResult, Interrupted, Reads, RefusedTask, Task, TaskResult
from skipscan.act.write_requests import Act, SkipEndedCollections, Writer
from skipscan.aws.clients import DynamoDBClient, LambdaClient
from skipscan.aws.faults import fault, fault_of_entry, is_gone
from skipscan.aws.messages import Refusal, send
from skipscan.errors import MALFORMED, DeniedError
from skipscan.inputs.names import table_name
from skipscan.items.mark import digest
from skipscan.loop.work import Work

UNSENDABLE = {character.encode(): f"\\u{ord(character):04x}".encode() for character in "\ufffe\uffff"}
"""The characters that a message cannot have and JSON does not escape, with their escapes (SQS API reference,
SendMessage, "MessageBody"). In JSON they can only be within strings."""


class ActSteps:
    """Safe to use from several threads. Has the clients of all services that an action may use."""

    def __init__(
        self, work: Work[ActPlan], parts: Parts, *, dynamodb: DynamoDBClient, lambda_: LambdaClient, sqs: Any
    ) -> None:
        self._parts = parts
        self._call: Act
        action = work.plan.action
        match action.service:
            case Service.DYNAMODB:
                self._call = Writer(dynamodb, work).call
            case Service.LAMBDA:
                self._call = _existing(action)(LambdaFunction(lambda_, action.target or "", work).call)
            case Service.SQS:
                with _existing(action):
                    self._call = _existing(action)(MessageSender(sqs, action.target or "", work).call)
        if work.plan.skips_ended:
            self._call = SkipEndedCollections(dynamodb, work.plan, self._call).call

    def do(self, step: ActStep) -> bytes | CallResult | Interrupted:
        """Return the bytes of a fetch, or the answer to a call; raises what AWS raises before any read is answered."""
        if isinstance(step, Fetch):
            return self._parts.read(step.range)
        if not isinstance(step, Call):
            raise TypeError("a step is a fetch or a call")
        reads = Reads()
        try:
            result = self._call(step.tasks, reads)
        except Exception as error:
            if not reads.requests:
                raise
            return Interrupted(error, fault(error), reads.read_units, reads.requests)
        return replace(result, read_units=reads.read_units, requests=result.requests + reads.requests)


@contextmanager
def _existing(action: Action) -> Iterator[None]:
    """Raise `DeniedError` for a target that does not exist: it would be missing at every retry, too."""
    try:
        yield
    except Exception as error:
        if not is_gone(error):
            raise
        raise DeniedError(
            action.target_field,
            action.target,
            "AWS does not find it",
            # SQS answers so about a queue of another account that gives no access, too.
            "create it again or allow access to it, then resume the act; a new act would send all keys again",
        ) from None


class MessageSender:
    """Sends tasks as messages, up to ten a request. Safe to use from several threads."""

    def __init__(self, client: Any, arn: str, job: Work[ActPlan]) -> None:
        self._client = client
        self._url = _url(client, arn)
        self._job = job

    def call(self, tasks: Sequence[Task], _reads: Reads | None = None) -> CallResult:
        """Send every task. A task that the queue neither acknowledges nor refuses is to be tried again."""
        refusals = send(self._client, self._url, [self._entry(task) for task in tasks])
        return CallResult(tuple(_result(task, refusal) for task, refusal in zip(tasks, refusals, strict=True)))

    def _entry(self, task: Task) -> dict[str, str]:
        entry = {"MessageBody": message(self._job, task).decode()}
        if self._url.endswith(".fifo"):
            identity = hashlib.sha256(_id(self._job, task).encode()).hexdigest()
            entry |= {"MessageGroupId": identity, "MessageDeduplicationId": identity}
        return entry


def _result(task: Task, refusal: Refusal | None) -> TaskResult | RefusedTask:
    if refusal is None:
        return TaskResult(ActCounts(sent=len(task.lines)))
    if refusal.is_final:
        return TaskResult.refused(task, refusal.code)
    return RefusedTask(refusal.code, fault_of_entry(refusal.code))


def _url(client: Any, arn: str) -> str:
    """Return the URL of a queue."""
    account, name = arn.split(":")[-2:]
    url: str = client.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
    return url


class LambdaFunction:
    """Invokes a function, whose answer is the result. Safe to use from several threads."""

    def __init__(self, client: LambdaClient, arn: str, job: Work[ActPlan]) -> None:
        self._client = client
        self._arn = arn
        self._job = job

    def call(self, tasks: Sequence[Task], _reads: Reads | None = None) -> CallResult:
        """Send the keys of the one task of a request and wait; raises what Lambda raises."""
        (task,) = tasks
        try:
            answer = self._client.invoke(FunctionName=self._arn, Payload=message(self._job, task))
        except ReadTimeoutError:  # the function may still be running, so it is not called again
            return CallResult((TaskResult.refused(task, "TimedOut"),))
        if "FunctionError" in answer:
            return CallResult((RefusedTask("FunctionError"),))
        return CallResult((_partly(task, answer["Payload"].read()),))


def _partly(task: Task, payload: bytes) -> TaskResult:
    """Return the result in a function's answer, which may name failed keys by their places in `keys`.

    The answer has the form that functions use for SQS: {"batchItemFailures": [{"itemIdentifier": "3"}]}.
    """
    try:
        answer = json.loads(payload)
        listed = answer.get("batchItemFailures") or () if isinstance(answer, dict) else ()
        places = sorted({int(entry["itemIdentifier"]) for entry in listed})
    except MALFORMED:
        return TaskResult.refused(task, "MalformedAnswer")
    if places and not 0 <= places[0] <= places[-1] < len(task.lines):
        return TaskResult.refused(task, "MalformedAnswer")
    counts = ActCounts(sent=len(task.lines) - len(places), failed=len(places))
    return TaskResult(counts, tuple((place, "batchItemFailure") for place in places))


def message(job: Work[ActPlan], task: Task) -> bytes:
    """Return the keys of a task as JSON, as in the run's parts, with every digit.

    `id` is the same whenever the same keys are sent again.
    """
    plan = job.plan
    head = {"id": _id(job, task), "table": table_name(plan.table), "run": plan.run, "job": job.name}
    keys = b", ".join(line.rstrip(b"\n") for line in task.lines)
    for character, escaped in UNSENDABLE.items():
        keys = keys.replace(character, escaped)
    return json.dumps(head).encode()[:-1] + b', "keys": [' + keys + b"]}"


def _id(job: Work[ActPlan], task: Task) -> str:
    """Return the id of a message. It names the execution, because receivers of several jobs drop repeated ids.

    Jobs of other environments may have the same name, and a name may recur.
    """
    execution = digest(f"{job.execution.arn} {job.execution.started}".encode())
    return f"{job.name}-{execution}/{task.id}"
