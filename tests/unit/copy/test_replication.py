"""Which keys a replicator leaves for later."""

from dataclasses import replace
from itertools import count, repeat
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.follower import Spent, follow_stream
from skipscan.copy.reconciling import Ending
from skipscan.copy.requests import Replication
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import AUDIT, item

UNITS = {"ConsumedCapacity": {"CapacityUnits": 1.0}}


def of(client: Any, *, is_late: bool = False) -> Replication:
    replica = replace(copy_plan().replica, source="Audit", target="Audit-2")
    return Replication(client, replica, ("id",), is_late=is_late, check=lambda: None)


def changing(**answers: Any) -> Any:
    """Return two tables, of which the old one has another item at every look."""
    numbers = count()

    def get_item(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        return {"Item": item("1", a=str(next(numbers)), b=asked["TableName"]), **UNITS}

    return faulty(None, {"get_item": repeat(get_item), "put_item": repeat(UNITS), **answers})


@pytest.mark.parametrize("is_late", [False, True])
def test_a_key_that_kept_changing_comes_again(is_late: bool) -> None:
    delivery = Delivery((StreamRecord("record-1", item("1")),), ())
    followed = follow_stream(delivery, of(changing(), is_late=is_late), until=1.0, clock=lambda: 0.0)
    assert (followed.failed, followed.outcomes) == (["record-1"], {str(Ending.CONTENDED): 1})


def test_only_an_item_that_is_refused_itself_is_given_up() -> None:
    def settled(code: str) -> tuple[str, Spent]:
        replication = of(changing(put_item=repeat(code)))
        return replication.settle(Change(item("1"), ())), replication.spent

    assert settled("ValidationException") == (Ending.REFUSED, Spent(3, read_units=2.0))
    with pytest.raises(ClientError, match="ThrottlingException"):
        settled("ThrottlingException")


@pytest.mark.parametrize(("is_late", "failed"), [(False, []), (True, ["record-1"])])
def test_an_item_that_is_refused_is_left_to_the_late_look_whose_message_comes_again(
    is_late: bool, failed: list[str]
) -> None:
    replication = of(changing(put_item=repeat("ValidationException")), is_late=is_late)
    delivery = Delivery((StreamRecord("record-1", item("1")),), ())
    assert follow_stream(delivery, replication, until=1.0, clock=lambda: 0.0).failed == failed
    assert replication.quiet == replication.done - {Ending.REFUSED} == {Ending.RIGHT, Ending.WRITTEN}


def test_a_replicator_counts_its_requests_by_what_they_did() -> None:
    tables = FakeDynamoDB()
    tables.add(AUDIT, [item("1", a="x", b="y")])
    tables.add(replace(AUDIT, name="Audit-2"))
    replication = of(tables)
    assert replication.settle(Change(item("1"), ())) == Ending.WRITTEN
    assert replication.spent == Spent(5, read_units=4.0, write_units=1.0, put=1), "two looks, a write, two looks again"
