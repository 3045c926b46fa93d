"""A copy's target has no other writer, and no copy that leads back to its source."""

from collections.abc import Sequence
from typing import Any

import pytest

from skipscan.copy.replica import Replica, check_apart
from skipscan.errors import TableError
from tests.refusal import refused

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/{}"


def pair(source: str, target: str) -> Replica:
    """Return what a stack that sets no attribute tells about a copy."""
    return Replica.configured({"source": source, "target": target, "stream": "arn:stream", "queue": "https://queue"})


def check(*others: Replica, **followers: Sequence[str]) -> None:
    check_apart(pair("Old", ARN.format("New")), others, followers, ())


@pytest.mark.parametrize("other", [pair("Other", "New"), pair(ARN.format("Other"), ARN.format("New"))])
def test_two_tables_are_not_copied_to_one(other: Replica) -> None:
    with refused(TableError, "to", "New", rule='also copies table "Other" to it'):
        check(other)


@pytest.mark.parametrize(
    ("others", "way"),
    [
        ([("New", "Old")], '"New" to "Old"'),
        ([("Newer", "Old"), (ARN.format("New"), "Newer")], '"New" to "Newer" to "Old"'),
    ],
)
def test_copies_do_not_go_in_a_circle(others: list[Any], way: str) -> None:
    with refused(TableError, "to", "New", rule=way):
        check(*(pair(*other) for other in others))


@pytest.mark.parametrize("target", ["Old", ARN.format("Old")])
def test_a_table_is_not_copied_to_itself(target: str) -> None:
    with refused(TableError, "to", "Old", rule="it is the table itself"):
        check_apart(pair("Old", target))


@pytest.mark.parametrize("keeper", ["keeper", "attribute_keeper"])
def test_a_target_has_no_keeper(keeper: str) -> None:
    with refused(TableError, "to", "New", rule=f'its "{keeper}" in this environment writes to it'):
        check(New=["copy", keeper])
