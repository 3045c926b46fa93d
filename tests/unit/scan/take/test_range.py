"""Ranges of sort keys that cannot be, and tables for those that can."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Literal

import pytest

from skipscan.errors import InputError
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import planned
from tests.refusal import refused
from tests.unit.scan.take.test_last import customers

Kind = Literal["S", "N", "B"]
WRITTEN: Mapping[Kind, Callable[[int], Any]] = {"S": lambda n: f"{n:02d}", "N": str, "B": lambda n: bytes([n])}
"""A sort key with a number, by type; and in a person's words."""
SAID: Mapping[Kind, Callable[[int], Any]] = {
    "S": lambda n: f"{n:02d}",
    "N": int,
    "B": lambda n: ["AA==", "AQ==", "Ag==", "Aw==", "BA==", "BQ=="][n],
}


def numbered(seed: int, kind: Kind) -> tuple[FakeDynamoDB, dict[str, list[int]]]:
    """Return collections with some of the sort keys 0 to 29, and these by partition key."""
    random = Random(seed)
    held = {f"c{pk}": sorted(random.sample(range(30), random.randint(1, 9))) for pk in range(random.randint(0, 12))}
    items: list[Item] = [
        {"pk": {"S": pk}, "sk": {kind: WRITTEN[kind](n)}, "v": {"B": bytes(random.choice([1, 3000]))}}
        for pk, numbers in held.items()
        for n in numbers
    ]
    fake = FakeDynamoDB(TableDefinition("Generated", KeySchema.of(("pk", "S"), ("sk", kind))), items)
    return fake, held


@pytest.mark.parametrize(
    ("asked", "rule", "remedy"),
    [
        ({"prefix": 7}, "a text of at least one character", ""),
        ({"since": True}, "a sort key", ""),
        ({"until": ""}, "a sort key", ""),
        ({"between": ["a"]}, "a list of the first and the last sort key", ""),
        ({"prefix": "a", "until": "b"}, "a run has one range of sort keys", "prefix until"),
        ({"since": "b", "until": "a"}, "the range would end before it begins", ""),
        ({"between": ["b", "a"]}, "the range would end before it begins", ""),
        ({"since": "1e126", "index": "by-since"}, "it is not a number of up to 38 digits, from 1E-130", ""),
        ({"since": 2026}, 'the sort key "sk" of "Customers" is of type S', ""),
        ({"prefix": "a" * 1025}, "it must have 1 to 1024 bytes", ""),
        ({"prefix": "1", "index": "by-since"}, "of type N, and a number has no prefix", "since until"),
        ({"since": "today", "index": "by-since"}, "it is not a number of", ""),
        ({"since": "1", "index": "by-country"}, '"by-country" has no sort key, so its items have no range', "since"),
    ],
)
def test_a_range_that_cannot_be_is_refused(asked: dict[str, Any], rule: str, remedy: str) -> None:
    (field, value), *others = asked.items()
    beside = {name: other for name, other in others if name != "index"}
    with refused(InputError, field, value, remedy, rule=rule, **beside):
        planned(customers(1, 1), table="Customers", **asked)
