"""Which keys a replicator leaves for later."""

from itertools import count
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.follower import Spent, follow_stream
from skipscan.copy.reconciling import Ending, Side
from skipscan.copy.requests import PairedItems, Replication
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.dynamodb.source import Item
from skipscan.items.walk import Looked
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import item


class Changing:
    """Two tables, of which the old one has another item at every look."""

    def __init__(self) -> None:
        self._numbers = count()

    def look(self, side: Side, key: Item) -> Looked:
        return Looked(item("1", a=str(next(self._numbers)), b=side), 1.0)

    def put(self, _: Item) -> float:
        return 1.0


@pytest.mark.parametrize("is_late", [False, True])
def test_a_key_that_kept_changing_comes_again(is_late: bool) -> None:
    items: Any = Changing()
    replication = Replication(copy_plan().transform, items, ("id",), is_late=is_late, check=lambda: None)
    delivery = Delivery((StreamRecord("record-1", item("1")),), ())
    followed = follow_stream(delivery, replication, until=1.0, clock=lambda: 0.0)
    assert (followed.failed, followed.outcomes) == (["record-1"], {str(Ending.CONTENDED): 1})


def test_the_new_tables_writes_say_what_they_consume() -> None:
    client = Mock()
    for write in (client.put_item, client.delete_item):
        write.return_value = {"ConsumedCapacity": {"CapacityUnits": 3.0}}
    items = PairedItems(client, copy_plan().replica, "id")
    assert (items.put(item("1")), items.delete(item("1"))) == (3.0, 3.0)
    for write in (client.put_item, client.delete_item):
        assert write.call_args.kwargs["ReturnConsumedCapacity"] == "TOTAL"


class Refusing(Changing):
    """Two tables, of which the new one refuses every item. `code`: why."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code = code

    def put(self, _: Item) -> float:
        raise ClientError({"Error": {"Code": self._code, "Message": "made up"}}, "PutItem")


def test_only_an_item_that_is_refused_itself_is_given_up() -> None:
    def settled(code: str) -> tuple[str, Spent]:
        items: Any = Refusing(code)
        replication = Replication(copy_plan().transform, items, ("id",), is_late=False, check=lambda: None)
        return replication.settle(Change(item("1"), ())), replication.spent

    assert settled("ValidationException") == (Ending.REFUSED, Spent(2, read_units=2.0))
    with pytest.raises(ClientError, match="ThrottlingException"):
        settled("ThrottlingException")


def test_a_replicator_counts_its_requests_by_what_they_did() -> None:
    class Agreeing(Changing):
        """Two tables that agree once the item is put."""

        def look(self, side: Side, key: Item) -> Looked:
            return Looked(item("1", a="x", b="y") if side is Side.SOURCE else self.held, 1.0)

        held: Item | None = None

        def put(self, item: Item) -> float:
            self.held = item
            return 2.0

    items: Any = Agreeing()
    plan = copy_plan()
    replication = Replication(plan.transform, items, ("id",), is_late=False, check=lambda: None)
    outcome = replication.settle(Change(item("1"), ()))
    assert (outcome, replication.spent.put, replication.spent.write_units) == (Ending.WRITTEN, 1, 2.0)
    assert replication.spent.requests == 5, "two looks, a write, and two looks again"
