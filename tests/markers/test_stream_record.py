"""Records as Lambda hands them to a function of a table's stream."""

import base64
from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.markers.marker import Marker
from skipscan.stream.stream_record import changes
from tests.fakes.definition import KeySchema, TableDefinition
from tests.markers import sample


def record(number: int, name: str, pk: str, sk: str) -> dict[str, Any]:
    keys = {"pk": {"S": pk}, "sk": {"S": sk}}
    return {
        "eventID": f"event-{number}",
        "eventName": name,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": {"Keys": keys, "SequenceNumber": str(number), "SizeBytes": 7, "StreamViewType": "KEYS_ONLY"},
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000",
    }


def test_each_collection_comes_once_with_all_its_records() -> None:
    batch = [record(1, "INSERT", "p", "a"), record(2, "REMOVE", "q", "a"), record(3, "INSERT", "p", "b")]
    found, unreadable = changes(batch, sample.marker())
    assert [(change.partition_key, change.records) for change in found] == [
        ({"S": "p"}, ("1", "3")),
        ({"S": "q"}, ("2",)),
    ]
    assert unreadable == []


@pytest.mark.parametrize(
    ("last", "only_added"),
    [
        (("INSERT", "b"), True),
        (("REMOVE", "b"), False),
        (("MODIFY", "b"), False),
        (("INSERT", "#static"), False),
        (("REMOVE", "#static"), False),
    ],
)
def test_only_additions_of_items_that_are_no_markers_count_as_such(last: tuple[str, str], only_added: bool) -> None:
    batch = [record(1, "INSERT", "p", "a"), record(2, last[0], "p", last[1])]
    for order in (batch, batch[::-1]):
        ((change,), _) = changes(order, sample.marker())
        assert change.only_added is only_added


def test_binary_and_numeric_keys_are_read_as_boto3_gives_them() -> None:
    definition = TableDefinition("Orders", KeySchema.of(("pk", "B"), ("sk", "N")))
    marker = Marker.described({"sk": 0, "GSI-pk": "{pk}"}, "Orders", TableDescription.from_json(definition.request()))
    told = record(1, "INSERT", "", "")
    told["dynamodb"]["Keys"] = {"pk": {"B": base64.b64encode(b"\x00\xff").decode()}, "sk": {"N": "0"}}
    ((change,), _) = changes([told], marker)
    assert (change.partition_key, change.only_added) == ({"B": b"\x00\xff"}, False)


POISON: dict[str, Any] = {
    "no keys": {"eventName": "INSERT", "dynamodb": {"SequenceNumber": "2"}},
    "keys of another table": {"eventName": "INSERT", "dynamodb": {"SequenceNumber": "2", "Keys": {"id": {"S": "p"}}}},
    "an unknown type": {
        "eventName": "INSERT",
        "dynamodb": {"SequenceNumber": "2", "Keys": {"pk": {"X": "p"}, "sk": {"S": "a"}}},
    },
    "a value that is none": {
        "eventName": "INSERT",
        "dynamodb": {"SequenceNumber": "2", "Keys": {"pk": {"B": "?"}, "sk": {"S": "a"}}},
    },
    "two types": {
        "eventName": "INSERT",
        "dynamodb": {"SequenceNumber": "2", "Keys": {"pk": {"S": "p", "N": "1"}, "sk": {"S": "a"}}},
    },
    "keys that are a list": {"eventName": "INSERT", "dynamodb": {"SequenceNumber": "2", "Keys": ["pk"]}},
    "no event name": {"dynamodb": {"SequenceNumber": "2", "Keys": {"pk": {"S": "p"}, "sk": {"S": "a"}}}},
}


@pytest.mark.parametrize("poison", POISON.values(), ids=POISON)
def test_a_record_that_cannot_be_read_is_named_and_holds_up_no_other(poison: dict[str, Any]) -> None:
    found, unreadable = changes([record(1, "INSERT", "p", "a"), poison, record(3, "INSERT", "q", "a")], sample.marker())
    assert [change.records for change in found] == [("1",), ("3",)]
    assert unreadable == ["2"]


@pytest.mark.parametrize("poison", [{}, {"dynamodb": None}, None])
def test_a_record_without_a_number_makes_lambda_deliver_all_again(poison: Any) -> None:
    assert changes([poison], sample.marker()) == ([], [""])
