"""Which items an attribute keeper leaves for later."""

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.follower import Spent, follow_stream
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.walk import Looked
from skipscan.retrofit.batch import RetrofitOutcome
from skipscan.retrofit.requests import AttributeKeeping, RetrofitItems
from tests.fakes.small_table import item, retrofit_plan


class Changing:
    """A table whose item is another one at every request."""

    def __init__(self) -> None:
        self.numbers = count()

    def look(self, _: object) -> Looked:
        return Looked(item("1", a=str(next(self.numbers)), b="x"), 1.0)

    def update(self, *_: object) -> Conflict:
        return Conflict(item("1", a=str(next(self.numbers)), b="x"), 1.0)


def test_an_item_that_kept_changing_comes_again() -> None:
    items: Any = Changing()
    keeping = AttributeKeeping(retrofit_plan().assignments, items, ("id",), check=lambda: None)
    delivery = Delivery((StreamRecord("record-1", item("1")),), ())
    followed = follow_stream(delivery, keeping, until=1.0, clock=lambda: 0.0)
    assert (followed.failed, followed.outcomes) == (["record-1"], {str(RetrofitOutcome.CONTENDED): 1})
    assert keeping.spent == Spent(next(items.numbers), read_units=1.0)


class Refusing:
    """A table of items to set, whose item 1 DynamoDB refuses. `updated`: the keys of the others."""

    def __init__(self) -> None:
        self.exceptions = SimpleNamespace(ConditionalCheckFailedException=ConditionError)
        self.updated: list[str] = []

    def get_item(self, **asked: Any) -> dict[str, Any]:
        return {"Item": item(asked["Key"]["id"]["S"], a="x", b="y"), "ConsumedCapacity": {"CapacityUnits": 1.0}}

    def update_item(self, **asked: Any) -> dict[str, Any]:
        key = asked["Key"]["id"]["S"]
        if key == "1":
            raise ClientError({"Error": {"Code": "ValidationException", "Message": "too large"}}, "UpdateItem")
        self.updated.append(key)
        return {"ConsumedCapacity": {"CapacityUnits": 1.0}}


class ConditionError(Exception):
    """What boto3 raises for a condition that does not hold."""


@pytest.mark.asked_again("skipscan.retrofit.requests:AttributeKeeping.settle")
def test_an_item_that_dynamodb_refuses_keeps_no_other_from_being_set() -> None:
    client: Any = Refusing()
    items = RetrofitItems(client, "Audit", "id", ("id", "a", "b", "made"))
    keeping = AttributeKeeping(retrofit_plan().assignments, items, ("id",), check=lambda: None)
    outcomes = [keeping.settle(Change(item(name), ())) for name in "12"]
    assert outcomes == [RetrofitOutcome.REFUSED, RetrofitOutcome.WRITTEN]
    assert client.updated == ["2"]
    assert keeping.spent == Spent(4, read_units=2.0, write_units=1.0, updated=1)


class Throttled(Refusing):
    def update_item(self, **asked: Any) -> dict[str, Any]:
        raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "made up"}}, "UpdateItem")


def test_an_item_whose_update_is_throttled_is_not_taken_for_one_that_is_refused() -> None:
    client: Any = Throttled()
    items = RetrofitItems(client, "Audit", "id", ("id", "a", "b", "made"))
    keeping = AttributeKeeping(retrofit_plan().assignments, items, ("id",), check=lambda: None)
    with pytest.raises(ClientError, match="ThrottlingException"):
        keeping.settle(Change(item("1"), ()))
