"""The denial of writes: added to any existing policy, and removed from it again."""

from typing import Any

import pytest

from skipscan.copy.cut_over import SID, allowed, denied, is_denied
from tests.fakes.iam.policy import Need, grants_in, is_allowed

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/Audit"
READERS = {"Sid": "Readers", "Effect": "Allow", "Principal": "*", "Action": "dynamodb:*", "Resource": ARN}
POLICIES: list[dict[str, Any] | None] = [
    None,
    {"Version": "2012-10-17", "Statement": [READERS]},
    {"Version": "2012-10-17", "Id": "ours", "Statement": [READERS, {**READERS, "Sid": "More"}]},
]


@pytest.mark.parametrize("policy", POLICIES)
def test_it_is_added_and_taken_away_and_leaves_the_rest_alone(policy: dict[str, Any] | None) -> None:
    fenced = denied(policy, ARN)
    assert is_denied(fenced)
    assert not is_denied(policy)
    assert allowed(fenced) == policy
    assert denied(fenced, ARN) == fenced


def test_a_single_statement_is_kept() -> None:
    assert allowed(denied({"Version": "2012-10-17", "Statement": READERS}, ARN)) == {
        "Version": "2012-10-17",
        "Statement": [READERS],
    }


@pytest.mark.parametrize("operation", ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "PartiQLUpdate"])
def test_writes_are_denied_and_reads_still_allowed(operation: str) -> None:
    fenced = {**denied(POLICIES[1], ARN)}
    assert [statement["Sid"] for statement in fenced["Statement"]] == ["Readers", SID]
    grants = list(grants_in(fenced))
    assert not is_allowed(Need(f"dynamodb:{operation}", ARN), grants)
    assert is_allowed(Need("dynamodb:Scan", ARN), grants)
    assert is_allowed(Need("dynamodb:PutResourcePolicy", ARN), grants)
