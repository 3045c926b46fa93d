"""Which two tables can be a pair."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.copy.replica import Replica
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, TableError
from tests.refusal import refused

STREAM = "arn:aws:dynamodb:us-east-1:123456789012:table/Audit/stream/2026"
SOURCE = TableDescription.from_json(
    {
        "TableName": "Audit",
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "LatestStreamArn": STREAM,
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    }
)
TARGET = replace(SOURCE, name="Audit-2")
REPLICA = Replica("Audit", "Audit-2", STREAM, "https://queue")


@pytest.mark.parametrize("status", ["CREATING", "DELETING", "ARCHIVED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"])
def test_a_target_that_cannot_be_written_is_refused(status: str) -> None:
    with refused(TableError, 'table "Audit-2"', rule=status):
        REPLICA.check(SOURCE, replace(TARGET, status=status))


@pytest.mark.parametrize("key", [{"AttributeName": "other"}, {"AttributeType": "N"}])
def test_a_target_with_another_key_is_refused(key: dict[str, Any]) -> None:
    name, kind = key.get("AttributeName", "id"), key.get("AttributeType", "S")
    other = TableDescription.from_json(
        {
            "TableName": "Audit-2",
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}],
        }
    )
    with refused(TableError, 'table "Audit-2"', rule=rf"{name} \({kind}\).*id \(S\)"):
        REPLICA.check(SOURCE, other)


def test_a_key_attribute_is_not_made() -> None:
    with refused(InputError, "set.id"):
        replace(REPLICA, templates={"id": "{id}"}).check(SOURCE, TARGET)
