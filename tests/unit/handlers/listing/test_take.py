"""A run that takes first items: the content of its parts, and everything that uses them, from resume to act."""

from collections.abc import Iterator

import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import Machine

KEYS = 23


@pytest.fixture(autouse=True)
def photos(dynamodb: FakeDynamoDB) -> None:
    items: Iterator[Item] = (
        {"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}, "name": {"S": f"n{pk}-{sk}"}, "photo": {"B": b"\xff" * 300}}
        for pk in range(KEYS)
        for sk in range(1 + pk % 4)
    )
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


def test_an_act_and_a_comparison_refuse_a_run_with_a_line_for_each_item(acting: Acting, listing: Machine) -> None:
    listing.run({"table": "T-1", "take": {"items": "all"}})
    assert "it has a line for each item" in acting.act(put_item=MARKER, workers=2)["cause"]
    compared = listing.run({"table": "T-1", "take": {"items": "all"}, "compare": "run-1"}, "other")
    assert "runs are compared by their keys" in compared["cause"]
