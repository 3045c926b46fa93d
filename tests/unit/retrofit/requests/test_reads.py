"""What a retrofit asks of DynamoDB when it reads the table."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.items.walk import ReadPage
from skipscan.retrofit.requests import RetrofitTable
from tests.fakes.small_table import retrofit_plan


@pytest.mark.parametrize("consistent_read", [True, False])
def test_a_page_is_read_as_consistently_as_was_asked(consistent_read: bool) -> None:
    asked: list[dict[str, Any]] = []

    class Client:
        def scan(self, **parameters: Any) -> dict[str, Any]:
            asked.append(parameters)
            return {"Items": [], "Count": 0, "ScannedCount": 0, "ConsumedCapacity": {"CapacityUnits": 0.5}}

    plan = retrofit_plan()
    client: Any = Client()
    table = RetrofitTable(client, replace(plan, reading=replace(plan.reading, consistent_read=consistent_read)))
    walk: Any = None
    table.do(ReadPage(walk, number=0, segment=0, start_key=None, limit=5, units=0.5))
    assert [each.get("ConsistentRead", False) for each in asked] == [consistent_read]
