"""What a retrofit asks of DynamoDB when it reads the table."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.items.walk import LookAtItem, Looked, ReadPage
from skipscan.retrofit.batch import ItemRead
from skipscan.retrofit.requests import RetrofitTable
from tests.fakes.small_table import item, retrofit_plan


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


def test_a_request_names_the_table_what_it_reads_and_that_units_are_told() -> None:
    asked: dict[str, Any] = {}

    class Client:
        def scan(self, **parameters: Any) -> dict[str, Any]:
            asked.update(parameters)
            return {"Items": [], "Count": 0, "ScannedCount": 0, "ConsumedCapacity": {"CapacityUnits": 0.5}}

        def get_item(self, **parameters: Any) -> dict[str, Any]:
            asked.clear()
            asked.update(parameters)
            return {"ConsumedCapacity": {"CapacityUnits": 1.0}}

    client: Any = Client()
    table, walk = RetrofitTable(client, retrofit_plan(3)), SimpleNamespace(segment=2)
    read = {
        "ProjectionExpression": "#p0,#p1,#p2,#p3",
        "ExpressionAttributeNames": {"#p0": "id", "#p1": "a", "#p2": "b", "#p3": "made"},
    }
    shared: dict[str, Any] = {"TableName": "Audit", "ReturnConsumedCapacity": "TOTAL", **read}
    held: Any = walk
    table.do(ReadPage(held, number=0, segment=2, start_key=item("1"), limit=5, units=0.5))
    assert asked == {**shared, "TotalSegments": 3, "Segment": 2, "Limit": 5, "ExclusiveStartKey": item("1")}
    one: Any = SimpleNamespace(key=item("1"))
    assert table.do(LookAtItem(held, one, ItemRead.LOOK, 1.0)) == Looked(None, 1.0)
    assert asked == {**shared, "Key": item("1"), "ConsistentRead": True}
