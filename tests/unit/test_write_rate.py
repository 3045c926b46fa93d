"""A job that nobody told a rate takes a quarter of what is provisioned, of whatever has least."""

from typing import Any

import pytest

from skipscan.dynamodb.write_rate import gentle_write_rate


def capacity(units: int, **more: Any) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": units}, **more}


ON_DEMAND = {"BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}}
PROVISIONED = {"BillingModeSummary": {"BillingMode": "PROVISIONED"}}


@pytest.mark.parametrize(
    ("description", "rate"),
    [
        (capacity(400), 100),
        (capacity(400, **PROVISIONED), 100),
        (capacity(400, GlobalSecondaryIndexes=[capacity(40)]), 10),
        (capacity(40, GlobalSecondaryIndexes=[capacity(400), capacity(80)]), 10),
        (capacity(400, GlobalSecondaryIndexes=[capacity(0), {}]), 100),
        (capacity(400, GlobalSecondaryIndexes=[capacity(40)], **ON_DEMAND), None),
        (capacity(0), None),
        ({}, None),
    ],
)
def test_a_quarter_of_the_scarcest_capacity(description: dict[str, Any], rate: float | None) -> None:
    assert gentle_write_rate(description) == rate
