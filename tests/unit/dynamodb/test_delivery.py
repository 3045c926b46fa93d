"""Records as Lambda hands them to a function on a table's stream, and what they are about, each once."""

from typing import Any

import pytest

from skipscan.dynamodb.delivery import Change, Delivery, from_stream


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


def read(*records: Any) -> Delivery:
    return from_stream(records, ("pk", "sk"))


def identifiers(changes: list[Change]) -> list[tuple[str, ...]]:
    return [tuple(record.identifier for record in change.records) for change in changes]


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
    "a time that is none": {
        "dynamodb": {
            "SequenceNumber": "2",
            "Keys": {"pk": {"S": "p"}, "sk": {"S": "a"}},
            "ApproximateCreationDateTime": "now",
        }
    },
}


@pytest.mark.parametrize("poison", POISON.values(), ids=POISON)
def test_an_unreadable_record_is_named_and_does_not_delay_others(poison: dict[str, Any]) -> None:
    delivery = read(record(1, "INSERT", "p", "a"), poison, record(3, "INSERT", "q", "a"))
    assert identifiers(delivery.changes(("pk",))) == [("1",), ("3",)]
    assert delivery.unreadable == ("2",)


@pytest.mark.parametrize("poison", [{}, {"dynamodb": None}, None])
def test_a_record_without_a_number_makes_lambda_deliver_all_again(poison: Any) -> None:
    assert read(poison) == Delivery((), ("",))
