"""Plan makes a profile: stored once with its page, within its budget and its time, and summed up in the output."""

from collections.abc import Iterator
from itertools import repeat

import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import Machine

ROOT = "skipscan/Orders/runs/run-1"


@pytest.fixture(autouse=True)
def profiled_orders(dynamodb: FakeDynamoDB, listing: Machine) -> Faulty:
    items: Iterator[Item] = (
        {"customer": {"S": f"canary{n % 50}"}, "order": {"N": str(n)}, "until": {"N": "1800000000000"}}
        for n in range(500)
    )
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))), items)
    expiry = {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"}}
    client = Faulty(dynamodb, {"describe_time_to_live": repeat(expiry)})
    listing.plan.dynamodb = client
    return client


def test_what_a_lost_attempt_declared_counts_against_the_budget(listing: Machine) -> None:
    asked = {"table": "Orders", "profile": True, "max_read_units": 400}
    listing.planned(asked)
    declared = [name for name in listing.objects() if "/allotments/" in name]
    assert declared
    for name in (f"{ROOT}/plan.json", f"{ROOT}/profile.json"):
        del listing.s3.objects[name]
    refused = listing.planned(asked)
    assert refused["error"] == "InputError"
    assert "one page may take 178.5: raise max_read_units" in refused["cause"]


def test_reading_ends_before_the_functions_time_does(
    listing: Machine, profiled_orders: Faulty, monkeypatch: pytest.MonkeyPatch
) -> None:
    larger = {"ItemCount": 10**6, "TableSizeBytes": 60 << 20}
    listing.plan.dynamodb = described(profiled_orders, lambda table: table.update(larger))
    left = iter([900.0, 600.0, 300.0, 100.0])
    monkeypatch.setattr(
        "tests.fakes.handlers.execution.CONTEXT.get_remaining_time_in_millis", lambda: next(left) * 1000
    )
    said = listing.planned({"table": "Orders", "profile": True})["explanation"]
    assert (said["segments_read"], said["is_exact"]) == (3, False)
    assert "until is in milliseconds in 100 % of the items" in said["advice"][0]
