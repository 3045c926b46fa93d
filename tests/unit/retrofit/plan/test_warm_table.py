"""A retrofit of a table that serves more writes at once has more workers."""

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.retrofit.input import parse_retrofit
from skipscan.retrofit.plan import retrofit_plan
from tests.fakes.small_table import DESCRIPTION


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
    assert retrofit_plan(asked, TableDescription.from_json({**DESCRIPTION, **warm}), US_EAST_1).workers == workers
