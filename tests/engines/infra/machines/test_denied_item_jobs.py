"""A worker of a retrofit or a copy to which AWS denies a call ends at once, without retries."""

from typing import Any

import pytest

from tests.engines.infra.machines.denying import BUDGETS, STORAGE, TABLE, Denying, check_ended, denials, turned_against
from tests.engines.infra.machines.test_item_jobs import Job, function, work
from tests.fakes.handlers.execution import Machine
from tests.fakes.hostile.documented import FINAL
from tests.fakes.hostile.refusal import Refusal

__all__ = ["work"]

pytestmark = pytest.mark.xdist_group("synth")

budgets = pytest.mark.parametrize("budget", BUDGETS)
jobs = pytest.mark.parametrize("work", ["retrofit", "copy"], indirect=True)


def deny(job: Job, machine: Machine, refusal: Refusal, *operations: str) -> Denying:
    denying = Denying(machine, ("update_item", "put_item", "delete_item"))
    turn = function(job.kind.states.turn)
    against = turned_against(job.machines.functions[turn], lambda: denying.from_now_on(refusal, *operations))
    job.machines.functions = {**job.machines.functions, turn: against}
    return denying


def machine_of(job: Job, request: pytest.FixtureRequest) -> Machine:
    made: Any = request.getfixturevalue({"retrofit": "audited", "copy": "copied"}[job.kind.noun])
    machine: Machine = made.job
    return machine


@jobs
@pytest.mark.parametrize("denied", denials(STORAGE))
@budgets
def test_a_job_without_permission_for_its_results_ends_at_once(
    work: Job, request: pytest.FixtureRequest, denied: str, budget: str
) -> None:
    refused, sentence = STORAGE[denied]
    denying = deny(work, machine_of(work, request), FINAL[refused], "put_object")
    ended = work.run(workers=1, **BUDGETS[budget])
    check_ended(ended, work.machines, function(work.kind.states.turn), sentence)
    if BUDGETS[budget]:  # its allotment is put before anything else is done
        assert denying.written == 0


@jobs
@pytest.mark.parametrize("operation", ["scan", "write"])
@pytest.mark.parametrize("denied", denials(TABLE))
def test_a_job_without_permission_for_a_table_ends_at_once(
    work: Job, request: pytest.FixtureRequest, denied: str, operation: str
) -> None:
    refused, sentence = TABLE[denied]
    operations = ("update_item", "put_item") if operation == "write" else ("scan",)
    deny(work, machine_of(work, request), FINAL[refused], *operations)
    check_ended(work.run(workers=1), work.machines, function(work.kind.states.turn), sentence, turns=2)
