"""What a dry run states of a job over items, from what it is expected to write and consume."""

from dataclasses import replace

import pytest

from skipscan import form
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits
from skipscan.items.forecast import Expected, ItemForecast, Sampled, whole
from tests.fakes.small_table import DESCRIPTION, item, retrofit_plan

SAMPLE = Sampled((item("1", a="x"), item("2", a="xyz")), segments=2, ended=True, read_units=1.0)


def test_a_dry_run_states_amounts_to_a_tenth_and_the_bounds_as_they_are() -> None:
    plan = retrofit_plan(8, 2, verify=True, max_write_units_per_second=25.0, max_write_units=1_000.0)
    plan = replace(plan, reading=replace(plan.reading, max_read_units_per_second=40.0))
    stated = Expected(writes=30.0, read_units=12.3456, write_units=98.7654).to_json(plan)
    dollars = stated.pop("dollars")
    assert (dollars["read_units"], dollars["write_units"]) == (0.000002, 0.000062)
    assert (list(stated.pop("overrun")), stated.pop("prices")) == (["write_units"], form.write(plan.prices))
    assert stated == {
        **{"write_units": 98.8, "read_units": 12.3, "minutes": 0.1, "workers": 2, "segments": 8, "verify": True},
        **{"max_read_units_per_second": 40.0, "max_write_units_per_second": 25.0},
    }


@pytest.mark.parametrize(
    ("expected", "minutes"),
    [(Expected(240_000, 0.0, 0.0), 2.1), (Expected(0, 0.0, 6_000.0), 4.1), (Expected(0, 6_000.0, 0.0), 2.6)],
    ids=["writes", "write units", "read units"],
)
def test_a_job_takes_as_long_as_what_limits_it_most(expected: Expected, minutes: float) -> None:
    """A worker writes a thousand items a second; the rates are for all workers, and a start takes five seconds."""
    plan = retrofit_plan(8, 2, max_write_units_per_second=25.0)
    plan = replace(plan, reading=replace(plan.reading, max_read_units_per_second=40.0))
    assert expected.to_json(plan)["minutes"] == minutes


def test_a_plan_knows_the_samples_bytes_and_units() -> None:
    units = WriteUnits.of([{None: 3, "by-a": 2}, {None: 1}])
    plan = ItemForecast(SAMPLE, 100, "counted", 2_500.0, units).known(retrofit_plan(8, 2), 7.5)
    assert (plan.reading.item_bytes, plan.units_per_write, plan.most_units_per_write) == (25.0, 3.0, 5.0)
    assert (plan.sampled_units, plan.workers) == (7.5, 2)
    assert ItemForecast(SAMPLE, 0, "counted", 0.0, units).item_bytes == 0.0


@pytest.mark.parametrize(
    ("segments", "ended", "described", "found"),
    [
        (2, True, 0, (2, "counted", 12.0)),
        (8, True, 0, (8, "estimated from the sample", 48.0)),
        (8, False, 0, (8, "at least, estimated from the sample", 48.0)),
        (8, True, 40, (40, "as DescribeTable says, up to six hours old", 900.0)),
        (8, True, 1, (2, "as DescribeTable says, up to six hours old", 900.0)),
    ],
)
def test_the_number_of_items_says_where_it_is_from(
    segments: int, ended: bool, described: int, found: tuple[int, str, float]
) -> None:
    more = {"ItemCount": described, "TableSizeBytes": 900 if described else 0}
    table = TableDescription.from_json({**DESCRIPTION, **more})
    assert whole(replace(SAMPLE, ended=ended), segments, table) == found


def test_a_number_of_items_from_a_sample_has_its_interval() -> None:
    """Of ten segments three with 4, 5 and 6 items: 50, in 95 of 100 samples between these."""
    sample = replace(SAMPLE, items=SAMPLE.items[:1] * 15, segments=3, counts=(4, 5, 6))
    assert whole(sample, 10, TableDescription.from_json(DESCRIPTION))[:2] == (50, "estimated from the sample: 36 to 94")
