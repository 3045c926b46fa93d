"""The bounds a plan sets: what was asked for, what dollars buy, and a quarter of what is provisioned."""

from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.scan.plan import Plan, plan

PROVISIONED = {"ProvisionedThroughput": {"ReadCapacityUnits": 400, "WriteCapacityUnits": 5}}
ON_DEMAND = {"BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}, **PROVISIONED}
INDEX = {
    "IndexName": "by-day",
    "IndexStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
    "ProvisionedThroughput": {"ReadCapacityUnits": 40},
}


def planned(table: dict[str, Any], **asked: Any) -> Plan:
    description = {
        "TableStatus": "ACTIVE",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        **table,
    }
    return plan(parse({"table": "Orders", **asked}), TableDescription.from_json(description))


@pytest.mark.parametrize(
    ("table", "asked", "rate"),
    [
        ({}, {}, None),
        (ON_DEMAND, {}, None),
        (PROVISIONED, {}, 100),
        (PROVISIONED, {"max_read_units_per_second": 300}, 300),
        ({**PROVISIONED, "GlobalSecondaryIndexes": [INDEX]}, {"index": "by-day"}, 10),
        ({**ON_DEMAND, "GlobalSecondaryIndexes": [INDEX]}, {"index": "by-day"}, None),
        ({**ON_DEMAND, "OnDemandThroughput": {"MaxReadRequestUnits": 80}}, {}, 20),
    ],
)
def test_provisioned_capacity_is_used_by_a_quarter(table: dict[str, Any], asked: dict[str, Any], rate: Any) -> None:
    assert planned(table, **asked).max_read_units_per_second == rate


@pytest.mark.parametrize(
    ("asked", "read_units"),
    [
        ({}, None),
        ({"max_read_units": 5000}, 5000),
        ({"max_dollars": 1}, 8_000_000),  # at $0.125 a million
        ({"max_dollars": 1, "max_read_units": 5000}, 5000),
        ({"max_dollars": 0.0005, "max_read_units": 5000}, 4000),
    ],
)
def test_the_budget_is_the_smaller_of_units_and_dollars(asked: dict[str, Any], read_units: Any) -> None:
    assert planned({}, **asked).max_read_units == (read_units and pytest.approx(read_units))


def test_workers_share_rate_and_budget() -> None:
    shared = planned({}, segments=8, workers=4, max_read_units_per_second=100, max_read_units=1000)
    assert (shared.worker_read_units_per_second, shared.worker_read_units) == (25, 250)
