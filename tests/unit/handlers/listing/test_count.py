"""A run that counts: its parts, how it goes on after a budget, and what uses its results."""

import json

import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import Machine

LENGTHS = {f"{pk}": 1 + pk * 7 % 30 for pk in range(23)}


@pytest.fixture(autouse=True)
def letters(dynamodb: FakeDynamoDB) -> None:
    items: list[Item] = [
        {"pk": {"S": pk}, "sk": {"S": f"{n:02d}"}, "text": {"B": bytes(1000)}}
        for pk, length in LENGTHS.items()
        for n in range(length)
    ]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


def found(listing: Machine) -> dict[str, tuple[int, bool]]:
    return {line["pk"]: (line["count"], line["more"]) for line in listing.lines()}


@pytest.mark.parametrize("up_to", [None, 9])
def test_each_line_has_the_key_the_count_and_its_read_units(listing: Machine, up_to: int | None) -> None:
    take = {"count": {} if up_to is None else {"up_to": up_to}}
    output = listing.run({"table": "T-1", "take": take, "segments": 3})
    assert found(listing) == {
        key: (length, False) if up_to is None or length <= up_to else (up_to, True) for key, length in LENGTHS.items()
    }
    assert all(list(line) == ["pk", "count", "more", "read_units", "read"] for line in listing.lines())
    assert sum(line["read_units"] for line in listing.lines()) == pytest.approx(output["read_units"], abs=1.5)
    manifest = json.loads(listing.read("skipscan/T-1/runs/run-1/manifest.json"))
    assert (manifest["take"], manifest["keys"]) == (take, len(LENGTHS))


def test_an_act_and_a_comparison_refuse_such_a_run(acting: Acting, listing: Machine) -> None:
    listing.run({"table": "T-1", "take": {"items": "all"}})
    refused = acting.act(put_item=MARKER, workers=2)
    assert "it has a line for each item" in refused["cause"]
    compared = listing.run({"table": "T-1", "take": {"items": "all"}, "compare": "run-1"}, "other")
    assert "runs are compared by their keys" in compared["cause"]
