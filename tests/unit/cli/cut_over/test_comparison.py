"""`skipscan copy compare TABLE TO --cut-over`: its comparison, copies beside it, and how it ends early."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.copy.kind import COPY
from skipscan.errors import InputError, NotFoundError, UnprovenError
from tests.fakes.handlers.execution import BUCKET
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import is_allowed
from tests.unit.cli.account import ACCOUNT, LATE_SECONDS, REGION, STREAM, TABLE
from tests.unit.cli.cut_over.conftest import EQUAL, SWITCH_ON, World, interrupt

pytestmark = pytest.mark.slow


def test_writers_may_start_after_every_step_and_not_before(world: World) -> None:
    done = world.cut_over()
    assert (done.status, done.stdout) == (0, "You can start writers on Audit-2.\n"), done.stderr
    assert world.account.clock.monotonic() >= LATE_SECONDS + 300
    assert set(world.account.states.values()) == {"Disabled"}
    looks, off = world.account.done("get_queue_attributes"), world.account.done("update_event_source_mapping")
    assert sum(look > min(off) for look in looks) == 2, "the wait is over before the replicator is switched off"
    (comparison,) = world.executions
    asked = json.loads(comparison.execution_input)
    assert (asked["compare_only"], asked["dry_run"], asked["compare_items"]) == (True, False, MOST_COMPARE_ITEMS)
    said = done.stderr
    for step, then in zip(
        ["stop the writers", "in the stream", "is off", "comparison cut-over-", "equal"],
        ["in the stream", "comparison", "comparison", "equal", 'remove "copy"'],
        strict=True,
    ):
        assert 0 <= said.index(step) < said.rindex(then), (step, then)
    assert "all of 10 keys of both tables compared" in said


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({**EQUAL, "missing": 1}, "1 missing"),
        ({**EQUAL, "surplus": 2}, "2 surplus"),
        ({**EQUAL, "different": 3}, "3 different"),
        ({**EQUAL, "target_items": 4}, "5 items .* 4 "),
    ],
)
def test_differing_tables_keep_writers_stopped_and_the_way_back_is_shown(
    world: World, found: dict[str, int], said: str
) -> None:
    world.found = found
    world.cut_over().check_refused(UnprovenError, "Audit and Audit-2", rule=said, way=f"Audit-2.*{SWITCH_ON}")


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_comparison_of_a_sample_proves_nothing(world: World, arguments: tuple[str, ...]) -> None:
    world.found = {**EQUAL, "compared": 9}
    world.cut_over("--compare-items", "4", *arguments).check_refused(
        UnprovenError, "only 9 of 10 items", way=f"Audit-2.*--compare-items.*{SWITCH_ON}"
    )
    assert json.loads(world.executions[0].execution_input)["compare_items"] == 4


@pytest.mark.parametrize(
    "operation",
    [
        *("get_queue_attributes", "list_event_source_mappings", "describe_stream", "get_shard_iterator", "get_records"),
        *("update_event_source_mapping", "sleep", "get_metric_statistics"),
    ],
)
def test_it_can_be_interrupted_anywhere_and_run_again(world: World, operation: str) -> None:
    world.account.interrupt = operation
    done = world.cut_over()
    assert (done.status, done.stdout) == (130, "")
    assert "interrupted" in done.stderr
    assert world.account.interrupt is None
    assert world.cut_over().stdout == "You can start writers on Audit-2.\n"
    assert set(world.account.states.values()) == {"Disabled"}


def test_an_interrupted_comparison_is_stopped_and_another_proves(world: World) -> None:
    world.during = interrupt
    assert world.cut_over().status == 130
    (stopped,) = world.executions
    assert stopped.status == "ABORTED"
    world.during = lambda: None
    assert world.cut_over().status == 0
    assert [one.status for one in world.executions] == ["ABORTED", "SUCCEEDED"]


def test_nothing_is_switched_without_a_finished_copy_to_the_table(world: World) -> None:
    for table, to in (("Orders", "Audit-2"), ("Audit", "Audit-9")):
        never = world.place.skipscan("copy", "compare", table, to, "--cut-over")
        way = f"skipscan copy start {table} {to}"
        never.check_refused(NotFoundError, f'table "{table}"', rule=to, way=way)
    assert not world.account.done("update_event_source_mapping")


@pytest.mark.parametrize("document", [{}, {"compare_only": False}, {"resume": "cut-over-2"}])
def test_nothing_is_switched_beside_a_copy_at_work_whatever_its_name(world: World, document: dict[str, object]) -> None:
    world.start("cut-over-2", **document)
    world.after(1500, interrupt)
    done = world.cut_over()
    assert done.status == 130
    assert "a copy was running" in done.stderr
    assert [one.status for one in world.executions] == ["RUNNING"]
    assert not world.account.done("update_event_source_mapping")


def test_a_comparison_is_started_without_for_real_because_it_writes_nothing(world: World) -> None:
    done = world.place.skipscan("copy", "compare", "Audit", "Audit-2", "--name", "mine", "--compare-items", "4")
    assert (done.status, done.stdout) == (0, "mine\n"), done.stderr
    assert json.loads(world.executions[0].execution_input) == {
        **{"table": "Audit", "to": "Audit-2", "compare_only": True},
        **{"dry_run": False, "compare_items": 4},
    }


def test_a_comparison_that_somebody_else_started_runs_on(world: World) -> None:
    world.start("mine", compare_only=True)
    assert world.cut_over().status == 0
    assert [one.status for one in world.executions] == ["SUCCEEDED", "SUCCEEDED"]


@pytest.mark.parametrize(("only_compares", "seconds"), [(False, 600.0), (True, 300.0)])
def test_a_copy_that_ended_is_waited_for_whatever_its_name(
    world: World, monkeypatch: pytest.MonkeyPatch, only_compares: bool, seconds: float
) -> None:
    monkeypatch.setattr("tests.unit.cli.account.LATE_SECONDS", 0.0)
    for name, document in (("copy-2", {}), ("cut-over-2", {"compare_only": only_compares})):
        world.place.sfn.stop_execution(executionArn=world.start(name, **document))
    world.executions[0].stop_date -= timedelta(days=1)
    assert world.cut_over().status == 0
    assert seconds <= world.account.clock.monotonic() < seconds + 120


def test_a_copy_that_starts_during_the_wait_restarts_it_whatever_its_name(world: World) -> None:
    started: list[str] = []

    def start_and_stop() -> None:
        if not started:
            started.append(world.start("cut-over-2"))
        elif world.account.clock.monotonic() >= 650 and world.executions[0].status == "RUNNING":
            world.place.sfn.stop_execution(executionArn=started[0])

    world.after(500, start_and_stop)
    assert world.cut_over().status == 0
    assert world.account.clock.monotonic() >= 640 + 600


@pytest.mark.parametrize("ends", [False, True])
def test_a_copy_that_runs_during_the_comparison_keeps_writers_stopped(world: World, ends: bool) -> None:
    """Its puts would bring back what writers delete in the new table."""

    def during() -> None:
        started = world.start("copy-2")
        if ends:
            world.place.sfn.stop_execution(executionArn=started)

    world.during = during
    world.cut_over().check_refused(UnprovenError, "a copy of Audit", way="Audit-2")


def test_what_writes_nothing_to_the_new_table_may_run_during_the_comparison(world: World) -> None:
    def during() -> None:
        for name, document in (("other-1", {"table": "Orders"}), ("dry", {"dry_run": True})):
            world.place.sfn.stop_execution(executionArn=world.start(name, **document))
        world.start("other-2", table="Orders")

    world.during = during
    assert world.cut_over().stdout == "You can start writers on Audit-2.\n"


def test_it_has_no_dry_run(world: World) -> None:
    world.cut_over("--dry-run").check_refused(InputError, "--cut-over", way="--dry-run")
    assert world.account.calls == []


def test_a_missing_replicator_is_reported(world: World) -> None:
    del world.account.states["00000000-0000-4000-8000-00000000000a"]
    world.cut_over().check_refused(NotFoundError, "table", TABLE, rule=STREAM, way="deploy")


def test_the_documented_policy_lets_it_do_what_it_does_and_nothing_else(world: World) -> None:
    assert world.cut_over().status == 0
    allowed = documented("cut-over", region=REGION, account=ACCOUNT, environment="dev", table="Audit")
    needed = set(world.needs())
    assert [need for need in needed if not is_allowed(need, allowed)] == []
    assert [grant for grant in allowed if not any(grant.covers(need) for need in needed)] == []
    assert Path("docs/policies/cut-over.json").exists()


def test_a_copy_is_resumed_to_the_table_of_its_plan(world: World) -> None:
    world.place.sfn.stop_execution(executionArn=world.start("copy-1"))
    world.place.listing.s3.delete_object(Bucket=BUCKET, Key=COPY.layout("skipscan", "Audit", "copy-1").manifest)
    world.place.skipscan("resume", "Audit", "copy-1", "--kind", "copy")
    _, resumed = world.executions
    assert json.loads(resumed.execution_input) == {"table": "Audit", "to": "Audit-2", "resume": "copy-1"}
