"""A listing into a folder, killed by SIGKILL at random moments: the same command ends with every key once."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from local import sample_table
from tests.cli.test_keys import VARIABLES

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CUSTOMERS = {f"customer {number}": 3 for number in range(120)}
COMMAND = """
import time
from dataclasses import replace
from skipscan.aws.table import Table
from skipscan.cli import into_folder
from skipscan.__main__ import main
into_folder.BATCH = replace(into_folder.BATCH, pages=4)
scan = Table.scan
def slowly(table, request):
    time.sleep(0.02)
    return scan(table, request)
Table.scan = slowly
main()
"""
MOST_SECONDS = 120


@pytest.fixture(scope="module")
def table(dynamodb: "DynamoDBClient") -> str:
    sample_table.create(dynamodb, "KilledOrders")
    sample_table.load(dynamodb, "KilledOrders", CUSTOMERS)
    return "KilledOrders"


def begin(folder: Path, table: str, url: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", COMMAND, "keys", table, "--output", str(folder), "--endpoint-url", url]
    command += ["--segments", "6", "--max-read-units", "5000"]
    return subprocess.Popen(command, env=VARIABLES, stderr=subprocess.PIPE)


def wait_for_news(folder: Path, running: subprocess.Popen[bytes]) -> None:
    """Wait until the command writes, or has ended."""
    before, deadline = changed(folder), time.monotonic() + MOST_SECONDS
    while changed(folder) == before and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


def changed(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*"))


def killed_until_done(folder: Path, table: str, url: str, seed: int, kills: int) -> int:
    """Return how many kills met the command at work; then it was let run to its end."""
    moments, met = random.Random(seed), 0
    for _ in range(kills):
        with begin(folder, table, url) as running:
            wait_for_news(folder, running)
            time.sleep(moments.uniform(0, 0.25))
            met += running.poll() is None
            running.send_signal(signal.SIGKILL)
    with begin(folder, table, url) as running:
        _, said = running.communicate(timeout=MOST_SECONDS)
    assert running.returncode == 0, said
    return met


def prove(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["complete"]
    named = {part["name"] for part in manifest["parts"]}
    held = {path.relative_to(folder).as_posix() for path in (folder / "keys").rglob("*.jsonl") if path.stat().st_size}
    assert named == held
    lines = [line for name in named for line in (folder / name).read_text().splitlines()]
    assert Counter(json.loads(line)["customer"] for line in lines) == Counter(CUSTOMERS.keys())
    assert manifest["keys"] == len(CUSTOMERS)
    assert not list((folder / ".skipscan").glob("unfinished-*"))


@pytest.mark.parametrize(
    ("seed", "kills"), [(0, 2), *(pytest.param(seed, 12, marks=pytest.mark.long) for seed in range(1, 6))]
)
def test_every_key_is_there_once_however_often_it_is_killed(
    table: str, dynalite: str, tmp_path: Path, seed: int, kills: int
) -> None:
    assert killed_until_done(tmp_path / "run", table, dynalite, seed, kills)
    prove(tmp_path / "run")


@pytest.mark.long
def test_ctrl_c_keeps_the_batch_and_says_how_to_go_on(table: str, dynalite: str, tmp_path: Path) -> None:
    with begin(tmp_path / "run", table, dynalite) as running:
        wait_for_news(tmp_path / "run" / "keys", running)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=MOST_SECONDS)
    assert running.returncode == 130
    assert b"run the same command again to continue" in said
    assert killed_until_done(tmp_path / "run", table, dynalite, 0, 0) == 0
    prove(tmp_path / "run")


@pytest.mark.long
def test_a_second_process_is_refused_while_the_first_one_lists(table: str, dynalite: str, tmp_path: Path) -> None:
    with begin(tmp_path / "run", table, dynalite) as first:
        wait_for_news(tmp_path / "run", first)
        first.send_signal(signal.SIGSTOP)
        with begin(tmp_path / "run", table, dynalite) as second:
            _, said = second.communicate(timeout=MOST_SECONDS)
        first.send_signal(signal.SIGCONT)
        first.communicate(timeout=MOST_SECONDS)
    assert (second.returncode, f"in use by process {first.pid}: wait".encode() in said) == (1, True)
    assert first.returncode == 0
    prove(tmp_path / "run")
