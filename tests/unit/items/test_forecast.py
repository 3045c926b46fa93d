"""What a dry run states of a job over items, from what it is expected to write and consume."""

from dataclasses import replace

import pytest

from skipscan import form
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.forecast import Expected, Sampled, whole
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
