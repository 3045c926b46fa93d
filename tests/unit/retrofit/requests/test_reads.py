"""What a retrofit asks of DynamoDB when it reads the table."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.dynamodb.source import Item
from skipscan.items.engine import ItemRequest
from skipscan.items.sizes import ReadPage
from skipscan.retrofit.requests import retrofit_requests
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.small_table import AUDIT, item, retrofit_plan


@pytest.fixture
def audit() -> Any:
    dynamodb = FakeDynamoDB()
    dynamodb.add(AUDIT, [item(f"item {n}") for n in range(20)])
    return faulty(dynamodb)


def page(segment: int, start: Item | None) -> ItemRequest:
    nothing: Any = None
    return ItemRequest(nothing, None, ReadPage(0, segment, start, 5), nothing)


@pytest.mark.parametrize("consistent_read", [True, False])
def test_a_page_is_read_as_consistently_as_was_asked(audit: Any, consistent_read: bool) -> None:
    plan = retrofit_plan()
    plan = replace(plan, reading=replace(plan.reading, consistent_read=consistent_read))
    retrofit_requests(audit, plan).do(page(0, None))
    assert [each.get("ConsistentRead", False) for each in audit.asked("scan")] == [consistent_read]


def test_a_page_names_the_table_what_it_reads_and_that_units_are_told(audit: Any) -> None:
    start = audit.scan(TableName="Audit", Segment=2, TotalSegments=3, Limit=1)["LastEvaluatedKey"]
    retrofit_requests(audit, retrofit_plan(3)).do(page(2, start))
    assert audit.asked("scan")[1:] == [
        {
            "TableName": "Audit",
            "ReturnConsumedCapacity": "TOTAL",
            "ProjectionExpression": "#p0,#p1,#p2,#p3",
            "ExpressionAttributeNames": {"#p0": "id", "#p1": "a", "#p2": "b", "#p3": "made"},
            "TotalSegments": 3,
            "Segment": 2,
            "Limit": 5,
            "ExclusiveStartKey": start,
        }
    ]
