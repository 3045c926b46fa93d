"""Plan looks before it leaps: at how many workers Lambda runs at once, and at how long a worker's history is."""

import json
from dataclasses import replace
from typing import Any

import pytest

from skipscan.errors import InputError
from skipscan.sample import requests as sample_requests
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.faulty import Faulty, faulty
from tests.fakes.handlers.execution import Machine
from tests.refusal import answered
from tests.simulation.world.clock import Clock

PLAN = "skipscan/Orders/runs/run-1/plan.json"


@pytest.fixture(autouse=True)
def ninety_orders(dynamodb: FakeDynamoDB) -> None:
    items: list[Item] = [{"customer": {"S": f"c{n % 9}"}, "order": {"N": f"{n}"}} for n in range(90)]
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))), items)


def stored(listing: Machine) -> dict[str, Any]:
    return dict(json.loads(listing.read(PLAN)))


def free(listing: Machine, functions: int) -> None:
    """Let Lambda say how many functions it runs at once."""
    settings: Any = {"get_account_settings": [{"AccountLimit": {"UnreservedConcurrentExecutions": functions}}]}
    listing.plan.lambda_ = faulty(None, settings, "lambda")


def test_a_new_account_s_ten_slots_are_enough_for_nine_workers(listing: Machine) -> None:
    free(listing, 10)
    planned = listing.planned({"table": "Orders", "segments": 32, "workers": 16})
    assert planned["workers"] == list(range(9))
    source = "the account's unreserved concurrency"
    assert stored(listing)["concurrency"] == {"free": 10, "source": source, "most_workers": 9}
    assert stored(listing)["warnings"] == [
        "workers is lowered from 16 to 9: Lambda runs 10 functions at once (the account's unreserved concurrency), "
        "and one tenth is reserved for other functions. For more workers, request a higher quota."
    ]


def grown(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    large = {"ItemCount": 1_000_000, "TableSizeBytes": 64 << 30}
    listing.plan.dynamodb = described(dynamodb, lambda table: table.update(large))


def test_a_run_that_no_history_holds_is_refused_before_it_starts_with_the_ways_out(
    listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    grown(listing, dynamodb)
    refused = listing.planned({"table": "Orders", "max_read_units_per_second": 1, "max_read_units": 8_000_000})
    answered(
        refused,
        InputError,
        "table",
        "Orders",
        "max_read_units_per_second max_read_units resume",
        rule="history of 25,000 events",
        way="max_read_units_per_second of at least 4",
    )


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_long_run_without_a_budget_is_sampled_before_it_is_refused_and_begins_when_that_is_paid_off(
    listing: Machine, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    """The table is small after all: DescribeTable is hours old, and a skip scan reads a fraction."""
    clock = Clock()
    monkeypatch.setattr(sample_requests, "time", clock)
    grown(listing, dynamodb)
    planned = listing.planned({"table": "Orders", "max_read_units_per_second": 1, "dry_run": dry_run})
    assert ("work" in planned) is not dry_run
    paid_off = stored(listing)["explanation"]["sample"]["read_units"] / 1
    assert 10 < clock.monotonic() < 60
    assert (clock.monotonic() < paid_off) is dry_run


def single(listing: Machine, dynamodb: FakeDynamoDB, *, items: int, item_bytes: int = 100) -> None:
    """Let DescribeTable say that a table without a sort key has so many items: each is a key."""
    ids: list[Item] = [{"id": {"S": f"{n:036d}"}} for n in range(50)]
    dynamodb.add(TableDefinition("Ids", KeySchema.of(("id", "S"))), ids)
    large = {"ItemCount": items, "TableSizeBytes": items * item_bytes}
    listing.plan.dynamodb = described(dynamodb, lambda table: table.update(large))
    bounded(listing)


def bounded(listing: Machine, **bounds: int) -> None:
    """Give the environment the default limits of a batch, but for these."""
    function = listing.plan.function
    function.settings = replace(function.settings, **{"batch_pages": None, **bounds})


BUDGET = {"max_read_units": 1_000_000_000}
"""More than a full scan takes; a run with a budget takes no sample."""


def test_workers_whose_histories_cannot_hold_the_batches_are_refused_with_the_number_that_can(
    listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    single(listing, dynamodb, items=10_000_000_000)
    refused = listing.planned({"table": "Ids", "workers": 1, **BUDGET})
    answered(
        refused,
        InputError,
        "table",
        "Ids",
        "workers max_read_units resume",
        rule=r"\b10,.*history of 25,000 events.* 3,000",
        way="workers of at least 4",
    )


@pytest.mark.parametrize(
    ("functions", "segments", "found"),
    [(1000, 5000, (2, [])), (4, None, (3, ["workers is lowered from 6 to 3"]))],
)
def test_a_sampled_run_has_the_workers_that_its_histories_need_and_that_lambda_runs(
    listing: Machine, dynamodb: FakeDynamoDB, functions: int, segments: int | None, found: tuple[int, list[str]]
) -> None:
    single(listing, dynamodb, items=10**12, item_bytes=1000)
    bounded(listing, batch_pages=1)
    free(listing, functions)
    explanation = listing.planned({"table": "Ids", "segments": segments, "dry_run": True})["explanation"]
    warnings = [warning.partition(":")[0] for warning in explanation["warnings"]]
    assert (explanation["choice"]["workers"], warnings) == found


def test_a_retry_takes_no_second_sample(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    recorded = listing.plan.dynamodb = Faulty(dynamodb)
    first = listing.planned({"table": "Orders", "dry_run": True})
    pages = len(recorded.asked("scan"))
    assert listing.planned({"table": "Orders", "dry_run": True}) == first
    assert len(recorded.asked("scan")) == pages > 0
