"""The commands that start writing jobs: dry by default, with a preview for people."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from skipscan.act.input import ACTIONS
from skipscan.environment import executions
from skipscan.errors import OMITTED, InputError, NotFoundError, SkipscanError
from tests.fakes.handlers.acting import Acting
from tests.fakes.handlers.execution import BUCKET
from tests.fakes.services import Stacks
from tests.unit.cli.acts import MARKER, Acts, document
from tests.unit.cli.place import DEFINITION, ROLE, Place
from tests.unit.handlers.conftest import acting  # noqa: F401  (a fixture)

pytestmark = pytest.mark.slow

SET = "resource-action={customer}-{order}"


@pytest.fixture
def job_machines(place: Place) -> dict[str, str]:
    """An environment that enables acting and retrofits, and no copies."""
    names = {"ActStateMachineArn": "skipscan-dev-act", "RetrofitStateMachineArn": "skipscan-dev-retrofit"}
    made = {
        output: place.sfn.create_state_machine(name=name, definition=DEFINITION, roleArn=ROLE)["stateMachineArn"]
        for output, name in names.items()
    }
    outputs = {"StateMachineArn": place.machine, "BucketName": BUCKET, **made}
    place.monkeypatch.setattr(executions, "cloudformation_client", lambda _: Stacks("skipscan-dev", outputs))
    return made


@pytest.fixture
def acts(place: Place, job_machines: Mapping[str, str], acting: Acting) -> Acts:  # noqa: F811
    del job_machines
    table = place.dynamodb.describe_table(TableName="Orders")["Table"]["TableArn"]
    for module in (acting.plan, acting.worker, acting.finish):
        enabled = replace(module.function.settings, writing={table: []})
        place.monkeypatch.setattr(module.function, "settings", enabled)
    return Acts(place, acting, place.finished())


def test_a_job_is_previewed_by_default(place: Place, job_machines: Mapping[str, str], acts: Acts) -> None:
    run = acts.run
    asked = {"table": "Orders", "run": run, "put_item": json.loads(MARKER)}
    explained = acts.acting.planned({**asked, "without_recovery": True}, "job")["explanation"]
    place.meanwhile(lambda: place.succeed("job", explained))
    done = place.skipscan("act", "Orders", "--put-item", MARKER, "--name", "job")
    assert (done.status, done.stderr) == (0, "skipscan: preview only, nothing was written. To write, add --for-real\n")
    assert document(job_machines["ActStateMachineArn"]) == {**asked, "dry_run": True}
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "Table Orders: put an item into each item collection. Items with the same key are kept."
    for line in (
        "writes 12 puts, one for each key",
        "write units 12; for each write 1 to the table",
        f"run {run}",
    ):
        assert line in lines, lines
    assert not any(f"c{number}" in done.stdout.replace(run, "") for number in range(12))
    [listed] = json.loads(place.skipscan("runs", "Orders", "--kind", "act", "--json").stdout)
    assert (listed["act"], listed["state"], listed["dry_run"]) == ("job", "planned", True)
    refused = place.skipscan("resume", "Orders", "job")
    refused.check_refused(NotFoundError, "act", "job", rule="dry run", way="skipscan runs Orders")


def test_a_job_is_stopped_and_resumed_with_a_budget(place: Place, job_machines: Mapping[str, str], acts: Acts) -> None:
    acts.start("mark")
    acts.work_a_batch("mark")
    refused = place.skipscan("resume", "Orders", "mark")
    refused.check_refused(NotFoundError, "act", "mark", rule="running", way="skipscan runs Orders")
    printed = json.loads(place.skipscan("stop", "Orders", "--kind", "act", "--json").stdout)
    assert printed == {"table": "Orders", "kind": "act", "act": "mark", "stopped": ["mark"]}
    again = place.skipscan("stop", "Orders", "mark")
    again.check_refused(NotFoundError, "name", "mark", rule="dev", way="skipscan runs Orders")
    followed = place.skipscan("status", "Orders", "mark", "--follow")
    assert (followed.status, "unfinished; its execution is ABORTED" in followed.stderr) == (3, True)
    assert "skipscan resume Orders mark --kind act --env dev" in followed.stderr

    of_runs = place.skipscan("resume", "Orders", "mark", "--max-read-units", "9")
    of_runs.check_refused(InputError, '"max_read_units"', rule="max_write_units", way=".*")
    going_on = ["--max-write-units", "90", "--without-recovery", "--json"]
    printed = json.loads(place.skipscan("resume", "Orders", "mark", *going_on).stdout)
    assert (printed["act"], printed["state"]) == ("mark", "running")
    execution = printed["execution"]["name"]
    assert execution.startswith("mark-resumed-")
    expected = {
        **{"table": "Orders", "run": acts.run, "resume": "mark"},
        **{"max_write_units": 90.0, "without_recovery": True},
    }
    assert document(job_machines["ActStateMachineArn"]) == expected
    done = acts.complete(execution)
    assert (done.get("put"), acts.markers()) == (12, 12), done
    finished = place.skipscan("resume", "Orders", "mark")
    finished.check_refused(NotFoundError, "act", "mark", rule="finished", way="skipscan runs Orders")


def test_an_undo_takes_the_run_of_its_job(place: Place, job_machines: Mapping[str, str], acts: Acts) -> None:
    acts.start("mark")
    acts.complete("mark")
    assert place.finished() != acts.run
    place.skipscan("act", "Orders", "--undo", "mark", "--for-real", "--without-recovery")
    assert document(job_machines["ActStateMachineArn"])["run"] == acts.run
    nobody = place.skipscan("act", "Orders", "--undo", "nobody")
    nobody.check_refused(NotFoundError, "act", "nobody", rule="Orders.* dev", way="skipscan runs Orders --kind act")


def test_keys_are_fetched_of_a_run_alone(place: Place, acts: Acts, tmp_path: Path) -> None:
    acts.start("mark")
    acts.work_a_batch("mark")
    place.end("mark")
    done = place.skipscan("resume", "Orders", "mark", "--output", str(tmp_path / "keys.txt"))
    done.check_refused(InputError, "act", "mark", way="--output")
    assert json.loads(place.skipscan("status", "Orders", "mark", "--json").stdout)["state"] == "unfinished"


MISTAKES: list[tuple[list[str], type[SkipscanError], tuple[Any, ...], dict[str, Any]]] = [
    (["act", "Orders"], InputError, ("no action", OMITTED, " ".join(ACTIONS)), {}),
    (["act", "Orders", "--put-item", MARKER], NotFoundError, ('table "Orders"',), {"way": "skipscan run Orders"}),
    (["retrofit", "Orders"], InputError, ("set",), {"rule": "missing", "way": "--set"}),
    (["retrofit", "Orders", "--set", SET, "--follow"], InputError, ("a preview",), {"way": "--for-real"}),
    (
        ["copy", "start", "Orders", "New"],
        NotFoundError,
        ("env", "dev"),
        {"way": '"Orders": {"copy": {"to"'},
    ),
    (["runs", "a/b"], InputError, ("table", "a/b"), {}),
]

MISUSES: list[tuple[list[str], type[click.UsageError], list[str]]] = [
    (
        ["act", "Orders", "--put-item", "{"],
        click.BadParameter,
        ["--put-item", "JSON", "line 1 column 2", "correct it there"],
    ),
    (["act", "Orders", "--put-item", "{previous: 1}"], click.BadParameter, ["line 1 column 2", "correct it there"]),
    (["act", "Orders", "--put-item", "@/nowhere"], click.BadParameter, ["--put-item", "@/nowhere"]),
    (["retrofit", "Orders", "--set", "a"], click.BadParameter, ["--set", "'a'", "ATTRIBUTE=TEMPLATE"]),
    (["retrofit", "Orders", "--resume", "r"], click.NoSuchOption, ["--resume", "skipscan resume"]),
]


def test_a_mistake_is_one_message_and_nothing_is_started(place: Place, job_machines: Mapping[str, str]) -> None:
    for arguments, error, held, facts in MISTAKES:
        place.skipscan(*arguments).check_refused(error, *held, **facts)
    for arguments, misuse, named in MISUSES:
        place.skipscan(*arguments).check_misused(misuse, *named)
    for machine in job_machines.values():
        assert place.sfn.list_executions(stateMachineArn=machine)["executions"] == []
    done = place.skipscan("runs", "Orders")
    assert (done.status, done.stdout) == (0, "")
    assert done.stderr.startswith("skipscan: table Orders has no run or job in dev; start one with ")


def test_work_is_reported_by_its_name_or_its_kind(place: Place, acts: Acts) -> None:
    def reported(*arguments: str) -> dict[str, Any]:
        printed: dict[str, Any] = json.loads(place.skipscan("report", "Orders", *arguments, "--json").stdout)
        return printed

    acts.start("mark")
    none = place.skipscan("report", "Orders", "mark")
    none.check_refused(NotFoundError, "act", "mark", rule="starting", way="skipscan runs Orders")
    acts.work_a_batch("mark")
    half = reported("mark")
    assert (half["kind"], half["act"], half["complete"], 0 < half["put"] < 12) == ("act", "mark", False, True)
    acts.complete("mark")
    whole = reported("mark")
    assert (whole["kind"], whole["act"], whole["complete"], whole["put"]) == ("act", "mark", True, 12)
    assert reported("mark", "--kind", "act") == reported("--kind", "act") == whole
    run = reported(acts.run)
    assert (run["kind"], run["run"], run["keys"]) == ("run", acts.run, 12)
    assert reported() == run
