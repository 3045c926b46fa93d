"""What a failed or a broken answer says about the next request, and that no call takes a cut answer for a whole one."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from time import sleep
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import boto3
import pytest
from botocore.exceptions import (
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    IncompleteReadError,
    NoCredentialsError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from skipscan.act.actions.delete_item import DeleteItem
from skipscan.act.actions.put_item import PutItem, Undo
from skipscan.act.input import AnyAction
from skipscan.act.kind import ACT
from skipscan.act.task_source import Reads, Task
from skipscan.act.write_requests import Writer
from skipscan.aws.answer import CutAnswerError
from skipscan.aws.faults import fault
from skipscan.aws.item import do
from skipscan.aws.lean.request import Raw
from skipscan.aws.table import describe_if_allowed, first_items, has_recovery, same_tables
from skipscan.aws.unread import unread
from skipscan.copy.kind import COPY
from skipscan.dynamodb.step import First, Get, Write
from skipscan.errors import TableError
from skipscan.items.template import ItemTemplate
from skipscan.loop.work import ExecutionId
from skipscan.pace.pace import Fault
from tests.fakes.faulty import faulty
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import DESCRIPTION
from tests.refusal import refused
from tests.simulation.inputs.clock import Clock
from tests.unit.act.worker import plan as act_plan

KEY = {"id": {"S": "1"}}


def refusal(code: str, status: int = 400, *reasons: str) -> ClientError:
    response: Any = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    if reasons:
        response["ThrottlingReasons"] = [{"reason": reason} for reason in reasons]
    return ClientError(response, "Scan")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (CutAnswerError(), Fault.PASSING),
        (EndpointConnectionError(endpoint_url="x"), Fault.PASSING),
        (ConnectTimeoutError(endpoint_url="x"), Fault.PASSING),
        (ReadTimeoutError(endpoint_url="x"), Fault.PASSING),
        (IncompleteReadError(actual_bytes=1, expected_bytes=2), Fault.PASSING),
        (ResponseParserError("x"), Fault.PASSING),
        (refusal("InternalServerError", 500), Fault.PASSING),
        (refusal("ServiceUnavailable", 503), Fault.PASSING),
        (refusal("TransactionConflictException"), Fault.PASSING),
        (refusal("ReplicatedWriteConflictException"), Fault.PASSING),
        (refusal("ValidationException"), Fault.INVALID),
        (refusal("ItemCollectionSizeLimitExceededException"), Fault.INVALID),
        (refusal("ProvisionedThroughputExceededException"), Fault.CAPACITY),
        (refusal("ThrottlingException", 400, "TableReadKeyRangeThroughputExceeded"), Fault.KEY_RANGE),
        (refusal("RequestLimitExceeded"), Fault.CAPACITY),
        (refusal("TooManyRequestsException", 429), Fault.CAPACITY),
        (refusal("RequestThrottled", 403), Fault.CAPACITY),
        (refusal("AccessDeniedException"), Fault.FATAL),
        (refusal("ResourceNotFoundException"), Fault.FATAL),
        (NoCredentialsError(), Fault.FATAL),
        (KeyError("x"), Fault.FATAL),
    ],
    ids=repr,
)
def test_an_error_says_what_may_be_done_next(error: Exception, expected: Fault) -> None:
    assert fault(error) is expected


class CutClient:
    """DynamoDB whose answers all lose their bodies."""

    exceptions = SimpleNamespace(ConditionalCheckFailedException=ZeroDivisionError)

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        return lambda **_: {"ResponseMetadata": {"HTTPStatusCode": 200}}


CLIENT: Any = CutClient()
SK = ItemTemplate.parse({"sk": "#static"}, "item")
ACTIONS = (PutItem(SK, False), PutItem(SK, True), DeleteItem(SK, None), DeleteItem(SK, SK), Undo("job", SK, "mark"))
ITEM_STEPS = [
    Get("T", KEY),
    First("T", KEY, (), 1),
    Write("T", KEY),
    Write("T", KEY, put=KEY),
    Write("T", KEY, sets={"a": {"S": "x"}}),
]


def act(action: AnyAction) -> object:
    writer = Writer(CLIENT, ACT.begun(ExecutionId("job-1", "arn", "now"), act_plan([], action)))
    return writer.call([Task(0, (b'{"pk": "p"}\n',), 0, 1, "0-0")], Reads())


@pytest.mark.parametrize(
    "call",
    [
        *(lambda action=action: act(action) for action in ACTIONS),
        *(lambda step=step: do(CLIENT, step) for step in ITEM_STEPS),
    ],
)
def test_no_item_is_taken_for_gone_and_no_write_for_done_by_a_cut_answer(call: Callable[[], object]) -> None:
    with pytest.raises(CutAnswerError):
        call()


def describing(code: str) -> Any:
    """Return a client whose DescribeTable fails with a code."""
    meta = SimpleNamespace(region_name="us-east-1", endpoint_url="https://dynamodb.us-east-1.amazonaws.com")
    error = ClientError({"Error": {"Code": code, "Message": ""}}, "DescribeTable")
    return SimpleNamespace(meta=meta, describe_table=Mock(side_effect=error))


def test_a_description_is_left_out_where_it_is_not_allowed_and_for_no_other_reason() -> None:
    assert describe_if_allowed(describing("AccessDeniedException"), "Orders") is None
    with pytest.raises(TableError):
        describe_if_allowed(describing("ResourceNotFoundException"), "Orders")


@pytest.mark.parametrize(
    ("code", "status"),
    [("ThrottlingException", 400), ("InternalServerError", 500), ("UnrecognizedClientException", 400)],
)
def test_recovery_that_cannot_be_read_for_a_moment_is_asked_for_again(code: str, status: int) -> None:
    """The state machine retries the error. A plan that took it for an answer would refuse the job."""
    with pytest.raises(ClientError, match=code):
        has_recovery(without_backups(code, status), "T")


@pytest.mark.parametrize("code", ["AccessDeniedException", "UnknownOperationException", "ValidationException"])
def test_recovery_that_cannot_be_read_at_all_is_unknown(code: str) -> None:
    assert has_recovery(without_backups(code, 400), "T") is None


def without_backups(code: str, status: int) -> Any:
    response: Any = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}

    def describe_continuous_backups(**_: str) -> None:
        raise ClientError(response, "DescribeContinuousBackups")

    return SimpleNamespace(describe_continuous_backups=describe_continuous_backups)


NAMED = ExecutionId("copy-1", "arn:copy-1", "2026-01-01T00:00:00+00:00")


@pytest.mark.parametrize(("workers", "seconds"), [(1, 1.0), (100, 1.0), (1000, 8.0)])
def test_all_workers_together_describe_a_tenth_of_what_an_account_may(workers: int, seconds: float) -> None:
    """At least every second: no table can be deleted, created again and ready within one."""
    clock, target = Clock(), {"TableArn": "arn:target", "TableId": "id"}
    described = faulty(
        None,
        {
            "describe_table": repeat(
                lambda _, asked: {"Table": {**DESCRIPTION, **(target if asked["TableName"] == "arn:target" else {})}}
            )
        },
    )
    plan = replace(copy_plan(segments=workers), reading=replace(copy_plan(segments=workers).reading, workers=workers))
    tables = same_tables(described, COPY.begun(NAMED, plan), clock.monotonic)
    for _ in range(3):
        tables.check()
    assert len(described.calls) == len(plan.tables)
    clock.sleep(0.99 * seconds)
    tables.check()
    assert len(described.calls) == len(plan.tables)
    clock.sleep(0.02 * seconds)
    target["TableId"] = "anew"
    with refused(TableError, "copy copy-1", rule="belongs to a table that no longer exists"):
        tables.check()


def answer(page: list[int], number: int, *, is_last: bool) -> dict[str, Any]:
    """Return one of a Query's pages."""
    items = [{"id": {"N": str(each)}} for each in page]
    more = {} if is_last else {"LastEvaluatedKey": {"id": {"N": str(number)}}}
    counted = {"Count": len(items), "ScannedCount": len(items)}
    return {"Items": items, **counted, "ConsumedCapacity": {"CapacityUnits": 0.5}, **more}


@pytest.mark.parametrize(
    ("pages", "wanted", "found", "requests"),
    [
        (([1, 2, 3],), 2, [1, 2], 1),
        (([], [7]), 1, [7], 2),
        (([1], [2], [3]), 2, [1, 2], 2),
        (([], []), 1, [], 2),
    ],
)
def test_pages_are_asked_for_until_there_are_enough_items(
    pages: tuple[list[int], ...], wanted: int, found: list[int], requests: int
) -> None:
    answers = [answer(page, number, is_last=number + 1 == len(pages)) for number, page in enumerate(pages)]
    collection, units = faulty(None, {"query": answers}), list[float]()
    items = first_items(collection, wanted, units.append, TableName="Orders")
    assert [int(item["id"]["N"]) for item in items] == found
    assert units == [0.5] * requests
    assert [asked["Limit"] for asked in collection.asked("query")] == [wanted] * requests, (
        "more would be read, and billed"
    )
    starts = [asked.get("ExclusiveStartKey") for asked in collection.asked("query")]
    assert starts == [None, *({"id": {"N": str(number)}} for number in range(requests - 1))]


# Pages that boto3 read wait as bytes.


def test_one_thread_at_a_time_makes_objects_of_a_page_that_boto3_read() -> None:
    """Each walk of a batch may hold a page, whose objects take up to a hundred times its bytes."""
    client = boto3.Session("key", "secret", region_name="us-east-1").client("dynamodb")
    body = json.dumps({"Items": [{"k": {"S": "a"}}], "Count": 1, "ScannedCount": 1}).encode()
    at_work, most = 0, 0

    def send(request: Any, **_: object) -> Any:
        return Raw(200, b"", body).for_boto3(request.url)

    def begin(**_: object) -> None:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)

    def end(**_: object) -> None:
        nonlocal at_work
        sleep(0.01)
        at_work -= 1

    client.meta.events.register("before-send.dynamodb", send)
    client.meta.events.register_last("before-parse.dynamodb", begin)
    client.meta.events.register("after-call.dynamodb", end)
    pages = unread(client)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: pages.scan(TableName="Orders"), range(8)))
    assert most == 1
    assert [answer()["Items"] for answer in answers] == [[{"k": {"S": "a"}}]] * 8
