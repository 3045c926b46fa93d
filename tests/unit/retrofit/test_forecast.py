"""What a dry run of a retrofit shows, from a sample of a quarter of the table."""

from dataclasses import replace
from typing import Any

import pytest

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


def test_the_sample_s_outcomes_are_expected_of_the_whole_table() -> None:
    explanation = explained(retrofit_plan(SEGMENTS))
    outcomes = {"written": 6, "right": 2, "lacking": 1, "refused": 1}
    assert explanation["sample"] == {"items": len(SAMPLE), "read_units": 2.5, **outcomes}
    assert explanation["expected"] == {name: count * ITEMS // 10 for name, count in outcomes.items()}
    assert (explanation["items"], explanation["table"]) == (ITEMS, "Audit")
    assert explanation["set"] == {"made": "{a}-{b}"}
    assert explanation["write_units"] == 0.6 * ITEMS


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
        *("table", "set", "separator", "items", "items_are", "sample", "expected", "write_units_per_update"),
        *("write_units", "read_units", "dollars", "prices", "minutes", "workers", "overrun", "segments", "verify"),
        *("max_read_units_per_second", "max_write_units_per_second", "count_indexes", "point_in_time_recovery"),
        *("indexes", "first_items", "advice"),
    }
    assert (explanation["separator"], explanation["items_are"]) == (
        "refuse",
        "as DescribeTable says, up to six hours old",
    )
    assert explanation["write_units_per_update"] == {"table": 1.0}
    assert (explanation["point_in_time_recovery"], explanation["indexes"]) == (True, [])


@pytest.mark.parametrize(("verify", "counted", "walks"), [(False, 0, 1), (True, 0, 2), (True, 2, 4)])
def test_a_walk_a_verification_and_each_counted_index_read_the_table_once(
    verify: bool, counted: int, walks: int
) -> None:
    indexes: dict[str, dict[str, str]] = {f"by-{number}": {"made": "S"} for number in range(counted)}
    plan = replace(retrofit_plan(SEGMENTS, verify=verify), counted=indexes)
    explanation = explained(plan)
    walk = ITEMS * 100 / 4096 * 0.5
    assert explanation["read_units"] == round(walks * walk, 1)
    assert explanation["count_indexes"] == {
        "indexes": list(indexes),
        "read_units_at_most": round(counted * walk, 1),
    }


@pytest.mark.parametrize(
    ("rate", "workers", "minutes"), [(None, 1, 4.1), (None, 2, 2.1), (100.0, 1, 40.1)], ids=["one", "two", "a rate"]
)
def test_minutes_are_those_of_the_writes(rate: float | None, workers: int, minutes: float) -> None:
    """240,000 updates, a thousand a second by a worker; a start takes five seconds."""
    explanation = explained(retrofit_plan(SEGMENTS, workers, max_write_units_per_second=rate))
    assert explanation["minutes"] == minutes


def test_the_first_items_have_types_or_values_on_request() -> None:
    assert explained(retrofit_plan(SEGMENTS))["first_items"] == [{"id": "S", "made": "S"}] * 5
    shown = explained(retrofit_plan(SEGMENTS), shows=True)["first_items"]
    assert shown[0] == {"id": {"S": "w0"}, "made": {"S": "x-y"}}


def test_a_page_has_the_key_the_sources_the_targets_and_what_counted_indexes_have() -> None:
    plan = replace(retrofit_plan(SEGMENTS), counted={"by-made": {"made": "S", "day": "N"}})
    assert plan.projected == ("id", "a", "b", "made", "day")
