"""Which items an attribute keeper leaves for later."""

from dataclasses import replace
from functools import partial
from itertools import count, repeat
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.follower import ItemEffect, Spent, follow_stream
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.dynamodb.source import Item
from skipscan.items.job import UnitRequest
from skipscan.items.lane import ReadPage
from skipscan.retrofit.item import RetrofitOutcome, set_attributes
from skipscan.retrofit.requests import attribute_keeping, retrofit_requests
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import validation_error
from tests.fakes.faulty import faulty
from tests.fakes.hostile.documented import THROTTLES
from tests.fakes.small_table import AUDIT, item, retrofit_plan, text


def keeping_of(client: Any) -> ItemEffect:
    steps = partial(set_attributes, retrofit_plan().assignments, "Audit", ("id", "a", "b", "made"))
    return attribute_keeping(client, steps, ("id",), check=lambda: None)


def test_an_item_that_kept_changing_comes_again() -> None:
    dynamodb = FakeDynamoDB()
    audit, numbers = dynamodb.add(AUDIT, [item("1", a="x", b="x")]), count()

    def change(update: Any, asked: dict[str, Any]) -> Any:
        audit.put(item("1", a=str(next(numbers)), b="x"))
        return update(**asked)

    keeping = keeping_of(faulty(dynamodb, {"update_item": repeat(change)}))
    delivery = Delivery((StreamRecord("record-1", item("1")),), ())
    followed = follow_stream(delivery, keeping, until=1.0, clock=lambda: 0.0)
    assert (followed.failed, followed.outcomes) == (["record-1"], {str(RetrofitOutcome.CONTENDED): 1})
    assert keeping.spent == Spent(1 + next(numbers), read_units=1.0)


def test_an_item_that_dynamodb_refuses_keeps_no_other_from_being_set() -> None:
    dynamodb = FakeDynamoDB()
    audit = dynamodb.add(AUDIT, [item(name, a="x", b="y") for name in "12"])
    too_large = validation_error("Item size has exceeded the maximum allowed size", "UpdateItem")
    keeping = keeping_of(faulty(dynamodb, {"update_item": [too_large]}))
    outcomes = [keeping.apply(Change(item(name), ())) for name in "12"]
    assert outcomes == [RetrofitOutcome.REFUSED, RetrofitOutcome.WRITTEN]
    again = [keeping.apply(Change(item(name), ())) for name in "23"]
    assert {*outcomes, *again} - keeping.quiet == {RetrofitOutcome.REFUSED}
    assert {*outcomes, *again} < keeping.done
    assert [(audit.get(item(name)) or {}).get("made") for name in "12"] == [None, text("x-y")]
    assert keeping.spent == Spent(6, read_units=4.0, write_units=1.0, updated=1)


def test_an_item_whose_update_is_throttled_is_not_taken_for_one_that_is_refused() -> None:
    dynamodb = FakeDynamoDB(AUDIT, [item("1", a="x", b="y")])
    keeping = keeping_of(faulty(dynamodb, {"update_item": [THROTTLES["ThrottlingException without a reason"]]}))
    with pytest.raises(ClientError, match="ThrottlingException"):
        keeping.apply(Change(item("1"), ()))


# What a retrofit asks of DynamoDB when it reads the table.


@pytest.fixture
def audit() -> Any:
    dynamodb = FakeDynamoDB(AUDIT, [item(f"item {n}") for n in range(20)])
    return faulty(dynamodb)


def page(segment: int, start: Item | None) -> UnitRequest:
    nothing: Any = None
    return UnitRequest(nothing, None, ReadPage(0, segment, start, 5), nothing)


@pytest.mark.parametrize("consistent_read", [True, False])
def test_a_page_is_read_as_consistently_as_was_asked(audit: Any, consistent_read: bool) -> None:
    plan = retrofit_plan()
    plan = replace(plan, reading=replace(plan.reading, consistent_read=consistent_read))
    retrofit_requests(audit, plan)(page(0, None))
    assert [each.get("ConsistentRead", False) for each in audit.asked("scan")] == [consistent_read]
