"""The commands `skipscan deploy` and `skipscan destroy` as they are typed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from skipscan.cli.main import skipscan
from skipscan.cli.stack import permissions as packaged_module
from skipscan.cli.stack.place import StackPlace
from skipscan.errors import OMITTED, InputError, NotFoundError
from tests.refusal import check_refusal
from tests.unit.cli.stack.conftest import Account


@pytest.fixture
def installed(account: Account, monkeypatch: pytest.MonkeyPatch) -> Account:
    """An installation that has the packaged files, and whose AWS is a fake."""
    monkeypatch.setattr(packaged_module, "FOLDER", account.packaged.folder)
    monkeypatch.setattr(StackPlace, "of", lambda session, environment: account.place)
    monkeypatch.setattr("time.sleep", account.slept.append)
    return account


def run(*arguments: str) -> Result:
    return CliRunner().invoke(skipscan, [*arguments, "--env", "dev", "--region", "eu-west-1"])


def test_it_prints_the_state_machine_and_how_to_start_a_run(installed: Account) -> None:
    done = run("deploy", "--table", "Orders", "--tag", "team=a=b", "--notify", "you@example.com", "--yes")
    assert (done.exit_code, done.stdout) == (0, "arn:machine\n"), done.output
    assert "\n  --notify (NotifyEmail): none -> you@example.com\n" in done.stderr
    assert "none -> none" not in done.stderr
    assert "mail to you@example.com" in done.stderr
    assert done.stderr.endswith("Start a run: skipscan run Orders --env dev --follow\n")
    [asked] = installed.cloudformation.asked("CreateChangeSet")
    assert {"Key": "team", "Value": "a=b"} in asked["Tags"]


SCHEDULED = {
    "Table": "Orders",
    "Schedule": "rate(1 day)",
    "ScheduleInput": '{"overlap": "skip", "compare": "previous", "max_read_units": 20, "table": "Orders"}',
    "RolePath": "/",
    "SubnetIds": "subnet-00000000",
    "SecurityGroupIds": "sg-00000000",
    "NotifyTopic": "arn:aws:sns:eu-west-1:111111111111:runs",
    "CodeBucket": "theirs",
}


def has_schedule(account: Account) -> None:
    parameters = [{"ParameterKey": key, "ParameterValue": value} for key, value in SCHEDULED.items()]
    account.has("CREATE_COMPLETE", Parameters=parameters)
    account.s3.buckets["theirs"] = {"objects": {}}


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["--table", "Audit", "--table", "Orders"],
            [
                "tables: Orders -> Audit, Orders\n",
                "schedule: rate(1 day) UTC of Orders, input: compare, max_read_units 20 -> "
                "rate(1 day) UTC of Audit, input: compare, max_read_units 20",
            ],
        ),
        (["--table", "Audit"], ["runs of these tables are denied at once: Orders\n", "UTC of Audit, input"]),
        (["--add-table", "Audit"], ["tables: Orders -> Orders, Audit\n"]),
        (["--schedule-input", '{"since": "canary"}'], ["max_read_units 20 -> rate(1 day) UTC of Orders, input: since"]),
        (["--no-schedule"], ["max_read_units 20 -> none"]),
        (["--notify", "me@example.com"], ["--notify (NotifyTopic): arn:aws:sns:eu-west-1:111111111111:runs -> none"]),
    ],
)
def test_it_says_before_it_asks_what_moves_and_a_dry_run_changes_nothing(
    installed: Account, arguments: list[str], lines: list[str]
) -> None:
    has_schedule(installed)
    done = run("deploy", *arguments, "--dry-run")
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    assert [line for line in lines if line not in done.stderr] == []
    assert "canary" not in done.stderr
    assert "  Add       2  Lambda Function\n" in done.stderr
    [made] = installed.cloudformation.asked("CreateChangeSet")
    assert installed.cloudformation.removed == [made["ChangeSetName"]]
    assert not installed.cloudformation.asked("ExecuteChangeSet")
    assert list(installed.s3.buckets["theirs"]["objects"]) == [installed.packaged.template_name]
    assert list(installed.s3.buckets) == ["theirs"], "the bucket of the deployment is used again"


def test_a_table_is_added_where_something_is_deployed(installed: Account) -> None:
    done = run("deploy", "--add-table", "Audit", "--yes")
    check_refusal(done.exception, InputError, "--add-table", way="--table")


@pytest.mark.parametrize(
    ("command", "shown"), [("deploy", "  Add       2  Lambda Function\n"), ("destroy", "What stays:\n")]
)
def test_without_a_terminal_changes_are_shown_and_not_made(installed: Account, command: str, shown: str) -> None:
    has_schedule(installed)
    done = run(command)
    check_refusal(done.exception, InputError, "stdin", way="--yes")
    assert shown in done.stderr
    assert len(installed.cloudformation.removed) == len(installed.cloudformation.asked("CreateChangeSet"))
    assert not [name for name, _ in installed.cloudformation.calls if name in {"ExecuteChangeSet", "DeleteStack"}]


@pytest.mark.parametrize(
    ("arguments", "field", "value", "rule"),
    [
        (["--schedule", "rate(1 day)", "--no-schedule"], "--schedule and --no-schedule", OMITTED, ""),
        (["--save", "package", "--permissions"], "--save and --permissions", OMITTED, ""),
        (["--save", "package", "--tag", "a=b"], "--save and --tag", OMITTED, ""),
        (["--save", "package", "--table", "Orders"], "--save and --table", OMITTED, ""),
        (["--save", "package", "--no-schedule"], "--save and --no-schedule", OMITTED, ""),
        (["--save", "package", "--yes"], "--save and --yes", OMITTED, ""),
        (["--dry-run", "--permissions"], "--dry-run and --permissions", OMITTED, ""),
        (["--yes", "--table", "Orders", "--add-table", "Audit"], "--table and --add-table", OMITTED, ""),
        (["--tag", "team", "--yes", "--table", "Orders"], "--tag", "team", "NAME=VALUE"),
        (["--tag", "=x", "--yes", "--table", "Orders"], "--tag", "=x", "NAME=VALUE"),
        (["--tag", "a=b#", "--yes", "--table", "Orders"], "--tag", "a=b#", "NAME=VALUE"),
        (["--tag", "Aws:a=b", "--yes", "--table", "Orders"], "--tag", "Aws:a=b", "NAME=VALUE"),
    ],
)
def test_what_cannot_be_is_refused(
    installed: Account, arguments: list[str], field: str, value: object, rule: str
) -> None:
    check_refusal(run("deploy", *arguments).exception, InputError, field, value, rule=rule)
    assert installed.cloudformation.calls == []


def test_permissions_are_printed_and_nothing_else_happens(installed: Account) -> None:
    done = run("deploy", "--permissions")
    assert json.loads(done.stdout)["Version"] == "2012-10-17"
    assert installed.cloudformation.calls == installed.s3.calls == []


def test_the_files_can_be_saved_into_a_new_folder(installed: Account, tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    assert run("deploy", "--save", str(folder)).exit_code == 0
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")}
    assert {"skipscan.template.json", "policies/cloudformation.json", "policies/deploy-command.json"} <= names
    check_refusal(run("deploy", "--save", str(folder)).exception, InputError, "--save", str(folder), way="folder")
    assert installed.cloudformation.calls == []


def test_an_installation_without_the_files_says_which_one_has_them() -> None:
    done = run("deploy", "--table", "Orders", "--yes")
    check_refusal(done.exception, NotFoundError, "this installation", way="make wheel")
