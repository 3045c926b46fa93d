"""A worker's state is taken back as a turn returned it, or not at all."""

import json
from typing import Any

import pytest

from skipscan.errors import StateError
from skipscan.progress import Progress
from skipscan.run import Run
from skipscan.seal import check, sealed
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.unit.turns import planned


def run(name: str = "run-1", **asked: Any) -> Run:
    dynamodb = FakeDynamoDB()
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))))
    plan = planned(dynamodb, table="Orders", workers=2, **{"segments": 4, **asked})
    return Run(name, f"arn:{name}", "2026-01-01T00:00:00Z", plan)


def state(of: Run) -> dict[str, Any]:
    document = sealed(Progress.start(of.plan, 1).to_json(of.plan), of)
    parsed: dict[str, Any] = json.loads(json.dumps(document))
    return parsed


def test_a_state_comes_back_as_it_went() -> None:
    check(state(run()), run(), 1)


def test_whoever_writes_the_numbers() -> None:
    written = json.dumps(state(run())).replace('"read_units": 0.0', '"read_units": 0').replace("0.25", "2.5E-1")
    assert written != json.dumps(state(run()))
    check(json.loads(written), run(), 1)


def test_a_resumed_run_may_have_another_budget_and_rate() -> None:
    check(state(run(max_read_units=5)), run(max_read_units=7, max_read_units_per_second=3), 1)


@pytest.mark.parametrize("field", ["worker", "batch", "opened", "cursors", "counts", "limit", "done", "seal"])
def test_nothing_in_it_may_change(field: str) -> None:
    with pytest.raises(StateError, match="resume"):
        check({**state(run()), field: None}, run(), 1)


def test_it_belongs_to_one_worker_one_run_and_one_plan() -> None:
    for other, worker in ((run(), 0), (run("run-2"), 1), (run(segments=5), 1)):
        with pytest.raises(StateError, match=f'worker {worker} was handed .* "resume": "{other.name}"'):
            check(state(run()), other, worker)
