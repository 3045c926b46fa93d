"""A good environment of cdk.json, and what is said of a mistake in it."""

from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.section import CdkJsonError

GOOD: dict[str, Any] = {"account": "123456789012", "region": "us-east-1", "tables": ["Orders"]}
DAILY: dict[str, Any] = {"expression": "rate(1 day)", "input": {"table": "Orders"}}
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"
TOPIC = "arn:aws:sns:us-east-1:123456789012:operators"
KEY = "arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-0000-4000-8000-000000000000"


def mistake(**fields: object) -> str:
    """What is said of a good environment with some of its fields changed."""
    with pytest.raises(CdkJsonError) as caught:
        read_environments({"prod": {**GOOD, **fields}})
    return str(caught.value)


def mistake_in_schedule(**fields: object) -> str:
    return mistake(schedules={"nightly": {**DAILY, **fields}})
