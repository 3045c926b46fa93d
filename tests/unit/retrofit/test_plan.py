"""The plan of a retrofit: more workers for a table that serves more writes, and no other indexes when it is resumed."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from skipscan import form
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from skipscan.retrofit import plan
from skipscan.retrofit.input import RetrofitInput, parse_retrofit
from skipscan.retrofit.plan import RetrofitPlan, resumed_plan
from tests.fakes.small_table import DESCRIPTION, retrofit_plan
from tests.refusal import refused

INDEXED = {
    **DESCRIPTION,
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "made")],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-made",
            "KeySchema": [{"AttributeName": "made", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
            "IndexStatus": "ACTIVE",
        }
    ],
}


def resumed(description: Mapping[str, object]) -> RetrofitPlan:
    asked = RetrofitInput(table="Audit", dry_run=False, resume="retrofit-1")
    begun = form.read(RetrofitPlan, {**form.write(retrofit_plan()), "roles": {"made": []}})
    return resumed_plan(begun, asked, TableDescription.from_json(description), US_EAST_1)


def test_a_retrofit_is_not_resumed_once_an_index_needs_its_attribute() -> None:
    with refused(TableError, 'table "Audit"', rule="has other indexes on made"):
        resumed(INDEXED)


def test_a_retrofit_is_resumed_with_the_budget_of_its_new_input() -> None:
    again = RetrofitInput(table="Audit", dry_run=False, resume="retrofit-1", max_write_units=7.0)
    earlier, table = retrofit_plan(), TableDescription.from_json(DESCRIPTION)
    earlier = replace(earlier, roles={one.name: one.roles for one in earlier.assignments.described(table).assignments})
    assert resumed_plan(earlier, again, table, US_EAST_1).bounds["max_write_units"] == 7.0


@pytest.mark.parametrize(
    ("warm", "rate", "workers"),
    [
        ({}, {}, 4),
        ({"WarmThroughput": {"ReadUnitsPerSecond": 90_000, "WriteUnitsPerSecond": 25_000}}, {}, 25),
        ({"WarmThroughput": {"WriteUnitsPerSecond": 25_000}}, {"max_write_units_per_second": 2_000}, 2),
    ],
)
def test_a_worker_for_each_thousand_write_units_that_the_table_serves(
    warm: dict[str, object], rate: dict[str, object], workers: int
) -> None:
    asked = parse_retrofit({"table": "Audit", "set": {"made": "{a}-{b}"}, **rate})
    assert plan.retrofit_plan(asked, TableDescription.from_json({**DESCRIPTION, **warm}), US_EAST_1).workers == workers
