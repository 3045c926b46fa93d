"""A run that stopped: no manifest, an error with a way out, and a resume that pays for nothing twice."""

import json
from itertools import repeat
from typing import Any

import pytest

from skipscan.errors import IncompleteRunError, InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.refusal import answered, refused

pytestmark = pytest.mark.slow

KEYS = 40


@pytest.fixture(autouse=True)
def numbered_collections(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(
        TableDefinition("T-1", KeySchema.of(("pk", "N"), ("sk", "S"))),
        (
            {"pk": {"N": str(pk)}, "sk": {"S": f"{sk}"}, "body": {"B": bytes(3000)}}
            for pk in range(KEYS)
            for sk in range(3)
        ),
    )


def assert_complete(listing: Machine, output: dict[str, Any]) -> None:
    assert output.get("keys") == KEYS, output
    assert sorted(line["pk"] for line in listing.lines()) == list(range(KEYS))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_budget_stops_a_run_that_can_be_resumed_without_paying_twice(listing: Machine, workers: int) -> None:
    whole = listing.run({"table": "T-1", "segments": 12, "workers": workers}, name="whole")
    budget = whole["read_units"] / 2
    stopped = listing.run(
        {"table": "T-1", "segments": 12, "workers": workers, "max_read_units": budget}, name="stopped"
    )
    assert stopped["error"] == "BudgetError"
    assert '"resume": "stopped"' in stopped["cause"]
    unfinished = json.loads(listing.read("skipscan/T-1/runs/stopped/unfinished.json"))
    assert (unfinished["complete"], unfinished["segments_left"] > 0) == (False, True)
    assert budget - 0.5 < unfinished["read_units"] <= budget
    assert listing.objects("stopped/manifest") == []

    more = listing.run({"table": "T-1", "resume": "stopped", "max_read_units": budget + 2}, name="little more")
    assert more["error"] == "BudgetError"  # the budget is the run's total, and no addition
    again = json.loads(listing.read("skipscan/T-1/runs/stopped/unfinished.json"))
    assert budget + 1.5 < again["read_units"] <= budget + 2

    resumed = listing.run({"table": "T-1", "resume": "stopped"}, name="another")
    assert (resumed["run"], resumed["keys"]) == ("stopped", KEYS)
    assert resumed["read_units"] <= whole["read_units"] + workers * 16 * 1.0
    lines = [line["pk"] for line in listing.lines("/stopped/")]
    assert sorted(lines) == list(range(KEYS))


RESUME = {"table": "T-1", "resume": "run-1"}


def test_a_run_whose_last_step_alone_failed_is_resumed_without_a_page(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    planned = listing.planned({"table": "T-1", "segments": 3})
    list(listing.turns(planned, 0))
    listing.worker.dynamodb = faulty(dynamodb, {"scan": repeat(AssertionError("a page was asked for"))})
    assert_complete(listing, listing.run(RESUME, name="another"))


def test_a_run_whose_checkpoints_expired_says_so(listing: Machine) -> None:
    planned = listing.planned({"table": "T-1", "segments": 3})
    listing.turn(planned, 0, None)
    for name in listing.objects("/checkpoints/"):
        listing.s3.delete_object(Bucket=BUCKET, Key=name)
    with refused(IncompleteRunError, "the checkpoint of batch 0 of worker 0", rule="90 days"):
        listing.run(RESUME, name="another")


@pytest.mark.parametrize(
    ("name", "document", "field", "remedy", "rule"),
    [
        ("run-1", {}, "the execution's name", {"resume": "run-1"}, "earlier run"),
        ("new", {"resume": "nobody"}, "resume", "resume", 'table "T-1" has no run'),
        ("new", {"resume": "run-1"}, "resume", "resume", "complete"),
        ("new", {"resume": "dry"}, "resume", {"dry_run": False}, "a dry run$"),
        ("new", {"resume": "run-1", "segments": 3}, "segments", "segments", "plan"),
    ],
)
def test_what_is_not_stopped_is_neither_resumed_nor_done_again(
    *, listing: Machine, name: str, document: dict[str, Any], field: str, remedy: object, rule: str
) -> None:
    listing.run({"table": "T-1"})
    listing.planned({"table": "T-1", "dry_run": True}, "dry")
    refused = listing.planned({"table": "T-1", **document}, name, started="2027-01-01T00:00:00Z")
    others = {} if field in {"resume", "the execution's name"} else {"resume": "run-1"}
    answered(refused, InputError, field, document.get(field, name), remedy, rule=rule, **others)
