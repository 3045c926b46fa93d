"""Which keys a replicator leaves for later."""

from itertools import count
from typing import Any
from unittest.mock import Mock

import pytest

from skipscan.aws.follower import follow_stream
from skipscan.copy.reconciling import Ending, Side
from skipscan.copy.requests import PairedItems, Replication
from skipscan.dynamodb.delivery import Delivery, StreamRecord
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
