"""How large a copy will be, where DescribeTable has not counted the items yet."""

import pytest

from skipscan.copy.plan import REPLICATED_READ_UNITS, CopyForecast
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.forecast import Sampled
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import DESCRIPTION, item

ITEMS = tuple(item(f"i{number}", a="x", b="y") for number in range(6))


@pytest.mark.parametrize(
    ("counted", "asked", "share", "most"),
    [(0, 3, 0.25, 6), (90, 30, 1 / 3, 60), (3, 8, 1.0, 16), (0, 10**12, 1.0, 2 * 10**12)],
)
def test_the_compared_share_is_of_the_items_that_the_sample_shows(
    counted: int, asked: int, share: float, most: int
) -> None:
    """12 items by the sample: two segments of four have six."""
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": counted, "TableSizeBytes": 0})
    sample = Sampled(ITEMS, segments=2, ended=True, read_units=1.0)
    forecast = CopyForecast.of(copy_plan().replica, sample, 4, described, described)
    plan = copy_plan(4, verify=True, compare_items=asked).over(forecast.items)
    assert plan.compared_share == pytest.approx(share)
    explained = forecast.to_json(plan, recovery=True)
    assert explained["compared_keys_at_most"] == most
    walks = 3 * 4 * 0.5
    assert explained["read_units"] == pytest.approx(walks + 2 * 2 * min(asked, forecast.items))


def test_large_items_are_compared_for_more_than_two_read_units() -> None:
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": 10, "TableSizeBytes": 100 * 1024})
    forecast = CopyForecast.of(copy_plan().replica, Sampled(ITEMS, 2, False, 1.0), 4, described, described)
    plan = copy_plan(4, verify=True, compare_items=5).over(forecast.items)
    explained = forecast.to_json(plan, recovery=True)
    walks = 3 * 100 / 4 * 0.5
    assert explained["read_units"] == pytest.approx(walks + 2 * 5 * 2 * 3)  # 10 KB: three units a look


def test_a_dry_run_names_both_tables_and_the_items_that_get_no_attribute() -> None:
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": 90, "TableSizeBytes": 0})
    sample = Sampled((*ITEMS, item("l1", a="x")), segments=2, ended=False, read_units=1.5)
    explained = CopyForecast.of(copy_plan().replica, sample, 4, described, described).to_json(
        copy_plan(4), recovery=True
    )
    assert (explained["table"], explained["to"]) == ("Audit", copy_plan().replica.target)
    assert (explained["items"], explained["write_units"]) == (90, 90.0)
    assert explained["sample"] == {"items": 7, "read_units": 1.5, "unset": 1, "unset_because": {"b is lacking": 1}}


def test_the_explanation_says_what_is_set_and_what_each_later_change_costs() -> None:
    described = TableDescription.from_json(DESCRIPTION)
    sample = Sampled(ITEMS, segments=2, ended=True, read_units=1.0)
    plan = copy_plan(4)
    explained = CopyForecast.of(plan.replica, sample, 4, described, described).to_json(plan, recovery=None)
    assert (explained["table"], explained["to"]) == (plan.reading.source.table, plan.replica.target)
    assert explained["set"] == dict(plan.replica.templates)
    assert explained["each_later_change"] == {"write_units": 1.0, "read_units": REPLICATED_READ_UNITS}
