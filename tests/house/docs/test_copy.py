"""The policy that docs/copy.md gives to stop the writers of a table."""

import json
import re
from pathlib import Path

import pytest

from tests.fakes.iam.policy import Grant, Need, grants_in, is_allowed

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit"


@pytest.mark.parametrize(
    ("operation", "may"),
    [
        *[(name, False) for name in ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem")],
        *[(f"PartiQL{name}", False) for name in ("Insert", "Update", "Delete")],
        *[(name, True) for name in ("GetItem", "Scan", "Query", "DeleteResourcePolicy", "PutResourcePolicy")],
    ],
)
def test_the_policy_denies_every_write_and_neither_reads_nor_its_own_removal(operation: str, *, may: bool) -> None:
    (policy,) = re.findall(r"^```json\n(\{\n  \"Version.*?)^```", Path("docs/copy.md").read_text(), re.M | re.DOTALL)
    everything = Grant("Allow", "dynamodb:*", ARN)
    assert is_allowed(Need(f"dynamodb:{operation}", ARN), [everything, *grants_in(json.loads(policy))]) is may
