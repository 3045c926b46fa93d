"""docs/reference-environment.md has every field that cdk.json may have, with the defaults of the code."""

import re
from pathlib import Path
from typing import Any

import pytest

from infra.cdk_json import read_environments
from infra.environment import FULL_VCPU_MB
from infra.section import CdkJsonError
from skipscan.aws import function
from skipscan.pace.bounds import BATCH_SECONDS
from tests.engines.infra.environment import GOOD, schedule
from tests.house.docs.document import listed, rows
from tests.refusal import failed

PAGE = Path("docs/reference-environment.md")
STREAM = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/stream/2026-01-31T03:00:00.000"
NETWORK = {"subnets": ["subnet-01234567"], "security_groups": ["sg-01234567"]}

WHERE: dict[str, Any] = {
    "## An environment": lambda more: more,
    "## A schedule": lambda more: schedule(**more),
    "## Limits": lambda more: {"limits": more},
    "## Encryption": lambda more: {"encryption": more},
    "## A network": lambda more: {"vpc": {**NETWORK, **more}},
    "## Monitoring": lambda more: {"monitoring": more},
    "## Retention": lambda more: {"retention": more},
    "## Announcing": lambda more: {"announce": more},
    "## Writing": lambda more: {"writing": {"Orders": more}},
    "## A keeper": lambda more: {"writing": {"Orders": {"keeper": {"stream": STREAM, **more}}}},
    "## An attribute keeper": lambda more: {"writing": {"Orders": {"attribute_keeper": {"stream": STREAM, **more}}}},
    "## A copy": lambda more: {"writing": {"Orders": {"copy": {"stream": STREAM, **more}}}},
}
"""By the heading of a table: an environment with some more fields at that place."""


def test_every_table_of_the_page_is_compared() -> None:
    assert re.findall(r"^## .*$", PAGE.read_text(), re.MULTILINE) == list(WHERE)


@pytest.mark.parametrize("heading", WHERE)
def test_a_table_has_the_fields_that_the_code_takes(heading: str) -> None:
    with pytest.raises(CdkJsonError) as caught:
        read_environments({"prod": {**GOOD, **WHERE[heading]({"nonsense": 1})}})
    said = re.search(r"the fields here are ([\w, ]+):", str(caught.value))
    assert said, str(caught.value)
    assert sorted(listed(PAGE, heading)) == sorted(said[1].split(", "))


@pytest.mark.parametrize("heading", WHERE)
def test_required_fields_are_required_and_others_are_not(heading: str) -> None:
    for field, default, *_ in rows(PAGE, heading):
        if default == "required":
            fields = {**GOOD, **WHERE[heading]({field.strip("`"): None})}
            with failed(CdkJsonError, field.strip("`")):
                read_environments({"prod": fields})
    read_environments({"prod": GOOD})


def test_defaults_are_those_of_the_code() -> None:
    said = {cells[0].strip("`"): cells[1].strip("`") for heading in WHERE for cells in rows(PAGE, heading)}
    [environment] = read_environments({"prod": {**GOOD, **schedule()}})
    assert said["batch_seconds"] == f"{BATCH_SECONDS:.0f}"
    assert said["batch_keys"] == f"{function.BATCH_KEYS:,}"
    assert said["batch_bytes"] == f"{function.BATCH_BYTES:,}"
    assert said["memory_mb"] == f"{FULL_VCPU_MB}"
    assert said["timezone"] == environment.schedules[0].timezone
    for holder in (environment, environment.schedules[0]):
        for name, value in vars(holder).items():
            if isinstance(value, bool | int):
                assert said[name] == str(value).lower(), name
