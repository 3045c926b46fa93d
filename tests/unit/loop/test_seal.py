"""A worker's state is taken back as a turn returned it, or not at all."""

import json
from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.hand_over import Send
from skipscan.act.kind import ACT
from skipscan.act.plan import ActPlan
from skipscan.copy.item import CopyProgress
from skipscan.copy.kind import COPY
from skipscan.dynamodb.prices import INFREQUENT_ACCESS, US_EAST_1
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.errors import StateError
from skipscan.listing.kind import LISTING
from skipscan.loop.event import turn_of
from skipscan.loop.kind import progress_to_json
from skipscan.loop.work import FORM, ExecutionId, Work, check_seal, sealed
from skipscan.retrofit.item import RetrofitProgress
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanProgress
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import retrofit_plan
from tests.fakes.turns import planned
from tests.refusal import refused


def run(name: str = "run-1", **asked: Any) -> Work[Plan]:
    dynamodb = FakeDynamoDB()
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))))
    plan = planned(dynamodb, table="Orders", workers=2, **{"segments": 4, **asked})
    return LISTING.begun(ExecutionId(name, f"arn:{name}", "2026-01-01T00:00:00Z"), plan)


def job(**changed: Any) -> Work[ActPlan]:
    key = (KeyAttribute("pk", "S"),)
    action = Send.parse({"queue": "arn:aws:sqs:us-east-1:123456789012:keys"})
    table = TableIdentity("arn:aws:dynamodb:us-east-1:123456789012:table/Orders", "table-1")
    mark, units = "dev-0/job-1", (1.0, 1.0, 1.0, None, None, None, US_EAST_1)
    plan = ActPlan("Orders", table, "run-1", "", key, (), "jsonl", action, 100, 4, 2, 1000, *units, mark)
    return ACT.begun(ExecutionId("job-1", "arn:job-1", "2026-01-01T00:00:00Z"), replace(plan, **changed))


def state(of: Work[Plan]) -> dict[str, Any]:
    document = sealed(progress_to_json(ScanProgress.start(of.plan, 1), of.plan), of)
    parsed: dict[str, Any] = json.loads(json.dumps(document))
    return parsed


def test_fields_may_come_back_in_another_order() -> None:
    """JSON objects have no order, and a carrier of the state may write it in another one."""

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(entry) for entry in value] if isinstance(value, list) else value

    document = turned(state(run()))
    assert list(document) != list(state(run()))
    check_seal(document, run(), 1)


def test_a_resumed_run_may_have_another_budget_and_rate() -> None:
    check_seal(state(run(max_read_units=5)), run(max_read_units=7, max_read_units_per_second=3), 1)


@pytest.mark.parametrize("field", ["worker", "batch", "opened", "cursors", "counts", "limit", "done", "seal"])
def test_nothing_in_it_may_change(field: str) -> None:
    with refused(StateError, "worker 1", remedy="resume"):
        check_seal({**state(run()), field: None}, run(), 1)


def test_it_belongs_to_one_worker_one_run_and_one_plan() -> None:
    for other, worker in ((run(), 0), (run("run-2"), 1), (run(segments=5), 1)):
        with refused(StateError, f"worker {worker}", remedy={"resume": other.name}, rule="in this run returned"):
            check_seal(state(run()), other, worker)


@pytest.mark.parametrize(("field", "other"), [("name", "run-2"), ("arn", "arn:2"), ("started", "2027-01-01")])
def test_it_belongs_to_one_execution_and_its_start(field: str, other: str) -> None:
    """A name may come back after 90 days, with another execution and another start."""
    changed: Any = {field: other}
    with refused(StateError, "worker 1", remedy="resume"):
        check_seal(state(run()), replace(run(), execution=replace(run().execution, **changed)), 1)


def counted(read_units: float) -> dict[str, Any]:
    return {**progress_to_json(ScanProgress.start(run().plan, 1), run().plan), "counts": {"read_units": read_units}}


@pytest.mark.parametrize(("was", "stated"), [(12345.675, 12345.674), (0.5, 0.25), (3, 3.5), (3.0, 4)])
def test_other_figures_are_not_those_that_were_sealed(was: float, stated: float) -> None:
    with refused(StateError, "worker 1", remedy="resume"):
        check_seal({**sealed(counted(was), run()), "counts": {"read_units": stated}}, run(), 1)


@pytest.mark.parametrize(("was", "stated"), [(0.1 + 0.2, 0.3), (2.0, 2), (2, 2.0), (1e3, 1000)])
def test_figures_can_be_written_in_other_notations(was: float, stated: float) -> None:
    check_seal({**sealed(counted(was), run()), "counts": {"read_units": stated}}, run(), 1)


NAMED = ("job-1", "arn:job-1", "2026-01-01T00:00:00Z")
BOUNDS = {"max_write_units": 7.0, "max_write_units_per_second": 5.0}


def test_a_state_of_a_job_over_all_items_is_sealed_in_the_same_way() -> None:
    retrofit = RETROFIT.begun(ExecutionId(*NAMED), retrofit_plan(4, 2))
    copy = COPY.begun(ExecutionId(*NAMED), copy_plan(4, 2))
    works: list[tuple[Any, Any]] = [
        (retrofit, RetrofitProgress(1)),
        (copy, CopyProgress(1)),
    ]
    for job, begun in works:
        document = sealed(progress_to_json(begun, job.plan), job)
        bounds = {"max_read_units": 5.0, "max_read_units_per_second": 2.0, "max_dollars": 3.0}
        reading = replace(job.plan.reading, **bounds, prices=INFREQUENT_ACCESS)
        check_seal(document, replace(job, plan=replace(job.plan, reading=reading, **BOUNDS)), 1)
        others = [
            replace(job, execution=replace(job.execution, name="job-2")),
            replace(job, plan=replace(job.plan, verify=not job.plan.verify)),
        ]
        others.append(replace(job, plan=replace(job.plan, reading=replace(reading, segments=5))))
        for other in others:
            with refused(StateError, "worker 1", remedy={"resume": other.name}, rule=f"in this {job.noun} returned"):
                check_seal(document, other, 1)


@pytest.mark.parametrize("form", [None, 0, FORM + 1, str(FORM)])
def test_what_another_version_wrote_is_refused_in_words(form: object) -> None:
    job = RETROFIT.begun(ExecutionId(*NAMED), retrofit_plan(4, 2))
    with refused(StateError, "the plan of retrofit job-1", rule=f"and this version of Skipscan reads form {FORM}"):
        turn_of(RETROFIT, {"work": {**job.to_json(), "form": form}, "worker": 1})
