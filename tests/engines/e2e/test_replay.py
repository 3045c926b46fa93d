"""The tutorial, the recipes and the examples of docs/commands.md, typed unchanged into the sandbox."""

import csv
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import boto3
import pytest
from rich.console import Console

from local import audit_table, sandbox_tables
from local.sandbox import Sandbox, sandbox
from local.steps import Steps

pytestmark = [pytest.mark.long, pytest.mark.in_order, pytest.mark.xdist_group("sandbox"), pytest.mark.timeout(1800)]

BEFORE = {
    "skipscan keys Orders --only tenants.txt --items all --format dynamodb-jsonl > items.jsonl": (
        "echo customer-1 > tenants.txt",
    ),
    "skipscan status Orders monday --env dev --follow": (
        "skipscan run Orders --name monday --follow",
        "skipscan run Orders --name tuesday --follow",
    ),
    "skipscan status Orders --kind act --env dev": (
        "skipscan act Orders monday --put-item @marker.json --name looked-at",
    ),
    "skipscan report Orders --kind act --env dev": (
        "skipscan act Orders monday --put-item @marker.json --for-real --name acted --follow",
    ),
    "skipscan stop Orders --env dev": ("skipscan run Orders --max-read-units-per-second 0.5 --name slow",),
    "skipscan stop Orders markers --env dev": (
        "skipscan act Orders monday --put-item @marker.json --max-write-units-per-second 1 --for-real --name markers",
    ),
    "skipscan resume ./orders --max-read-units 5000": (
        "rm -rf orders",
        "! skipscan keys Orders --folder orders --max-read-units 20",
    ),
    "skipscan resume Orders --env dev --max-read-units 5000 --follow": (
        "! skipscan run Orders --max-read-units 20 --name cheap --follow",
    ),
    "skipscan resume Orders thrifty --env dev --max-read-units 5000": (
        "! skipscan run Orders --max-read-units 20 --name thrifty --follow",
    ),
    "skipscan resume Audit audited --env dev --max-write-units 5000": (
        "! skipscan retrofit Audit --set 'action-person={action}-{accessedBy}' --max-write-units 50"
        " --for-real --name audited --follow",
    ),
}
"""What must have happened before an example makes sense; `!`: it must fail with 3."""

CONFIRMED = (
    "skipscan deploy --table",
    "skipscan deploy --env prod --schedule",
    "skipscan deploy --env prod --notify",
    "skipscan destroy",
)
"""Commands that ask on a terminal; there is none, so `--yes` is added."""

NOT_HERE = {
    "skipscan copy compare Audit Audit-2 --env dev --cut-over": "it waits for twenty minutes",
}


def shown(text: str) -> Iterator[tuple[str, int | None]]:
    """Yield the commands of the code blocks, with the exit status that an `echo $?` after one shows."""
    for kind, block in re.findall(r"^```(sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        lines = iter(block.splitlines())
        typed: list[tuple[str, int | None]] = []
        for line in lines:
            if kind == "console" and not line.startswith("$ "):
                continue
            command = line.removeprefix("$ ")
            while command.count("'") % 2:
                command += f"\n{next(lines)}"
            if command == "echo $?":
                typed[-1] = typed[-1][0], int(next(lines))
            else:
                typed.append((command.split(" #")[0].strip(), None))
        yield from typed


def commands(document: str, start: str, end: str) -> Sequence[tuple[str, int | None]]:
    """Return what a document shows between two headings, but for what make and the shell's own account are for."""
    text = Path(document).read_text(encoding="utf-8").split(start)[1].split(end)[0]
    found = [(command, status) for command, status in shown(text) if command.startswith(("skipscan ", "python -c"))]
    assert found, document
    return found


@pytest.fixture
def open_sandbox() -> Iterator[Sandbox]:
    with sandbox(Steps(Console(quiet=True))) as set_up:
        (set_up.folder / ".config/fish/completions").mkdir(parents=True)
        yield set_up


def typed(place: Sandbox, command: str) -> subprocess.CompletedProcess[str]:
    """Type a command into a shell that starts in the sandbox's folder; no command can open a browser."""
    literal = command.replace("BUCKET", place.outputs["BucketName"])
    literal += " --yes" if command.startswith(CONFIRMED) else ""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", literal],
        cwd=place.folder,
        env={**place.variables, "HOME": str(place.folder), "BROWSER": "true"},
        capture_output=True,
        text=True,
        check=False,
    )


def replay(place: Sandbox, lines: Sequence[tuple[str, int | None]]) -> None:
    """Type every line; each must end with the status that is shown, or 0."""
    for command, status in lines:
        if command in NOT_HERE:
            continue
        for first in BEFORE.get(command, ()):
            ended = typed(place, first.removeprefix("! "))
            assert ended.returncode == (3 if first.startswith("! ") else 0), (first, ended.stdout, ended.stderr)
        for run in re.findall(r" \./(monday|tuesday)\b", command):
            copy_of_results(place, run)
        ended = typed(place, command)
        assert ended.returncode == (status or 0), (command, ended.stdout, ended.stderr)


def copy_of_results(place: Sandbox, run: str) -> None:
    """Copy a run's folder next to the shell, as the AWS command line does."""
    variables = place.variables
    client = boto3.client(
        "s3",
        endpoint_url=place.account.endpoint,
        region_name=variables["AWS_REGION"],
        aws_access_key_id=variables["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=variables["AWS_SECRET_ACCESS_KEY"],
    )
    root = f"skipscan/Orders/runs/{run}/"
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=place.outputs["BucketName"], Prefix=root)
    for key in (entry["Key"] for page in pages for entry in page["Contents"]):
        file = place.folder / run / key.removeprefix(root)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(client.get_object(Bucket=place.outputs["BucketName"], Key=key)["Body"].read())


def test_the_tutorial_works_literally(open_sandbox: Sandbox) -> None:
    replay(open_sandbox, commands("docs/tutorial.md", "### 2. Try it yourself", "### 4. Deploy"))
    replay(open_sandbox, commands("docs/tutorial.md", "### 5. Run it", "### 7. Remove it"))


def test_the_recipes_of_the_sandbox_work_literally(open_sandbox: Sandbox) -> None:
    replay(open_sandbox, commands("docs/sandbox.md", "# Recipes", "\0"))
    by_skip_scan, by_markers = (
        sorted((open_sandbox.folder / f"by-{way}.txt").read_text().splitlines()) for way in ("skip-scan", "markers")
    )
    assert by_skip_scan == by_markers
    assert len(by_skip_scan) == sandbox_tables.CUSTOMERS
    dynamodb = open_sandbox.account.dynamodb
    with (open_sandbox.folder / "left.csv").open(newline="") as file:
        left = {row["thread"]: int(row["count"]) for row in csv.DictReader(file)}
    assert left == {f"thread-{thread:03d}": min(5, thread % 20 + 1) for thread in range(sandbox_tables.THREADS)}
    items = dynamodb.scan(TableName="Checkpoints")["Items"]
    every = {(item["thread"]["S"], item["checkpoint"]["S"]): item for item in sandbox_tables.checkpoints()}
    assert {(item["thread"]["S"], item["checkpoint"]["S"]): item for item in items} == every
    assert dynamodb.scan(TableName="Orders", IndexName="markers", Select="COUNT")["Count"] == 0
    assert audit_table.when(dynamodb, "Audit", "123ccc", "edited", "jane") == ["2017-05-01T00:00:25.000"]
    old, new = (dynamodb.scan(TableName=table)["Items"] for table in ("Audit", "Audit-2"))
    assert {item["id"]["S"] for item in old} == {item["id"]["S"] for item in new}
    assert all(audit_table.ATTRIBUTE in item for item in new)


def test_every_example_of_the_commands_works_literally(open_sandbox: Sandbox) -> None:
    examples = commands("docs/commands.md", "## Completion", "\0")
    assert NOT_HERE.keys() | BEFORE.keys() <= {command for command, _ in examples}
    replay(open_sandbox, examples)
