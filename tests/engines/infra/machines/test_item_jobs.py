"""A retrofit and a copy from Plan to their ends, over dynalite: what is retried, what is caught, what is neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from moto import mock_aws

from skipscan.copy.kind import COPY
from skipscan.errors import BatchError, StateError
from skipscan.loop.kind import Kind
from skipscan.retrofit.kind import RETROFIT
from tests.engines.infra.machines.conftest import Interpreted
from tests.engines.infra.machines.definitions import Definitions
from tests.engines.infra.machines.interpreter import Ended, Function, Interpreter, RefusedError
from tests.engines.jobs.conftest import WRITING, Copied
from tests.engines.jobs.conftest import Job as Made
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.handlers.loading import loaded
from tests.unit.handlers.conftest import SESSION

pytestmark = pytest.mark.xdist_group("synth")

ITEMS = 12
KINDS: dict[str, Kind[Any, Any]] = {"retrofit": RETROFIT, "copy": COPY}
both = pytest.mark.parametrize("work", KINDS, indirect=True)
one_now = pytest.mark.parametrize("work", ["retrofit", pytest.param("copy", marks=pytest.mark.long)], indirect=True)
"""Their states are built by the same code: the second kind tries with the long tests what the first one tries."""


@dataclass
class Job:
    """`kind`: whose states the functions are behind. `done`: returns how many items are as the job is to make them."""

    kind: Kind[Any, Any]
    machines: Interpreter
    definition: Any
    document: dict[str, Any]
    items: int
    done: Callable[[], int]

    def run(self, **more: object) -> Ended:
        return self.machines.run(self.definition, {**self.document, **more}, name=f"{self.kind.noun}-1")

    def failing(self, state: str, errors: list[Exception]) -> str:
        """Have the first invocations of a state's function fail, one after the other; return its name."""
        name = function(state)
        called = self.machines.functions[name]

        def first_fails(event: dict[str, Any]) -> Any:
            if errors:
                raise errors.pop(0)
            return called(event)

        self.machines.functions = {**self.machines.functions, name: first_fails}
        return name


def function(state: str) -> str:
    return state.lower().replace(" ", "-")


def functions(kind: Kind[Any, Any], machine: Machine) -> dict[str, Function]:
    modules: dict[str, Any] = {
        kind.states.plan: machine.plan,
        kind.states.turn: machine.worker,
        kind.states.finish: machine.finish,
        kind.states.report: loaded(f"report_{kind.noun}", machine.s3),
    }
    return {
        function(state): lambda event, module=module: module.handler(event, CONTEXT)  # type: ignore[misc]
        for state, module in modules.items()
    }


@pytest.fixture
def work(request: pytest.FixtureRequest, definitions: Definitions, interpreted: Interpreted) -> Iterator[Job]:
    """A job over items of which some lack what it makes."""
    kind = KINDS[request.param]
    made: Made = request.getfixturevalue({"retrofit": "audited", "copy": "copied"}[kind.noun])
    made.load(ITEMS)
    document = {**made.asked, **WRITING}
    with mock_aws(), interpreted(SESSION.client("stepfunctions"), functions(kind, made.job)) as machines:
        yield Job(kind, machines, definitions[kind.noun], document, len(made.items()), made.done)


@both
def test_a_job_is_planned_mapped_over_workers_and_finished(work: Job) -> None:
    assert work.done() < work.items
    ended = work.run()
    assert (ended.status, work.done()) == ("SUCCEEDED", work.items), ended.cause
    states, title = work.kind.states, work.kind.noun.capitalize()
    assert ended.entered == (
        *(states.plan, "Plan accepted?", "Workers", states.finish),
        *(f"{title} complete?", states.report, f"{title} done"),
    )
    workers = set(work.machines.calls[1:-2])
    assert (work.machines.calls[0], workers, work.machines.waits) == (
        function(states.plan),
        {function(states.turn)},
        [],
    )


@both
def test_a_job_without_for_real_ends_with_its_preview(work: Job) -> None:
    before = work.done()
    ended = work.run(dry_run=True)
    assert (ended.status, ended.entered) == ("SUCCEEDED", (work.kind.states.plan, "Plan accepted?", "Plan only"))
    assert (work.machines.calls, work.done()) == ([function(work.kind.states.plan)], before)


@one_now
def test_what_may_pass_is_tried_again_with_waits_that_double(work: Job) -> None:
    work.failing(work.kind.states.turn, [BatchError("a request failed", rule="", remedy="")] * 4)
    ended = work.run(workers=1)
    assert (ended.status, work.done()) == ("SUCCEEDED", work.items)
    assert [wait <= most for wait, most in zip(work.machines.waits, (2, 4, 8, 16), strict=True)] == [True] * 4


@one_now
def test_what_does_not_pass_fails_the_map_and_the_execution_under_its_own_name(work: Job) -> None:
    turn = work.failing(work.kind.states.turn, [BatchError("a request failed", rule="", remedy="")] * 99)
    ended = work.run(workers=1)
    assert (ended.status, ended.error, work.machines.calls.count(turn)) == ("FAILED", "BatchError", 9)
    assert work.kind.states.finish not in ended.entered


@one_now
def test_permanent_errors_are_not_retried(work: Job) -> None:
    turn = work.failing(work.kind.states.turn, [StateError("the state is another's", rule="", remedy="")])
    ended = work.run(workers=1)
    assert (ended.status, ended.error, work.machines.waits) == ("FAILED", "StateError", [])
    assert work.machines.calls.count(turn) == 1


@both
def test_a_mistake_of_the_input_is_caught_and_fails_with_its_words(work: Job) -> None:
    ended = work.run(segments=0)
    assert (ended.status, ended.error, ended.entered[-1]) == ("FAILED", "InputError", "Plan refused")
    assert ended.cause is not None
    assert "segments is 0" in ended.cause


@pytest.mark.long
@both
def test_a_worker_without_a_slot_is_retried_longer_than_any_other(work: Job) -> None:
    refusal = RefusedError("Lambda.TooManyRequestsException", "Rate Exceeded.")
    work.failing(work.kind.states.turn, [*[refusal] * 60, BatchError("a request failed", rule="", remedy="")])
    ended = work.run(workers=1)
    assert (ended.status, work.done()) == ("SUCCEEDED", work.items)
    assert 600 < max(work.machines.waits) <= 900


@pytest.mark.parametrize("work", ["copy"], indirect=True)
def test_a_copy_waits_until_the_new_table_s_recovery_can_be_switched_on(work: Job, copied: Copied) -> None:
    """DynamoDB refuses for minutes: asked again for half an hour by a retrier of its own, by the error's name."""
    copied.engine.recovery, copied.engine.unavailable = "DISABLED", 30
    copied.engine.client.delete_table(TableName=copied.to)
    ended = work.run(create=True)
    assert (ended.status, work.done(), copied.engine.recovery) == ("SUCCEEDED", work.items, "ENABLED"), ended.cause
    assert ended.failures.count("ContinuousBackupsUnavailableException") == 30
    assert work.machines.calls.count("plan-copy") == 31
