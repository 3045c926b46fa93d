"""`skipscan copy compare TABLE TO --cut-over`, with an account in memory and a clock without waiting."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.stepfunctions.models import stepfunctions_backends

from skipscan import form
from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.copy.item import CopyCounts
from skipscan.copy.kind import COPY
from skipscan.copy.replica import Replica
from skipscan.environment import executions
from skipscan.errors import InputError, NotFoundError, TableError, UnprovenError
from skipscan.loop.finish import manifest
from skipscan.loop.results import Results, Rows
from skipscan.loop.work import ExecutionId, Work
from tests.engines.iam.call import Call
from tests.fakes.handlers.execution import BUCKET
from tests.fakes.iam.documents import documented
from tests.fakes.iam.policy import is_allowed
from tests.fakes.services import Stacks
from tests.fakes.small_table import copy_plan
from tests.simulation.world.clock import Clock
from tests.unit.cli.account import (
    ACCOUNT,
    FAILURES,
    FUNCTION,
    LATE_FAILURES,
    LATE_SECONDS,
    REGION,
    STREAM,
    TABLE,
    URL,
    Account,
    Client,
)
from tests.unit.cli.command import Done
from tests.unit.cli.place import DEFINITION, ROLE, Place
from tests.unit.cli.stream import Stream

pytestmark = pytest.mark.slow

SWITCH_ON = (
    "aws lambda update-event-source-mapping --uuid 00000000-0000-4000-8000-00000000000[ab] --enabled --region us-east-1"
)

EQUAL = {"source_items": 5, "target_items": 5, "compared": 10}


@dataclass
class World:
    """The environment `dev` with a finished copy of Audit to Audit-2."""

    place: Place
    account: Account
    machine: str
    found: dict[str, int] = field(default_factory=lambda: dict(EQUAL))
    during: Callable[[], object] = lambda: None
    at_looks: Callable[[], object] = lambda: None

    def cut_over(self, *arguments: str) -> Done:
        return self.place.skipscan("copy", "compare", "Audit", "Audit-2", "--cut-over", *arguments)

    def sleep(self, seconds: float) -> None:
        """Wait, while a comparison that is at work comes to its end."""
        self.account.clock.sleep(seconds)
        self.at_looks()
        for execution in self.executions:
            if execution.status == "RUNNING" and json.loads(execution.execution_input).get("compare_only"):
                self.during()
                self.finish(execution.name, self.found, compare_only=True)
                execution.status = "SUCCEEDED"
        if self.account.interrupt == "sleep":
            self.account.interrupt = None
            raise KeyboardInterrupt

    @property
    def executions(self) -> list[Any]:
        machines = stepfunctions_backends[ACCOUNT][REGION].state_machines
        return [one for machine in machines if machine.arn == self.machine for one in machine.executions]

    def finish(self, name: str, counts: Mapping[str, int], *, compare_only: bool = False) -> None:
        """Leave what a finished copy leaves on S3."""
        plan = copy_plan(verify=True, compare_only=compare_only)
        replica = Replica(TABLE, "Audit-2", STREAM, URL)
        plan = form.read(type(plan), {**form.write(plan), "replica": form.write(replica)})
        work = Work("copy", ExecutionId(name, f"arn:{name}", "2026-01-01T00:00:00+00:00"), plan)
        results = Results(Bucket(boto3.client("s3"), BUCKET), COPY.layout("skipscan", "Audit", name))
        results.put_plan(work.to_json())
        results.put_manifest(manifest(COPY, work, Rows(), CopyCounts(**counts), []))

    def start(self, name: str, **document: object) -> str:
        """Return the ARN of an execution for Audit that starts beside the command."""
        asked = json.dumps({"table": "Audit", "dry_run": False, **document})
        started = self.place.sfn.start_execution(stateMachineArn=self.machine, name=name, input=asked)
        return started["executionArn"]

    def needs(self) -> Iterator[Any]:
        for service, operation, asked in self.account.calls:
            name = "".join(map(str.capitalize, operation.split("_")))
            yield from Call("", service, name, {**asked, "FunctionArn": FUNCTION}, 200).needs(
                region=REGION, account=ACCOUNT
            )


@pytest.fixture
def world(place: Place, monkeypatch: pytest.MonkeyPatch) -> World:
    machine = place.sfn.create_state_machine(name="skipscan-dev-copy", definition=DEFINITION, roleArn=ROLE)
    outputs = {
        "StateMachineArn": place.machine,
        "BucketName": BUCKET,
        "CopyStateMachineArn": machine["stateMachineArn"],
    }
    monkeypatch.setattr(executions, "cloudformation_client", lambda _: Stacks("skipscan-dev", outputs))
    clock = Clock()
    account = Account(clock)
    monkeypatch.setattr(clients, "single", lambda _, service: Client(account, service))
    made = World(place, account, machine["stateMachineArn"])
    monkeypatch.setattr("skipscan.cli.cut_over.monotonic", clock.monotonic)
    monkeypatch.setattr("skipscan.cli.cut_over.sleep", made.sleep)
    asked = executions.Executions.running

    def running(of_machine: executions.Executions, table: str) -> list[Any]:
        """Ask only if any runs: moto takes ten milliseconds to say that none does."""
        return asked(of_machine, table) if any(one.status == "RUNNING" for one in made.executions) else []

    monkeypatch.setattr(executions.Executions, "running", running)
    made.finish("copy-1", {"items": 5, "copied": 5, **EQUAL})
    return made


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


def test_a_change_in_the_stream_restarts_the_wait(world: World) -> None:
    world.account.stream.write(690.0)
    assert world.cut_over().status == 0
    assert world.account.clock.monotonic() >= 690 + 300


def test_writes_to_a_shard_that_is_listed_late_restart_the_wait(world: World) -> None:
    world.account.stream.close(600.0, late=150.0)
    world.account.stream.write(690.0)
    assert world.cut_over().status == 0
    assert world.account.clock.monotonic() >= 690 + 300


def written(stream: Stream, now: float) -> None:
    stream.write(now)


def written_after_empty_pages(stream: Stream, now: float) -> None:
    stream.write(now)
    stream.empty_pages = 4


def written_to_a_shard_that_is_listed_late(stream: Stream, now: float) -> None:
    stream.close(now, late=150.0)
    stream.write(now + 1)


@pytest.mark.parametrize("during", [written, written_after_empty_pages, written_to_a_shard_that_is_listed_late])
def test_a_write_during_the_comparison_proves_nothing(world: World, during: Callable[[Stream, float], None]) -> None:
    world.during = lambda: during(world.account.stream, world.account.clock.monotonic())
    world.cut_over().check_refused(UnprovenError, "the old table", rule=r"\b1 change\b", way=SWITCH_ON)


def test_a_stream_that_is_disabled_meanwhile_ends_the_cut_over(world: World) -> None:
    def during() -> None:
        world.account.stream.close(world.account.clock.monotonic(), children=0)
        world.account.stream.status = "DISABLED"

    world.during = during
    world.cut_over().check_refused(TableError, f"the stream {STREAM}", rule="DISABLED", way=r"cdk\.json")


def test_a_shard_that_is_continued_during_the_comparison_is_no_write(world: World) -> None:
    world.during = lambda: world.account.stream.close(world.account.clock.monotonic(), late=150.0)
    done = world.cut_over()
    assert (done.status, done.stdout) == (0, "You can start writers on Audit-2.\n")
    assert "a shard of" in done.stderr


@pytest.mark.parametrize("throttled_until", [0.0, 250.0, 2000.0])
def test_a_throttled_replicator_has_changes_to_read_though_stream_and_queue_are_quiet(
    world: World, monkeypatch: pytest.MonkeyPatch, throttled_until: float
) -> None:
    """Its next write would arrive after writers have started on the new table."""
    monkeypatch.setattr("tests.unit.cli.account.LATE_SECONDS", 0.0)
    world.account.metrics = [("Throttles", 60.0 * minute, 1.0) for minute in range(-5, int(throttled_until) // 60)]
    read = ("IteratorAge", throttled_until, 1000.0 * throttled_until)
    world.account.metrics += [read, ("Throttles", throttled_until + 60, 0.0), ("Errors", throttled_until + 60, 0.0)]
    world.account.late = [(throttled_until, throttled_until + 900)]
    done = world.cut_over()
    assert done.status == 0, done.stderr
    assert world.account.clock.monotonic() >= throttled_until + 900 + 300


def after(seconds: float, world: World, do: Callable[[], object]) -> None:
    """Do something at each look from then on."""
    world.at_looks = lambda: world.account.clock.monotonic() >= seconds and do()


def stop() -> None:
    raise KeyboardInterrupt


def test_a_replicator_that_never_reads_on_is_never_switched_off(world: World) -> None:
    world.account.metrics = [("Errors", 60.0 * minute, 2.0) for minute in range(600)]
    after(1500, world, stop)
    done = world.cut_over()
    assert done.status == 130
    assert "was reading" in done.stderr
    assert not world.account.done("update_event_source_mapping")


def check_read(done: Done) -> None:
    """Check that the command ended because the replicator may still write to the new table."""
    done.check_refused(UnprovenError, "the replicator", rule="after the wait", way=f"Audit-2.*{SWITCH_ON}")


@pytest.mark.parametrize("during", [False, True])
@pytest.mark.parametrize("sign", ["late look", "reading"])
def test_a_change_that_is_read_after_the_wait_proves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, sign: str, during: bool
) -> None:
    """It could still write: a request may arrive five minutes after it was signed."""

    def read() -> None:
        now = world.account.clock.monotonic()
        if sign == "reading":
            world.account.metrics.append(("IteratorAge", now + 60, 2000.0))
            monkeypatch.setattr("tests.unit.cli.account.METRIC_SECONDS", 0.0)
        else:
            world.account.late.append((now, now + 900))

    turn_off = world.account.update_event_source_mapping

    def turning_off(UUID: str, Enabled: bool) -> Any:  # noqa: N803
        if not world.account.late and not world.account.metrics:
            read()
        return turn_off(UUID, Enabled)

    if during:
        world.during = read
    else:
        monkeypatch.setattr(world.account, "update_event_source_mapping", turning_off)
    check_read(world.cut_over())


def test_a_late_look_that_would_end_during_the_comparison_is_noticed_before_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After hours the queue is empty again, and nothing shows that there was one."""
    turn_off = world.account.update_event_source_mapping

    def turning_off(UUID: str, Enabled: bool) -> Any:  # noqa: N803
        if not world.account.late:
            now = world.account.clock.monotonic()
            world.account.late.append((now, now + 900))
        return turn_off(UUID, Enabled)

    monkeypatch.setattr(world.account, "update_event_source_mapping", turning_off)
    world.during = lambda: world.account.clock.sleep(2000.0)
    check_read(world.cut_over())
    assert world.executions == []


def test_a_change_that_was_read_at_the_beginning_of_a_long_comparison_proves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CloudWatch shows it some minutes late, and the comparison of a large table takes hours."""
    begun, account = datetime.now(UTC), world.account

    class Simulated(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return begun + timedelta(seconds=account.clock.monotonic())

    monkeypatch.setattr("skipscan.cli.cut_over.datetime", Simulated)

    def during() -> None:
        account.metrics.append(("IteratorAge", account.clock.monotonic() + 60, 2000.0))
        account.clock.sleep(2 * 86_400.0)

    world.during = during
    check_read(world.cut_over())


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
    def interrupt() -> None:
        world.during = lambda: None
        raise KeyboardInterrupt

    world.during = interrupt
    assert world.cut_over().status == 130
    (stopped,) = world.executions
    assert stopped.status == "ABORTED"
    assert world.cut_over().status == 0
    assert [one.status for one in world.executions] == ["ABORTED", "SUCCEEDED"]


def test_a_disabled_trigger_is_reported_while_late_looks_wait(world: World) -> None:
    world.account.states = dict.fromkeys(world.account.states, "Disabled")
    world.cut_over().check_refused(UnprovenError, "the replicator", rule=r"\boff\b.*\b1 message\b", way=SWITCH_ON)


@pytest.mark.parametrize("queue", [FAILURES, LATE_FAILURES])
def test_failed_changes_are_reported_before_anything_is_done(world: World, queue: str) -> None:
    world.account.failed[queue] = 2
    done = world.cut_over()
    name = queue.rpartition(":")[2]
    done.check_refused(UnprovenError, f"the failure queue {name}", rule=r"\b2 messages", way="skipscan copy compare")
    assert not world.account.done("update_event_source_mapping")


def test_a_change_that_fails_during_the_wait_is_reported(world: World) -> None:
    after(500, world, lambda: world.account.failed.update({LATE_FAILURES: 1}))
    done = world.cut_over()
    name = LATE_FAILURES.rpartition(":")[2]
    done.check_refused(UnprovenError, f"the failure queue {name}", rule=r"\b1 message\b", way="skipscan copy compare")
    assert not world.account.done("update_event_source_mapping")


def test_nothing_is_switched_without_a_finished_copy_to_the_table(world: World) -> None:
    for table, to in (("Orders", "Audit-2"), ("Audit", "Audit-9")):
        never = world.place.skipscan("copy", "compare", table, to, "--cut-over")
        way = f"skipscan copy start {table} {to}"
        never.check_refused(NotFoundError, f'table "{table}"', rule=to, way=way)
    assert not world.account.done("update_event_source_mapping")


@pytest.mark.parametrize("document", [{}, {"compare_only": False}, {"resume": "cut-over-2"}])
def test_nothing_is_switched_beside_a_copy_at_work_whatever_its_name(world: World, document: dict[str, object]) -> None:
    world.start("cut-over-2", **document)
    after(1500, world, stop)
    done = world.cut_over()
    assert done.status == 130
    assert "a copy is running" in done.stderr
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

    after(500, world, start_and_stop)
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
