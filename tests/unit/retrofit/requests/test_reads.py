"""What a retrofit asks of DynamoDB when it reads the table."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.items.walk import LookAtItem, Looked, ReadPage
from skipscan.retrofit.batch import ItemRead
from skipscan.retrofit.requests import RetrofitTable
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.small_table import AUDIT, item, retrofit_plan


@pytest.fixture
def audit() -> Any:
    dynamodb = FakeDynamoDB()
    dynamodb.add(AUDIT, [item(f"item {n}") for n in range(20)])
    return faulty(dynamodb)


@pytest.mark.parametrize("consistent_read", [True, False])
def test_a_page_is_read_as_consistently_as_was_asked(audit: Any, consistent_read: bool) -> None:
    plan = retrofit_plan()
    table = RetrofitTable(audit, replace(plan, reading=replace(plan.reading, consistent_read=consistent_read)))
    walk: Any = None
    table.do(ReadPage(walk, number=0, segment=0, start_key=None, limit=5, units=0.5))
    assert [each.get("ConsistentRead", False) for each in audit.asked("scan")] == [consistent_read]


def test_a_request_names_the_table_what_it_reads_and_that_units_are_told(audit: Any) -> None:
    table = RetrofitTable(audit, retrofit_plan(3))
    held: Any = SimpleNamespace(segment=2)
    one: Any = SimpleNamespace(key=item("1"))
    read = {
        "ProjectionExpression": "#p0,#p1,#p2,#p3",
        "ExpressionAttributeNames": {"#p0": "id", "#p1": "a", "#p2": "b", "#p3": "made"},
    }
    shared: dict[str, Any] = {"TableName": "Audit", "ReturnConsumedCapacity": "TOTAL", **read}
    start = audit.scan(TableName="Audit", Segment=2, TotalSegments=3, Limit=1)["LastEvaluatedKey"]
    table.do(ReadPage(held, number=0, segment=2, start_key=start, limit=5, units=0.5))
    assert audit.asked("scan")[1:] == [
        {**shared, "TotalSegments": 3, "Segment": 2, "Limit": 5, "ExclusiveStartKey": start}
    ]
    assert table.do(LookAtItem(held, one, ItemRead.LOOK, 1.0)) == Looked(None, 1.0)
    assert audit.asked("get_item") == [{**shared, "Key": item("1"), "ConsistentRead": True}]
