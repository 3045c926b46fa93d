"""The requests of an act's batch: bytes of parts, steps of an item, and keys handed over at least once."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from skipscan.act.action import Action
from skipscan.act.actions.hand_over import Invoke, Send
from skipscan.act.item import ActCounts
from skipscan.act.job import HandOverTasks
from skipscan.act.parts import Parts, Slice
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import RefusedTask, Task, TaskResult
from skipscan.aws import item
from skipscan.aws.clients import DynamoDBClient, LambdaClient
from skipscan.aws.faults import code_of, fault, fault_of_entry, is_gone
from skipscan.aws.lean import LeanClient
from skipscan.aws.messages import Refusal, send
from skipscan.dynamodb.step import LOST, Answer, First, Get, Refused, Write
from skipscan.errors import MALFORMED, DeniedError
from skipscan.inputs.names import table_name
from skipscan.items.job import UnitRequest
from skipscan.items.mark import digest
from skipscan.loop.work import Work
from skipscan.pace.pace import Fault

UNSENDABLE = {character.encode(): f"\\u{ord(character):04x}".encode() for character in "\ufffe\uffff"}
"""The characters that a message cannot have and JSON does not escape, with their escapes (SQS API reference,
SendMessage, "MessageBody"). In JSON they can only be within strings."""


class ActRequests:
    """Makes a batch's requests. Safe to use from several threads. Has the clients of all services of an action."""

    def __init__(
        self, work: Work[ActPlan], parts: Parts, *, dynamodb: DynamoDBClient, lambda_: LambdaClient, sqs: Any
    ) -> None:
        self._parts, self._dynamodb, self._first = parts, dynamodb, Lock()
        self._hand_over: Callable[[Sequence[Task]], Sequence[TaskResult | RefusedTask]]
        match action := work.plan.action:
            case Invoke():
                self._hand_over = _existing(action)(partial(invoke, lambda_, action.target, work))
            case Send():
                with _existing(action):
                    self._hand_over = _existing(action)(partial(send_tasks, sqs, _url(sqs, action.target), work))

    def do(self, request: UnitRequest) -> Answer:
        """Return bytes of a part, or the answer to a step; raises what AWS raises unless it concerns this key alone."""
        match step := request.step:
            case Slice():
                return Answer(self._parts.read(step), requests=0)
            case HandOverTasks():
                return Answer(tuple(self._hand_over(step.tasks)))
            case First():
                return item.do(self._dynamodb, step)
            case Get() | Write():
                try:
                    return self._read_first(step) or item.do(self._dynamodb, step)
                except ClientError as error:  # of a read: its key is too long
                    if fault(error) is not Fault.INVALID:
                        raise
                    return Answer(Refused(code_of(error)))
        raise TypeError(f"{type(step).__name__} is no step of an act")

    def _read_first(self, step: Get | Write) -> Answer | None:
        """Have the lean client compare a read with boto3's before its first write, which is then requested again."""
        if isinstance(step, Get) or not isinstance(self._dynamodb, LeanClient):
            return None
        requested = {"TableName": step.table, "ReturnConsumedCapacity": "TOTAL", "Key": step.key}
        with self._first:
            units = self._dynamodb.read_first(**requested)
        return Answer(LOST, read_units=units) if units else None


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


def send_tasks(client: Any, url: str, job: Work[ActPlan], tasks: Sequence[Task]) -> Sequence[TaskResult | RefusedTask]:
    """Send every task as a message, up to ten in the one request.

    A task that the queue neither acknowledges nor refuses is to be tried again.
    """
    refusals = send(client, url, [_entry(job, task, is_fifo=url.endswith(".fifo")) for task in tasks])
    return [_result(task, refusal) for task, refusal in zip(tasks, refusals, strict=True)]


def _entry(job: Work[ActPlan], task: Task, *, is_fifo: bool) -> dict[str, str]:
    entry = {"MessageBody": message(job, task).decode()}
    if is_fifo:
        identity = hashlib.sha256(_id(job, task).encode()).hexdigest()
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


def invoke(
    client: LambdaClient, arn: str, job: Work[ActPlan], tasks: Sequence[Task]
) -> Sequence[TaskResult | RefusedTask]:
    """Invoke a function, whose answer is the result, with the keys of the one task; raises what Lambda raises."""
    (task,) = tasks
    try:
        answer = client.invoke(FunctionName=arn, Payload=message(job, task))
    except ReadTimeoutError:  # the function may still be running, so it is not called again
        return [TaskResult.refused(task, "TimedOut")]
    return [RefusedTask("FunctionError") if "FunctionError" in answer else _partly(task, answer["Payload"].read())]


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
    return TaskResult(counts, tuple((task.lines[place], "batchItemFailure") for place in places))


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
