"""All that can be typed is completed: by the declarations of the commands, not by a list."""

from collections.abc import Iterator
from pathlib import Path

import boto3
import click
import pytest
from botocore.stub import Stubber
from click.shell_completion import ShellComplete

from skipscan.cli import complete
from skipscan.cli.commands import COMMANDS, performed
from skipscan.cli.main import skipscan
from tests.unit.cli.command import invoke

PERFORMED = performed(*COMMANDS)
FREE = {
    *("--segments", "--workers", "--delimiter", "--depth", "--prefix-length", "--prefix", "--between"),
    *("--since", "--until", "--first", "--last", "--items", "--beyond", "--most", "--count", "--keep-last"),
    *("--seed", "--limit", "--name", "--max-deletes"),
    "--endpoint-url",
    *("--max-read-units-per-second", "--max-read-units", "--max-dollars", "--max-write-units-per-second"),
    *("--max-write-units", "--max-keys-per-second", "--compare-items", "--set", "--remove"),
    *("--schedule", "--schedule-input"),
    *("--notify", "--alarm-topic", "--permissions-boundary", "--role-path", "--subnet", "--security-group", "--tag"),
    *("--role-arn", "--code-bucket", "--account", "--bucket", "--topic"),
    *("--put-item", "--delete-item", "--delete-listed", "--invoke", "--send"),
}
"""Options whose values nobody can know beforehand."""


def completed(*typed: str) -> list[str]:
    *before, incomplete = typed
    found = ShellComplete(skipscan, {}, "skipscan", "_SKIPSCAN_COMPLETE").get_completions(before, incomplete)
    return [item.value for item in found]


@pytest.mark.parametrize("name", PERFORMED)
def test_every_value_that_can_be_known_is_completed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value is known if it is a word of a list, a path, or something that exists: the rest stands in `FREE`."""
    monkeypatch.chdir(tmp_path)  # without a cdk.json
    monkeypatch.setattr(complete, "NAMES", {what: lambda _context: ["it-exists"] for what in complete.NAMES})
    context = click.Context(PERFORMED[name])
    for one in PERFORMED[name].params:
        if isinstance(one, click.Option) and one.is_flag:
            continue
        found = one.shell_complete(context, "")
        if isinstance(one.type, click.Choice):
            assert [item.value for item in found] == [str(choice) for choice in one.type.choices], one.opts
        else:
            assert found or one.opts[0] in FREE, f"{name}: {one.opts[0]} completes nothing"


@pytest.fixture
def asked_tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stubber]:
    """DynamoDB without an environment."""
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    client = boto3.client("dynamodb", "us-east-1")
    monkeypatch.setattr(complete, "_dynamodb", lambda _: client)
    with Stubber(client) as stubber:
        yield stubber


def test_tables_are_completed_without_a_deployment(asked_tables: Stubber) -> None:
    asked_tables.add_response("list_tables", {"TableNames": ["Others"], "LastEvaluatedTableName": "Others"}, {})
    asked_tables.add_response("list_tables", {"TableNames": ["Orders"]}, {"ExclusiveStartTableName": "Others"})
    assert completed("keys", "Or") == ["Orders"]


def test_indexes_are_completed_without_a_deployment(asked_tables: Stubber) -> None:
    kinds = {"GlobalSecondaryIndexes": "by-state", "LocalSecondaryIndexes": "by-day"}
    table = {kind: [{"IndexName": name}] for kind, name in kinds.items()}
    asked_tables.add_response("describe_table", {"Table": table}, {"TableName": "Orders"})
    assert completed("plan", "Orders", "--index", "") == ["by-state", "by-day"]


def test_regions_profiles_and_time_zones_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config").write_text("[profile work]\nregion = eu-west-1\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    assert "eu-central-1" in completed("keys", "Orders", "--region", "eu-c")
    assert completed("keys", "Orders", "--profile", "w") == ["work"]
    assert completed("deploy", "--timezone", "Europe/Berl") == ["Europe/Berlin"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str) -> None:
    done = invoke("completion", shell)
    assert (done.status, f"_SKIPSCAN_COMPLETE={shell}_complete" in done.stdout) == (0, True)


def test_the_run_to_compare_with_is_completed_without_an_environment_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SKIPSCAN_ENV", raising=False)
    assert completed("run", "Orders", "--compare", "p") == ["previous"]
