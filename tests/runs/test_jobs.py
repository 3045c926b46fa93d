"""The commands that start writing jobs: dry unless told, with a preview that a person can read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boto3
import pytest

from skipscan.aws import deployment
from tests.handlers.acting import Acting
from tests.handlers.conftest import acting  # noqa: F401  (a fixture)
from tests.handlers.execution import BUCKET
from tests.runs.command import Done
from tests.runs.conftest import DEFINITION, ROLE, Place, Stacks

MARKER = '{"item": {"order": {"N": "0"}, "GSI-pk": "{customer}"}}'
SET = "resource-action={customer}-{order}"


@pytest.fixture
def machines(place: Place) -> dict[str, str]:
    """An environment that enables acting and retrofits, and no copies."""
    names = {"ActStateMachineArn": "skipscan-dev-act", "RetrofitStateMachineArn": "skipscan-dev-retrofit"}
    made = {
        output: place.sfn.create_state_machine(name=name, definition=DEFINITION, roleArn=ROLE)["stateMachineArn"]
        for output, name in names.items()
    }
    outputs = {"StateMachineArn": place.machine, "BucketName": BUCKET, **made}
    place.monkeypatch.setattr(deployment, "client", lambda _: Stacks(outputs))
    return made


def document(machine: str) -> dict[str, Any]:
    """Return the input of the newest execution of a machine."""
    sfn = boto3.client("stepfunctions")
    newest = sfn.list_executions(stateMachineArn=machine)["executions"][0]
    found: dict[str, Any] = json.loads(sfn.describe_execution(executionArn=newest["executionArn"])["input"])
    return found


def ending(place: Place, job: str, output: Mapping[str, Any]) -> None:
    """Let a job end when its command looks at it for the second time."""
    place.monkeypatch.setattr("skipscan.cli.outcome.sleep", lambda _: place.succeed(job, output))


def test_a_job_is_previewed_unless_told(place: Place, machines: Mapping[str, str], acting: Acting) -> None:  # noqa: F811
    run = place.finished()
    asked = {"table": "Orders", "run": run, "put_item": json.loads(MARKER)}
    enabled = json.dumps({acting.plan_act.dynamodb.describe_table(TableName="Orders")["Table"]["TableArn"]: []})
    place.monkeypatch.setattr(acting.plan_act, "settings", with_writing(acting.plan_act.settings, enabled))
    explained = acting.planned({**asked, "without_recovery": True}, "job")["explanation"]
    ending(place, "job", explained)
    done = place.skipscan("act", "Orders", "--put-item", MARKER, "--name", "job")
    assert (done.status, done.stderr) == (0, "skipscan: nothing is written yet; the same with --for-real writes\n")
    assert document(machines["ActStateMachineArn"]) == {**asked, "dry_run": True}
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    for line in ("action put_item", "keys 12", "write units 12", f"run {run}"):
        assert line in lines, lines
    assert not any(f"c{number}" in done.stdout.replace(run, "") for number in range(12))


def with_writing(settings: Any, writing: str) -> Any:
    return type(settings)(**{**vars(settings), "writing": json.loads(writing)})


def test_for_real_starts_it_and_says_its_name(place: Place, machines: Mapping[str, str], tmp_path: Path) -> None:
    run = place.finished()
    marker = tmp_path / "marker.json"
    marker.write_text(MARKER)
    more = ["--for-real", "--max-write-units-per-second", "50", "--without-recovery"]
    done = place.skipscan("act", "Orders", run, "--put-item", f"@{marker}", *more)
    assert (done.status, done.stderr) == (0, "")
    expected = {"table": "Orders", "run": run, "put_item": json.loads(MARKER), "dry_run": False}
    bounds = {"max_write_units_per_second": 50.0, "without_recovery": True}
    assert document(machines["ActStateMachineArn"]) == {**expected, **bounds}
    [listed] = json.loads(place.skipscan("jobs", "Orders", "--json").stdout)
    assert (listed["job"], listed["does"], listed["status"]) == (done.stdout.strip(), "act", "RUNNING")
    stopped = place.skipscan("stop", "Orders", listed["job"])
    assert (stopped.status, stopped.stdout) == (0, done.stdout)
    assert f"skipscan act Orders {run} --resume {listed['job']}" in stopped.stderr
    assert "aborted" in place.skipscan("jobs", "Orders").stdout


def test_a_job_that_is_followed_ends_with_what_it_did(place: Place, machines: Mapping[str, str]) -> None:
    ending(place, "job", {"table": "Orders", "retrofit": "job", "items": 3005, "written": 3003, "lacking": 2})
    followed = ["retrofit", "Orders", "--set", SET, "--for-real", "--no-verify", "--name", "job", "--follow"]
    done = place.skipscan(*followed)
    assert (done.status, "written   3,003" in done.stdout) == (0, True)
    expected = {"table": "Orders", "set": {"resource-action": "{customer}-{order}"}, "verify": False, "dry_run": False}
    assert document(machines["RetrofitStateMachineArn"]) == expected
    assert "3,005 items, 3,003 written, 2 lacking" in place.skipscan("jobs", "Orders").stdout


def test_a_job_that_fails_ends_with_3_and_its_cause(place: Place, machines: Mapping[str, str]) -> None:
    del machines
    place.monkeypatch.setattr(
        "skipscan.cli.outcome.sleep", lambda _: place.end("job", "TableError", "it lacks point-in-time recovery")
    )
    done = place.skipscan("retrofit", "Orders", "--set", SET, "--for-real", "--follow", "--name", "job")
    assert (done.status, done.stdout) == (3, "")
    assert "the job is not finished; TableError: it lacks point-in-time recovery" in done.stderr


def test_a_job_is_resumed_with_other_bounds(place: Place, machines: Mapping[str, str]) -> None:
    done = place.skipscan("retrofit", "Orders", "--resume", "retrofit-1", "--max-dollars", "5")
    assert done.status == 0
    resumed = {"table": "Orders", "resume": "retrofit-1", "max_dollars": 5.0}
    assert document(machines["RetrofitStateMachineArn"]) == resumed


MISTAKES: list[tuple[list[str], int, str]] = [
    (["act", "Orders"], 2, "the input has no action; a job does exactly one of put_item"),
    (["act", "Orders", "--put-item", "{"], 2, "Invalid value for '--put-item': it is no JSON"),
    (["act", "Orders", "--put-item", "@/nowhere"], 2, "'@/nowhere' is no file that can be read"),
    (["act", "Orders", "--put-item", MARKER], 1, 'table "Orders" has no finished run in dev'),
    (["act", "Orders", "r", "--send", '{"queue": "keys"}'], 2, 'send.queue is "keys"; it must be the ARN of an SQS'),
    (["retrofit", "Orders"], 2, "set is missing; a retrofit sets an attribute by a template"),
    (["retrofit", "Orders", "--set", "a"], 2, "'a' is not ATTRIBUTE=TEMPLATE"),
    (["retrofit", "Orders", "--set", SET, "--follow"], 2, "a preview has nothing to follow"),
    (["retrofit", "Orders", "--set", SET, "--workers", "0"], 2, "workers is 0"),
    (["retrofit", "Orders", "--resume", "r", "--set", SET], 2, "a retrofit that is resumed goes on as it was planned"),
    (["copy", "Orders", "New"], 1, 'it enables no copy for any table: add "writing": {"Orders": {"copy": {"to"'),
    (["jobs", "a/b"], 2, "it must be a table's name"),
]


def test_a_mistake_is_one_message_and_nothing_is_started(place: Place, machines: Mapping[str, str]) -> None:
    for arguments, status, message in MISTAKES:
        done = place.skipscan(*arguments)
        assert (done.status, done.stdout) == (status, ""), (arguments, done)
        assert message in " ".join(done.stderr.split()), done.stderr
        assert "Traceback" not in done.stderr
    for machine in machines.values():
        assert place.sfn.list_executions(stateMachineArn=machine)["executions"] == []
    assert is_without_jobs(place.skipscan("jobs", "Orders"))


def is_without_jobs(done: Done) -> bool:
    return (done.status, done.stdout, done.stderr) == (0, "", "skipscan: table Orders has no job in dev\n")
