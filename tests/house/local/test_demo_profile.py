"""The demo of the profile shows what DynamoDB would bill, not what the emulator says."""

from typing import Any

from local.demo_profile import bill_page


def test_a_page_is_billed_by_the_bytes_of_its_items() -> None:
    page: dict[str, Any] = {"Items": [{"k": {"S": "x" * 4095}}, {"k": {"S": ""}}], "ConsumedCapacity": {}}
    bill_page(parsed=page)
    assert page["ConsumedCapacity"]["CapacityUnits"] == 1.0  # 4,097 bytes

    empty: dict[str, Any] = {"Items": [], "ConsumedCapacity": {}}
    bill_page(parsed=empty)
    assert empty["ConsumedCapacity"]["CapacityUnits"] == 0.5
