"""The pages of reference name every field that a run writes or ends with, and no other."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skipscan.errors import BatchError
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.handlers.loading import Loaded
from tests.house.docs.document import listed
from tests.unit.handlers.conftest import compare, dynamodb, listing, s3

__all__ = ["compare", "dynamodb", "listing", "s3"]

PAGE = Path("docs/reference-results.md")
INTERVAL = {"estimate", "low", "high"}
BY_DAY = IndexDefinition("by-day", KeySchema.of(("day", "S"), ("order", "N")), projection="KEYS_ONLY")


@pytest.fixture(autouse=True)
def orders_by_day(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), (BY_DAY,)),
        (
            {
                "customer": {"S": f"c{one % 20}"},
                "order": {"N": str(one)},
                "day": {"S": "Monday"},
                "body": {"B": bytes(2000)},
            }
            for one in range(100)
        ),
    )


def paths(value: Any, place: str = "") -> Iterator[str]:
    """Return the paths of the values in a JSON document; an interval is one value."""
    if isinstance(value, dict) and value and not value.keys() >= INTERVAL:
        for name, inner in value.items():
            yield from paths(inner, f"{place}.{name}" if place else name)
    elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        for inner in value:
            yield from paths(inner, f"{place}[]")
    else:
        yield place


def assert_listed(heading: str, *documents: dict[str, Any]) -> None:
    """Compare the table below a heading with the documents' fields; a name with .* at its end includes all below it."""
    named = listed(PAGE, heading)
    whole = tuple(name.removesuffix("*") for name in named if name.endswith(".*"))
    found = {path for document in documents for path in paths(document)}
    found = {next((f"{place}*" for place in whole if path.startswith(place)), path) for path in found}
    empty = {path for path in found if any(other.startswith(f"{path}[]") for other in found)}
    assert sorted(named) == sorted(found - empty)


def test_the_objects_are_those_of_a_run(
    listing: Machine, compare: Loaded, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing.run({"table": "Orders"}, name="run-0")
    dynamodb.table("Orders").put({"customer": {"S": "new"}, "order": {"N": "0"}})
    for one in range(7, 100, 20):
        dynamodb.table("Orders").delete({"customer": {"S": "c7"}, "order": {"N": str(one)}})
    asked = {"table": "Orders", "segments": 4, "max_read_units": 5, "compare": "run-0"}
    with monkeypatch.context() as refused:
        refused.setattr(dynamodb, "scan", lambda **_: 1 / 0)
        planned = listing.planned(asked)
        with pytest.raises(BatchError):
            listing.turn(planned, 0, None)
    listing.run(asked)
    compare.handler(listing.run({"table": "Orders", "resume": "run-1"}, name="run-2"), CONTEXT)
    own = (name.split("/run-1/")[1] for name in listing.objects("/run-1/"))
    named = (re.sub(r"^resumes/[0-9a-f]{16}$", "resumes/<execution>", name) for name in own)
    written = (re.sub(r"[0-9a-f]{32}", "<attempt>", name) for name in named)
    forms = {re.sub(r"-\d{5}", "-00000", name) for name in written}
    amounts = "<attempt>-<read units>-<write units>-<millionths of dollars>"
    forms = {re.sub(r"<attempt>-\d+-\d+-\d+$", amounts, name) for name in forms}
    listing_s_own = {name for name in listed(PAGE, "## The objects") if not name.endswith("/")} - {"report.html"}
    assert forms == listing_s_own


def test_the_manifest(listing: Machine) -> None:
    listing.run({"table": "Orders", "segments": 4})
    assert_listed("## manifest.json", json.loads(listing.read("skipscan/Orders/runs/run-1/manifest.json")))


def test_the_plan_with_and_without_its_explanation(listing: Machine) -> None:
    listing.planned({"table": "Orders", "index": "by-day"})
    listing.planned({"table": "Orders", "index": "by-day", "dry_run": True, "compare": "previous"}, name="dry")
    assert_listed("## plan.json", *(json.loads(listing.read(name)) for name in listing.objects("/plan.json")))


def test_the_explanation(listing: Machine) -> None:
    explanation = listing.planned({"table": "Orders", "dry_run": True})["explanation"]
    assert listed(Path("docs/plan.md"), "## What it says") == list(explanation)


def test_the_output(listing: Machine) -> None:
    output = listing.run({"table": "Orders", "segments": 4})
    by_the_state_machine = ["report", "not_reported"]
    assert listed(Path("docs/reference-input.md"), "## The output") == [*output, *by_the_state_machine]
