"""A dry run ends with a plan, and a large table's run is planned by a sample."""

import json
import re

import pytest

from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import Machine

CUSTOMERS = 60
PLAN = "skipscan/Orders/runs/run-1/plan.json"


@pytest.fixture(autouse=True)
def sampled_orders(dynamodb: FakeDynamoDB) -> None:
    marked = IndexDefinition("marked", KeySchema.of(("customer", "S"), ("marker", "N")), projection="KEYS_ONLY")
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), (marked,)),
        (
            {
                "customer": {"S": f"c{customer}"},
                "order": {"N": str(order)},
                "lines": {"B": bytes(2000)},
                **({"marker": {"N": "1"}} if order == 0 and customer % 2 else {}),
            }
            for customer in range(CUSTOMERS)
            for order in range(30)
        ),
    )


def test_a_dry_run_returns_the_explanation_and_writes_nothing_but_the_plan(listing: Machine) -> None:
    planned = listing.planned({"table": "Orders", "dry_run": True})
    assert list(planned) == ["explanation"]
    explanation = planned["explanation"]
    assert explanation["choice"]["strategy"] == "skip scan"
    assert re.fullmatch(r"A skip scan takes \d+ read units, a full scan \d+\.", explanation["choice"]["reason"])
    assert CUSTOMERS / 3 < explanation["keys"]["estimate"] < CUSTOMERS * 3
    assert explanation["sample"]["read_units"] <= 21
    assert listing.objects() == [PLAN]
    assert json.loads(listing.read(PLAN))["explanation"] == explanation


def test_a_retry_takes_no_second_sample(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    recorded = Faulty(dynamodb)
    listing.plan.dynamodb = recorded  # type: ignore[attr-defined]
    first = listing.planned({"table": "Orders", "dry_run": True})
    pages = len(recorded.asked("scan"))
    assert listing.planned({"table": "Orders", "dry_run": True}) == first
    assert len(recorded.asked("scan")) == pages > 0


def test_a_large_run_is_split_up_by_a_sample_and_held_against_it(
    listing: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsampled = listing.planned({"table": "Orders"}, "run-0")["work"]["plan"]["segments"]
    monkeypatch.setattr("skipscan.listing.planning.LARGE_ITEMS", 1000)
    planned = listing.planned({"table": "Orders"}, "run-2")
    segments = planned["work"]["plan"]["segments"]
    reports = [list(listing.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
    listing.finished(planned, reports)
    manifest = json.loads(listing.read("skipscan/Orders/runs/run-2/manifest.json"))
    estimated = manifest["estimated"]
    assert manifest["keys"] == CUSTOMERS
    assert CUSTOMERS / 3 < estimated["keys"]["estimate"] < CUSTOMERS * 3
    assert estimated["read_units"]["low"] <= manifest["read_units"] <= estimated["read_units"]["high"]
    steps = estimated["read_units"]["high"] / 0.5
    assert segments != unsampled
    assert 10 * segments <= steps  # at least so many pages each, as far as the sample knows
