"""What a failed or a broken answer says about the next request, and that no call takes a cut answer for a whole one."""

from collections.abc import Callable
from dataclasses import replace
from itertools import repeat
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import (
    ClientError,
)

from skipscan.act.actions.delete_item import DeleteItem
from skipscan.act.actions.put_item import PutItem, Undo
from skipscan.act.input import AnyAction
from skipscan.act.task_source import Task
from skipscan.aws.answer import CutAnswerError
from skipscan.aws.item import do
from skipscan.aws.rechecked import same_tables
from skipscan.aws.table import Table, describe_if_allowed, has_recovery
from skipscan.copy.kind import COPY
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.step import First, Get, Write
from skipscan.errors import TableError
from skipscan.items.template import ItemTemplate
from skipscan.loop.work import ExecutionId
from skipscan.scan.taken import ITEM, Lookup
from tests.fakes.acting import Acting
from tests.fakes.faulty import faulty
from tests.fakes.small_table import DESCRIPTION, copy_plan
from tests.refusal import refused
from tests.simulation.world.clock import Clock
from tests.unit.act.worker import plan as act_plan
from tests.unit.scan.worker import Worker

KEY = {"id": {"S": "1"}}


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
    return Acting.over(CLIENT, act_plan([], action)).act(Task(0, (b'{"pk": "p"}\n',), 0, 1, "0-0"))


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
    tables = same_tables(described, COPY.new_work(NAMED, plan), clock.monotonic)
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


@pytest.mark.parametrize(("end", "descends"), [("d", False), ("b", True)])
def test_no_query_begins_at_the_end_of_its_condition(end: str, descends: bool) -> None:
    """A table refuses it. Some engines end a page there with a LastEvaluatedKey, where a stored cursor may stand."""
    among = SortRange("sk", since={"S": "b"}, until={"S": "d"})
    lookup = Lookup(ITEM, ({"S": "p"},), among, {"pk": {"S": "p"}, "sk": {"S": end}}, descends=descends)
    request: Any = SimpleNamespace(lookup=lookup)
    assert Table(CLIENT, Worker().plan).ask(request) == Page((), None, 0.0)
