"""The bill of work that many executions resumed has the fixed part of each."""

import json
from typing import Any

import pytest

from skipscan.pace.bill import around
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine

WORKERS = 8


@pytest.fixture
def billed_orders(dynamodb: FakeDynamoDB) -> None:
    items: list[Any] = [{"pk": {"N": f"{pk}"}, "sk": {"N": "0"}, "body": {"B": bytes(3000)}} for pk in range(400)]
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("pk", "N"), ("sk", "N"))), items)


@pytest.mark.usefixtures("billed_orders")
@pytest.mark.parametrize("resumes", [0, 1, 5])
def test_every_execution_is_in_the_bill(listing: Machine, resumes: int) -> None:
    invocations = transitions = 0

    def execution(number: int, *, finishes: bool = True) -> dict[str, Any]:
        """Carry out an execution, whose workers may all have ended before."""
        nonlocal invocations, transitions
        asked = {"resume": "run-0"} if number else {"workers": WORKERS, "segments": WORKERS}
        planned = listing.planned({"table": "Orders", **asked}, f"run-{number}")
        turns = {worker: list(listing.turns(planned, worker)) for worker in planned["workers"]}
        made = sum(map(len, turns.values()))
        invocations += made + 1 + finishes
        transitions += 2 * made + len(turns) + 8
        return listing.finished(planned, [each[-1]["report"] for each in turns.values()]) if finishes else {}

    for number in range(resumes):
        execution(number, finishes=False)
    output = execution(resumes)
    assert output["keys"] == 400
    manifest = listing.read("skipscan/Orders/runs/run-0/manifest.json")
    services = json.loads(manifest)["services"]
    assert services["invocations"] == pytest.approx(invocations, rel=0.15)
    assert services["transitions"] == pytest.approx(transitions, rel=0.15)
    assert services["invocations"] >= invocations
    assert services["gb_seconds"] > (resumes + 1) * around(0, 0).gb_seconds


@pytest.mark.usefixtures("billed_orders")
def test_a_plan_that_is_tried_again_is_one_resume(listing: Machine) -> None:
    listing.planned({"table": "Orders", "workers": 2}, "run-0")
    for _ in range(3):
        listing.planned({"table": "Orders", "resume": "run-0"}, "run-1")
    assert len(listing.objects("/resumes/")) == 1
    refused = listing.planned({"table": "Orders", "resume": "run-0", "max_dollars": 0.0001}, "run-2")
    assert refused["error"] == "InputError"
    assert len(listing.objects("/resumes/")) == 1
