"""A resumed retrofit writes what it has written until now, unless an index has come or gone that a value must fit."""

from collections.abc import Mapping
from dataclasses import replace

from skipscan import form
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from skipscan.retrofit.input import RetrofitInput
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
    plan = resumed_plan(earlier, again, table, US_EAST_1)
    assert plan.bounds["max_write_units"] == 7.0
