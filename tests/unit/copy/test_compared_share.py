"""How many keys a verification compares."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.copy.input import MOST_COMPARE_ITEMS, parse
from skipscan.copy.plan import copy_plan
from skipscan.copy.replica import Replica
from skipscan.dynamodb.prices import default_prices
from skipscan.dynamodb.table_description import TableDescription

DOCUMENT: dict[str, Any] = {
    "TableName": "Audit",
    "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Audit",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
}


@pytest.mark.parametrize(
    ("items", "compared", "share"),
    [(0, 1_000, 1.0), (500, 1_000, 1.0), (4_000, 1_000, 0.25), (10**11, MOST_COMPARE_ITEMS, 1.0)],
)
def test_the_largest_number_covers_every_key_of_a_large_table(items: int, compared: int, share: float) -> None:
    asked = parse({"table": "Audit", "to": "Audit-2", "compare_only": True, "compare_items": compared})
    description = replace(TableDescription.from_json(DOCUMENT), items=items, size_bytes=items * 100)
    replica = Replica("Audit", "Audit-2", "arn:stream", "https://queue")
    plan = copy_plan(asked, replica, description, description, default_prices(is_infrequent_access=False))
    assert plan.compared_share == share
