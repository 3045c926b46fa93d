"""What a failed or a broken answer says about the next request, and that no call takes a cut answer for a whole one."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

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
from skipscan.aws.answer import CutAnswerError, consumed_units, parse_page
from skipscan.aws.faults import fault
from skipscan.aws.item import do
from skipscan.aws.table import describe, describe_if_allowed, has_recovery
from skipscan.dynamodb.step import First, Get, Write
from skipscan.errors import TableError
from skipscan.items.template import ItemTemplate
from skipscan.loop.work import ExecutionId
from skipscan.pace.pace import Fault
from tests.unit.act.worker import plan as act_plan

KEY = {"id": {"S": "1"}}


def refused(code: str, status: int = 400, *reasons: str) -> ClientError:
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
        (refused("InternalServerError", 500), Fault.PASSING),
        (refused("ServiceUnavailable", 503), Fault.PASSING),
        (refused("TransactionConflictException"), Fault.PASSING),
        (refused("ReplicatedWriteConflictException"), Fault.PASSING),
        (refused("ValidationException"), Fault.INVALID),
        (refused("ItemCollectionSizeLimitExceededException"), Fault.INVALID),
        (refused("ProvisionedThroughputExceededException"), Fault.CAPACITY),
        (refused("ThrottlingException", 400, "TableReadKeyRangeThroughputExceeded"), Fault.KEY_RANGE),
        (refused("RequestLimitExceeded"), Fault.CAPACITY),
        (refused("TooManyRequestsException", 429), Fault.CAPACITY),
        (refused("RequestThrottled", 403), Fault.CAPACITY),
        (refused("AccessDeniedException"), Fault.FATAL),
        (refused("ResourceNotFoundException"), Fault.FATAL),
        (NoCredentialsError(), Fault.FATAL),
        (KeyError("x"), Fault.FATAL),
    ],
    ids=repr,
)
def test_an_error_says_what_may_be_done_next(error: Exception, expected: Fault) -> None:
    assert fault(error) is expected


@pytest.mark.parametrize("answer", [{}, {"Items": []}, {"ConsumedCapacity": {}}, {"Items": [], "Count": 0}])
def test_an_answer_that_does_not_say_what_it_consumed_was_cut_off(answer: dict[str, Any]) -> None:
    with pytest.raises(CutAnswerError):
        consumed_units(answer)
    with pytest.raises(CutAnswerError):
        parse_page(answer)


def test_a_page_without_its_items_was_cut_off() -> None:
    with pytest.raises(CutAnswerError):
        parse_page({"ConsumedCapacity": {"CapacityUnits": 0.5}})


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


@pytest.mark.parametrize(("code", "raised"), [("404", TableError), ("503", ClientError), ("Odd", ClientError)])
def test_a_server_that_has_no_dynamodb_is_told_from_one_that_is_unwell(code: str, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        describe(describing(code), "Orders")


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
