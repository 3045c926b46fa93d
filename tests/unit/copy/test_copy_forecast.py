"""How large a copy will be, where DescribeTable has not counted the items yet."""

import pytest

from skipscan.copy.forecast import CopyForecast
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.forecast import Sampled
from tests.unit.copy.pair import copy_plan
from tests.unit.retrofit.small_table import DESCRIPTION, item

ITEMS = tuple(item(f"i{number}", a="x", b="y") for number in range(6))


@pytest.mark.parametrize(
    ("counted", "segments", "ended", "items", "items_are"),
    [
        (0, 4, True, 12, "estimated from the sample"),
        (0, 4, False, 12, "at least, estimated from the sample"),
        (0, 2, True, 6, "counted"),
        (90, 4, True, 90, "as DescribeTable says, up to six hours old"),
        (3, 4, True, 6, "as DescribeTable says, up to six hours old"),
    ],
)
def test_the_sample_says_how_many_items_there_are_where_describe_table_does_not(
    counted: int, segments: int, ended: bool, items: int, items_are: str
) -> None:
    described = TableDescription.from_json({**DESCRIPTION, "ItemCount": counted, "TableSizeBytes": 0})
    sample = Sampled(ITEMS, segments=2, ended=ended, read_units=1.0)
    forecast = CopyForecast.of(copy_plan().transform, sample, segments, described, described)
    assert (forecast.items, forecast.items_are) == (items, items_are)
    assert forecast.size_bytes == pytest.approx(items * forecast.item_bytes)
    assert forecast.size_bytes > 0
    assert forecast.units.each == 1.0
