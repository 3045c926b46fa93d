"""Runs that ask for what is new since the run before: a missed night, a failed one, another input."""

from typing import Any

import pytest

from skipscan.errors import InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine
from tests.refusal import answered

SINCE = {"previous": True, "format": "%Y-%m-%dT%H:%M", "overlap": "30m"}


@pytest.fixture(autouse=True)
def readings(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(TableDefinition("Readings", KeySchema.of(("device", "S"), ("at", "S"))))
    for day in (1, 2, 3, 4):
        dynamodb.table("Readings").put({"device": {"S": f"d{day}"}, "at": {"S": f"2026-01-{day:02d}T02:10"}})


def planned(listing: Machine, day: int, **document: Any) -> dict[str, Any]:
    """Plan the run of three o'clock on this day of January."""
    asked = {"table": "Readings", "since": SINCE, **document}
    return listing.planned(asked, f"run-{day}", f"2026-01-{day:02d}T03:00:00.123Z")


def keys(listing: Machine, begun: dict[str, Any]) -> int:
    found: int = listing.ended(begun)["keys"]
    return found


def test_each_run_lists_what_is_new_since_the_last_complete_one(listing: Machine) -> None:
    assert keys(listing, planned(listing, 1)) == 4  # the first one has no run before
    assert keys(listing, planned(listing, 2)) == 3  # from half past two of the first day on
    planned(listing, 3)  # which fails
    assert keys(listing, planned(listing, 4)) == 2
    assert keys(listing, planned(listing, 5, segments=2, format="csv")) == 0  # how it is listed makes no other series
    dry = planned(listing, 6, dry_run=True)["explanation"]
    assert not [said for said in dry["warnings"] if "lists all" in said]
    other = planned(listing, 7, take={"first": ["at"]}, dry_run=True)["explanation"]
    assert [said for said in other["warnings"] if "lists all" in said]  # what is listed does
    assert planned(listing, 4) == planned(listing, 4)


def test_a_day_ago_is_counted_from_the_start_of_the_run_and_fixed_in_its_plan(listing: Machine) -> None:
    begun = planned(listing, 3, since={"ago": "1d", "format": "%Y-%m-%d"})
    assert begun["work"]["plan"]["sort_range"]["since"] == {"S": "2026-01-02"}
    assert keys(listing, begun) == 3


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"until": {"ago": "1h", "format": "%H"}}, "until"),
        ({"until": "2027"}, "until"),
        ({"compare": "previous"}, "compare"),
    ],
)
def test_what_would_lose_items_or_compare_nothing_is_refused(listing: Machine, more: Any, field: str) -> None:
    answered(planned(listing, 1, **more), InputError, field, *more.values(), field)
