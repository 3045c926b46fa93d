"""Which two tables can be a pair."""

import json
from dataclasses import replace
from itertools import count, repeat
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.follower import ItemEffect, Spent, follow_stream
from skipscan.copy.item import Ending
from skipscan.copy.replica import Replica, from_queue, keys_of, late_look_messages
from skipscan.copy.requests import replication
from skipscan.dynamodb.delivery import Change, Delivery, StreamRecord
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, TableError
from tests.fakes.faulty import faulty
from tests.fakes.small_table import DESCRIPTION, STREAM, copy_plan, item
from tests.refusal import refused

SOURCE = TableDescription.from_json({**DESCRIPTION, "TableName": "Audit"})
TARGET = replace(SOURCE, name="Audit-2")
REPLICA = Replica("Audit", "Audit-2", STREAM, "https://queue")


@pytest.mark.parametrize("status", ["CREATING", "DELETING", "ARCHIVED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"])
def test_a_target_that_cannot_be_written_is_refused(status: str) -> None:
    with refused(TableError, 'table "Audit-2"', rule=status):
        REPLICA.check(SOURCE, replace(TARGET, status=status))


@pytest.mark.parametrize("key", [{"AttributeName": "other"}, {"AttributeType": "N"}])
def test_a_target_with_another_key_is_refused(key: dict[str, Any]) -> None:
    name, kind = key.get("AttributeName", "id"), key.get("AttributeType", "S")
    schema = [{"AttributeName": name, "KeyType": "HASH"}]
    types = [{"AttributeName": name, "AttributeType": kind}]
    document = {**DESCRIPTION, "TableName": "Audit-2", "KeySchema": schema, "AttributeDefinitions": types}
    with refused(TableError, 'table "Audit-2"', rule=rf"{name} \({kind}\).*id \(S\)"):
        REPLICA.check(SOURCE, TableDescription.from_json(document))


def test_a_key_attribute_is_not_made() -> None:
    with refused(InputError, "set.id"):
        replace(REPLICA, templates={"id": "{id}"}).check(SOURCE, TARGET)


def test_an_attribute_that_an_index_of_the_new_table_refuses_in_every_item_is_refused_first() -> None:
    names = {"id": "S", "made": "N"}
    index = {"IndexName": "by-made", "KeySchema": [{"AttributeName": "made", "KeyType": "HASH"}]}
    document = {
        **DESCRIPTION,
        "TableName": "Audit-2",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in names.items()],
        "GlobalSecondaryIndexes": [{**index, "Projection": {"ProjectionType": "ALL"}}],
    }
    with refused(InputError, "set.made", rule="index by-made it is a key of type N"):
        replace(REPLICA, templates={"made": "{id}-x"}).check(SOURCE, TableDescription.from_json(document))


# Messages of late looks: their keys come back, and only to the follower of the same stream.


STREAM_OF_LATE_LOOK, ANOTHER = (
    f"arn:aws:dynamodb:us-east-1:000000000000:table/Audit/stream/{year}" for year in (2025, 2026)
)
NAMES = ("pk", "sk")


def key(number: int, length: int = 1) -> Item:
    return {"pk": {"S": '"' * length}, "sk": {"N": str(number)}}


@pytest.mark.parametrize(("length", "counts"), [(1, [25, 25, 10]), (2_000, [5] * 12)])
def test_all_keys_come_back_in_messages_of_bounded_size(length: int, counts: list[int]) -> None:
    keys = [key(number, length) for number in range(60)]
    messages = list(late_look_messages(keys, STREAM_OF_LATE_LOOK))
    found = [keys_of(body, NAMES, STREAM_OF_LATE_LOOK) for body in messages]
    assert [one for some in found for one in some] == keys
    assert list(map(len, found)) == counts
    assert all(len(body) < 24_200 for body in messages)


def test_a_message_about_a_table_with_another_stream_has_no_key_for_the_follower() -> None:
    (old,) = late_look_messages([key(1)], ANOTHER)
    (new,) = late_look_messages([key(2)], STREAM_OF_LATE_LOOK)
    messages = [{"messageId": "old", "body": old}, {"messageId": "new", "body": new}]
    delivery = from_queue(messages, NAMES, STREAM_OF_LATE_LOOK)
    assert [record.key for record in delivery.records] == [key(2)]
    assert delivery.unreadable == ("old",)


@pytest.mark.parametrize(
    "document", [{}, [], {"keys": []}, {"stream": STREAM_OF_LATE_LOOK}, {"stream": STREAM_OF_LATE_LOOK, "keys": [{}]}]
)
def test_a_message_that_is_not_ours_is_unreadable(document: object) -> None:
    message = {"messageId": "one", "body": json.dumps(document)}
    assert from_queue([message], NAMES, STREAM_OF_LATE_LOOK) == Delivery((), ("one",))


# Which keys a replicator leaves for later.


UNITS = {"ConsumedCapacity": {"CapacityUnits": 1.0}}


def of(client: Any, *, is_late: bool = False) -> ItemEffect:
    replica = replace(copy_plan().replica, source="Audit", target="Audit-2")
    return replication(client, replica, ("id",), is_late=is_late, check=lambda: None)


def changing(**answers: Any) -> Any:
    """Return two tables, of which the old one has another item at every look."""
    numbers = count()

    def get_item(_: object, asked: dict[str, Any]) -> dict[str, Any]:
        return {"Item": item("1", a=str(next(numbers)), b=asked["TableName"]), **UNITS}

    return faulty(None, {"get_item": repeat(get_item), "put_item": repeat(UNITS), **answers})


@pytest.mark.parametrize("is_late", [False, True])
def test_a_key_that_kept_changing_is_given_up_after_five_writes_and_comes_again(is_late: bool) -> None:
    """It must not hold up the others."""
    delivery, client = Delivery((StreamRecord("record-1", item("1")),), ()), changing()
    followed = follow_stream(delivery, of(client, is_late=is_late), until=1.0, clock=lambda: 0.0)
    assert (followed.failed, followed.outcomes) == (["record-1"], {str(Ending.CONTENDED): 1})
    puts = client.asked("put_item")
    assert len(puts) == 5
    made = {"TableName": "Audit-2", "Item": item("1", a="0", b="Audit", made="0-Audit")}
    assert puts[0] == {**made, "ReturnConsumedCapacity": "TOTAL"}


def test_only_an_item_that_is_refused_itself_is_given_up() -> None:
    def settled(code: str) -> tuple[str, Spent]:
        replication = of(changing(put_item=repeat(code)))
        return replication.apply(Change(item("1"), ())), replication.spent

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
