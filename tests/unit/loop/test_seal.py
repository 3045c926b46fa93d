"""A worker's state is taken back as a turn returned it, or not at all."""

import json
from dataclasses import replace
from typing import Any

import pytest

from skipscan.errors import StateError
from skipscan.listing.kind import LISTING
from skipscan.loop.event import turn_of
from skipscan.loop.kind import progress_to_json
from skipscan.loop.work import FORM, ExecutionId, Work, check_seal, sealed
from skipscan.retrofit.kind import RETROFIT
from skipscan.scan.plan import Plan
from skipscan.scan.progress import first_progress
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.small_table import retrofit_plan
from tests.fakes.turns import planned
from tests.refusal import refused


def run(**asked: Any) -> Work[Plan]:
    dynamodb = FakeDynamoDB(TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N"))))
    plan = planned(dynamodb, table="Orders", workers=2, **{"segments": 4, **asked})
    return LISTING.new_work(ExecutionId("run-1", "arn:run-1", "2026-01-01T00:00:00Z"), plan)


def state(of: Work[Plan]) -> dict[str, Any]:
    document = sealed(progress_to_json(first_progress(of.plan, 1), of.plan), of)
    parsed: dict[str, Any] = json.loads(json.dumps(document))
    return parsed


@pytest.mark.parametrize("field", ["worker", "batch", "opened", "cursors", "counts", "limit", "done", "seal"])
def test_nothing_in_it_may_change(field: str) -> None:
    with refused(StateError, "worker 1", remedy="resume"):
        check_seal({**state(run()), field: None}, run(), 1)


def test_it_belongs_to_one_worker_one_plan_and_one_execution() -> None:
    """A name may come back after 90 days, with another execution and another start."""
    executed: list[dict[str, Any]] = [{"name": "run-2"}, {"arn": "arn:2"}, {"started": "2027-01-01"}]
    again = (replace(run(), execution=replace(run().execution, **changed)) for changed in executed)
    for other, worker in ((run(), 0), (run(segments=5), 1), *((each, 1) for each in again)):
        with refused(StateError, f"worker {worker}", remedy={"resume": other.name}, rule="in this run returned"):
            check_seal(state(run()), other, worker)


NAMED = ("job-1", "arn:job-1", "2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("form", "said"), [(None, "unknown"), (0, "unknown"), (FORM + 1, FORM + 1), (str(FORM), "unknown")]
)
def test_what_another_version_wrote_is_refused_in_words(form: object, said: object) -> None:
    job = RETROFIT.new_work(ExecutionId(*NAMED), retrofit_plan(4, 2))
    with refused(
        StateError,
        "the plan of retrofit job-1",
        rule=f"^has form {said}, and this version of Skipscan reads form {FORM}",
    ):
        turn_of(RETROFIT, {"work": {**job.to_json(), "form": form}, "worker": 1})
