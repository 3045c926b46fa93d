"""A message that the queue does not acknowledge does not count as sent, for every answer with status 200."""

import json
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from local.checkout import ACCESS_KEY
from skipscan.act.kind import ACT
from skipscan.act.requests import send_tasks
from skipscan.act.task_source import RefusedTask, Task
from skipscan.aws.faults import fault
from skipscan.aws.lean.request import Raw
from skipscan.aws.messages import NOT_ACKNOWLEDGED, Refusal, send
from skipscan.copy.replica import Replica
from skipscan.copy.requests import recheck
from skipscan.loop.work import ExecutionId
from skipscan.pace.pace import Fault
from tests.fakes.faulty import faulty
from tests.fakes.services import Queue
from tests.unit.act.worker import plan


def answering(body: bytes) -> Any:
    """Return the unchanged SDK, to which AWS answers so with status 200."""
    keys: Any = {"aws_access_key_id": ACCESS_KEY, "aws_secret_access_key": ACCESS_KEY}
    client: Any = boto3.client("sqs", region_name="us-east-1", **keys)
    answer = Raw(200, b"content-type: application/x-amz-json-1.0", body)
    client.meta.events.register("before-send.sqs", lambda request, **_: answer.for_boto3(request.url))
    return client


JOB = ExecutionId("job-1", "arn:dev", "2026-01-01T00:00:00Z")
REPLICA = Replica("Audit", "Audit-2", "arn:stream", "https://queue")
ENTRIES = [{"MessageBody": "one"}, {"MessageBody": "two"}]
TAKEN = {"Id": "0", "MessageId": "m", "MD5OfMessageBody": "d"}
FAILED = {"Id": "1", "Code": "ServiceUnavailable", "SenderFault": False}

NOTHING = {
    "an empty body": b"",
    "a proxy's page": b"<html><body>OK</body></html>",
    "an empty object": b"{}",
    "no ids": b'{"Successful": [{}], "Failed": []}',
    "ids of another batch": b'{"Successful": [{"Id": "8"}]}',
    "failed alone, and nobody in it": b'{"Failed": []}',
}
UNREADABLE = {"a list": b"[]", "other JSON": b'{"Successful": "yes"}', "members that are none": b'{"Successful": [7]}'}


@pytest.mark.parametrize(
    ("code", "is_of_sender", "expected", "status"),
    [
        (None, False, Fault.PASSING, 503),
        ("InternalError", False, Fault.PASSING, 503),
        ("KmsThrottled", True, Fault.CAPACITY, 503),
        ("KmsDisabled", True, Fault.FATAL, 400),
        ("InvalidMessageContents", True, Fault.FATAL, 400),
    ],
)
def test_a_key_that_the_queue_does_not_take_yet_is_handed_over_again(
    code: str | None, expected: Fault, status: int, *, is_of_sender: bool
) -> None:
    """As for the messages of an act; else each of them would end a batch of a copy.

    An error's text shows code, operation and status.
    """
    answer = {"Failed": [{"Id": "0", "Code": code, "SenderFault": is_of_sender}]} if code else {}
    with pytest.raises(ClientError) as raised:
        recheck(faulty(None, {"send_message_batch": [answer]}, "sqs"), REPLICA, [{"pk": {"S": "p"}}])
    assert fault(raised.value) is expected
    assert raised.value.operation_name == "SendMessageBatch"
    assert raised.value.response["Error"]["Code"] == (code or NOT_ACKNOWLEDGED)
    assert raised.value.response["ResponseMetadata"]["HTTPStatusCode"] == status


@pytest.mark.parametrize("body", NOTHING.values(), ids=NOTHING)
def test_an_answer_that_names_no_message_acknowledges_none_and_sends_no_key_of_a_job(body: bytes) -> None:
    assert send(answering(body), "https://queue", ENTRIES) == [Refusal(NOT_ACKNOWLEDGED, is_final=False)] * 2
    tasks = [Task(number, (b'{"pk": "p"}\n',), 0, 1, f"part-{number}") for number in range(2)]
    act = ACT.new_work(ExecutionId("job-1", "arn", "now"), plan([]))
    results = send_tasks(answering(body), "https://queue", act, tasks)
    assert results == [RefusedTask(NOT_ACKNOWLEDGED, Fault.PASSING)] * 2


def sent(execution: ExecutionId) -> tuple[str, str]:
    """Return the id of the message that an act of an execution sends, and by what a FIFO queue knows it again."""
    fifo = Queue("https://queue.fifo")
    act = ACT.new_work(execution, plan([]))
    send_tasks(fifo, fifo.url, act, [Task(0, (b'{"pk": "p"}\n',), 0, 1, "0-0")])
    (entry,) = fifo.entries
    return json.loads(entry["MessageBody"])["id"], entry["MessageDeduplicationId"]


@pytest.mark.parametrize("other", [replace(JOB, arn="arn:prod"), replace(JOB, started="2026-04-01T00:00:00Z")])
def test_executions_of_the_same_name_have_other_ids(other: ExecutionId) -> None:
    for one, another in zip(sent(JOB), sent(other), strict=True):
        assert one != another


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_an_answer_that_the_sdk_cannot_read_acknowledges_none(body: bytes) -> None:
    with pytest.raises(AttributeError):  # as botocore's parser has it
        send(answering(body), "https://queue", ENTRIES)


@pytest.mark.parametrize(("answer", "code"), [({"Failed": [FAILED]}, "ServiceUnavailable"), ({}, NOT_ACKNOWLEDGED)])
def test_each_message_counts_by_its_own_entry(answer: dict[str, Any], code: str) -> None:
    client = answering(json.dumps({"Successful": [TAKEN], **answer}).encode())
    assert send(client, "https://queue", ENTRIES) == [None, Refusal(code, is_final=False)]


def test_late_looks_go_ten_messages_a_request_after_a_quarter_of_an_hour() -> None:
    queue = faulty(Queue(), service="sqs")
    recheck(queue, REPLICA, ({"pk": {"S": str(number)}} for number in range(10 * 25 + 1)))
    recheck(queue, REPLICA, [{"pk": {"S": "one"}}], delay_seconds=0)
    sent = [[entry["DelaySeconds"] for entry in asked["Entries"]] for asked in queue.asked("send_message_batch")]
    assert sent == [[900] * 10, [900], [0]]
