"""What a dry run of a retrofit shows, from a sample of a quarter of the table."""

from dataclasses import replace
from typing import Any

from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.forecast import Sampled
from skipscan.retrofit.forecast import Forecast, unfound
from skipscan.retrofit.plan import RetrofitPlan
from tests.fakes.small_table import DESCRIPTION, item, retrofit_plan

SEGMENTS, ITEMS = 4, 400_000
WRITTEN = [item(f"w{number}", a="x", b="y") for number in range(6)]
RIGHT = [item("r1", a="x", b="y", made="x-y"), item("r2", a="x", b="y", made="x-y")]
SAMPLE = (*WRITTEN, *RIGHT, item("l1", a="x"), item("s1", a="x-", b="y"))
"""Six items to write, two that are right, one that lacks an attribute, one whose value has the separator."""

TABLE = TableDescription.from_json({**DESCRIPTION, "ItemCount": ITEMS, "TableSizeBytes": ITEMS * 100})


def explained(plan: RetrofitPlan, *, shows: bool = False) -> dict[str, Any]:
    sample = Sampled(SAMPLE, segments=1, ended=True, read_units=2.5)
    forecast = Forecast.of(plan.assignments, sample, SEGMENTS, TABLE)
    return forecast.to_json(plan, TABLE, recovery=True, shows=shows)


def test_an_attribute_that_no_item_has_may_be_misspelt() -> None:
    misspelt = replace(retrofit_plan(SEGMENTS), templates={"made": "{mad}-{a}", "other": "{nowhere}"}).assignments
    assert [*unfound(misspelt, SAMPLE)] == [
        "No item of the sample has an attribute mad; did you mean made?",
        "No item of the sample has an attribute nowhere.",
    ]
    assert [*unfound(misspelt, ())] == []


def test_a_dry_run_has_these_fields_and_what_the_table_is_like() -> None:
    explanation = explained(retrofit_plan(SEGMENTS))
    assert set(explanation) == {
        *("table", "set", "remove", "separator", "items", "items_are", "sample", "expected", "write_units_per_update"),
        *("write_units", "read_units", "dollars", "prices", "minutes", "workers", "overrun", "segments", "verify"),
        *("max_read_units_per_second", "max_write_units_per_second", "count_indexes", "point_in_time_recovery"),
        *("indexes", "first_items", "advice"),
    }
    assert (explanation["separator"], explanation["items_are"]) == (
        "refuse",
        "as DescribeTable says, up to six hours old",
    )
    shares = {"written": 6, "right": 2, "lacking": 1, "refused": 1}
    assert explanation["sample"] == {"items": 10, "read_units": 2.5, **shares}
    assert explanation["expected"] == {name: items * ITEMS / 10 for name, items in shares.items()}
    assert explanation["write_units_per_update"] == {"table": 1.0}
    assert (explanation["point_in_time_recovery"], explanation["indexes"]) == (True, [])


def test_a_removed_attribute_makes_items_smaller_and_costs_the_entries_that_have_it() -> None:
    index = {
        "IndexName": "by-a",
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["b"]},
    }
    keys = {"AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "a")]}
    table = TableDescription.from_json({**DESCRIPTION, **keys, "GlobalSecondaryIndexes": [index]})
    plan = replace(retrofit_plan(SEGMENTS), templates={"new": "{c}"}, removes=("b", "c"))
    sample = Sampled((item("1", a="x", b="y" * 1500, c="z"), item("2", a="x")), 1, ended=True, read_units=1.0)
    explanation = Forecast.of(plan.assignments, sample, SEGMENTS, table).to_json(plan, table, recovery=True, shows=True)
    assert explanation["write_units_per_update"] == {"table": 2.0, "by-a": 2.0}
    assert explanation["first_items"] == [{"id": {"S": "1"}, "new": {"S": "z"}}]
    assert (explanation["set"], explanation["remove"]) == ({"new": "{c}"}, ["b", "c"])
    assert [*unfound(plan.assignments, [item("1", a="x", b="y", cc="z")])] == [
        "No item of the sample has an attribute c; did you mean cc?"
    ]


def test_the_first_items_have_types_or_values_on_request() -> None:
    assert explained(retrofit_plan(SEGMENTS))["first_items"] == [{"id": "S", "made": "S"}] * 5
    shown = explained(retrofit_plan(SEGMENTS), shows=True)["first_items"]
    assert shown[0] == {"id": {"S": "w0"}, "made": {"S": "x-y"}}
