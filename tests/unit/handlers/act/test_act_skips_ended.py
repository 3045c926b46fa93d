"""An act that looks before each action whether the item collection still has an item."""

from collections.abc import Iterable

import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, Acting
from tests.fakes.handlers.execution import Machine
from tests.fakes.odd_pages import EmptyQueries

pytestmark = pytest.mark.slow

KEYS, GONE = 12, {"2", "7", "9"}
BY_STATE = IndexDefinition("by-state", KeySchema.of(("state", "S")))


@pytest.fixture(autouse=True)
def run_with_gone_keys(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """A table and a finished run over it, since which three collections have ended."""
    items: Iterable[Item] = (
        {"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}, "state": {"S": "open"}} for pk in range(KEYS) for sk in range(2)
    )
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S")), (BY_STATE,)), items)
    assert listing.run({"table": "T-1"})["keys"] == KEYS
    for pk in GONE:
        for sk in range(2):
            dynamodb.table("T-1").delete({"pk": {"S": pk}, "sk": {"S": f"{sk}"}})


@pytest.mark.parametrize("empty", [1, 3])
def test_an_empty_page_that_does_not_end_is_no_ended_collection(
    acting: Acting, dynamodb: FakeDynamoDB, empty: int
) -> None:
    acting.worker.dynamodb = EmptyQueries(dynamodb, empty)
    output = acting.act(put_item=MARKER, skip_ended=True)
    assert (output["put"], output["ended"]) == (KEYS - len(GONE), len(GONE))
    assert output["read_units"] == (1 + empty) * KEYS
    assert output["requests"] == (1 + empty) * KEYS + output["put"]


def test_a_dry_run_prices_the_looks(acting: Acting) -> None:
    asked = {"table": "T-1", "run": "run-1", "put_item": MARKER}
    without = acting.planned(asked, "dry-1")["explanation"]
    looking = acting.planned({**asked, "skip_ended": True}, "dry-2")["explanation"]
    assert (without["skip_ended"], looking["skip_ended"], looking["read_units"]) == (False, True, float(KEYS))
    assert looking["requests"] == without["requests"] + KEYS
    assert looking["dollars"]["read_units"] == round(KEYS * 0.125e-6, 6)
    assert without["dollars"]["read_units"] == 0.0
    assert "unit for each 4 KB" in looking["read_units_are"]
