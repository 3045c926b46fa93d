"""A worker's state is taken back as a turn returned it, or not at all."""

import json
from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.send import Send
from skipscan.act.job import Job
from skipscan.act.plan import ActPlan
from skipscan.act.progress import ActProgress
from skipscan.copy.job import CopyJob
from skipscan.copy.progress import CopyProgress
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import InputError, StateError
from skipscan.items.turn import ItemTurn
from skipscan.listing.run import Run
from skipscan.loop.seal import check, sealed
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.progress import RetrofitProgress
from skipscan.scan.progress import Progress
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.unit.copy.pair import copy_plan
from tests.unit.retrofit.small_table import retrofit_plan
from tests.unit.turns import planned


def run(name: str = "run-1", **asked: Any) -> Run:
    dynamodb = FakeDynamoDB()
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))))
    plan = planned(dynamodb, table="Orders", workers=2, **{"segments": 4, **asked})
    return Run(name, f"arn:{name}", "2026-01-01T00:00:00Z", plan)


def job(**changed: Any) -> Job:
    key = (KeyAttribute("pk", "S"),)
    action = Send.parse({"queue": "arn:aws:sqs:us-east-1:123456789012:keys"})
    plan = ActPlan("Orders", "run-1", key, (), "jsonl", action, 100, 4, 2, 1.0, None, None)
    return Job("job-1", "arn:job-1", "2026-01-01T00:00:00Z", replace(plan, **changed))


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


def test_a_state_of_a_job_is_sealed_in_the_same_way() -> None:
    document = sealed(ActProgress(1).to_json(job().plan), job())
    check(document, job(max_write_units=7.0, max_units_per_second=3.0), 1)
    strange = ({**document, "visit": 1}, job(), 1), (document, job(), 0), (document, job(slices=9), 1)
    for state, of, worker in strange:
        with pytest.raises(StateError, match=f'in this job: .* "resume": "{of.name}"'):
            check(state, of, worker)


NAMED = ("job-1", "arn:job-1", "2026-01-01T00:00:00Z")
BOUNDS = {"max_write_units": 7.0, "max_dollars": 3.0, "max_write_units_per_second": 5.0}


def test_a_state_of_a_job_over_all_items_is_sealed_in_the_same_way() -> None:
    retrofit = RetrofitJob(*NAMED, retrofit_plan(4, 2))
    copy = CopyJob(*NAMED, copy_plan(4, 2))
    works: list[tuple[Any, Any]] = [(retrofit, RetrofitProgress.start(1)), (copy, CopyProgress.start(1))]
    for job, begun in works:
        document = sealed(begun.to_json(job.plan), job)
        prices = {"read_unit_dollars": 9.0, "write_unit_dollars": 9.0}
        reading = replace(job.plan.reading, max_read_units=5.0, max_read_units_per_second=2.0)
        check(document, replace(job, plan=replace(job.plan, reading=reading, **BOUNDS, **prices)), 1)
        others = [replace(job, name="job-2"), replace(job, plan=replace(job.plan, verify=not job.plan.verify))]
        others.append(replace(job, plan=replace(job.plan, reading=replace(reading, segments=5))))
        for other in others:
            with pytest.raises(StateError, match=f'in this {job.noun}: .* "resume": "{other.name}"'):
                check(document, other, 1)


def test_a_worker_over_all_items_takes_its_own_state_and_no_other() -> None:
    job = RetrofitJob(*NAMED, retrofit_plan(4, 2))
    state = sealed(RetrofitProgress.start(1).to_json(job.plan), job)
    event = {"retrofit": job.to_json(), "worker": 1, "progress": state}
    assert ItemTurn.of(event, "Retrofit", RetrofitJob, RetrofitProgress).progress == RetrofitProgress.start(1)
    with pytest.raises(StateError):
        ItemTurn.of({**event, "progress": {**state, "opened": 2}}, "Retrofit", RetrofitJob, RetrofitProgress)
    for strange in ({}, {**event, "worker": 2}, {**event, "worker": True}, {**event, "retrofit": {}}):
        with pytest.raises(InputError, match="not one that the state machine hands to Retrofit"):
            ItemTurn.of(strange, "Retrofit", RetrofitJob, RetrofitProgress)
