"""A good environment of cdk.json, and what is said of a mistake in it."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.section import CdkJsonError
from skipscan.errors import OMITTED
from skipscan.inputs.names import quoted

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


def refuses(fields: Mapping[str, Any], place: str, rule: str) -> None:
    """Expect that a good environment with these fields is refused: by the place and its value, and by its rule.

    `rule`: a regular expression for the facts in the rule and the way out, such as a bound or a name.
    """
    value: Any = fields
    for part in place.split("."):
        value = value[int(part)] if isinstance(value, list) else value.get(part.strip('"'), OMITTED)
    held = "is missing" if value is OMITTED else f"is {quoted(value)}"
    said, start = mistake(**fields), f'environment "prod": {place} {held}; '
    assert said.startswith(start)
    assert re.search(rule, said.removeprefix(start))


def schedule(**fields: object) -> dict[str, Any]:
    """Return the field of an environment that has a schedule `nightly`."""
    return {"schedules": {"nightly": {**DAILY, **fields}}}
