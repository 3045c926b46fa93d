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
