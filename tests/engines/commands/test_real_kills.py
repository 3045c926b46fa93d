"""A listing into a folder, killed in the middle of what it does: the same command ends with every key once."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from local import sample_table
from tests.unit.cli.program import VARIABLES

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

pytestmark = pytest.mark.slow

CUSTOMERS = {f"customer {number}": 3 for number in range(120)}
COMMAND = """
import json, os, signal, sys, threading
from dataclasses import replace
from itertools import count
from skipscan.aws.table import Table
from skipscan.library import into_folder
from skipscan.__main__ import main

into_folder.BATCH = replace(into_folder.BATCH, pages=4)
go_on = threading.Event()


def heard(number, handler, own=signal.signal):
    return own(number, (lambda *given: (handler(*given), go_on.set())) if callable(handler) else handler)


def held_at(number, function):
    calls = count(1)

    def held(*given):
        if next(calls) == number:
            os.write(1, b"held")
            go_on.wait()
        return function(*given)

    return held


signal.signal = heard
threading.Thread(target=lambda: os.read(0, 1) and go_on.set(), daemon=True).start()
moment, number = json.loads(sys.argv.pop(1))
if moment == "scan":
    Table.ask = held_at(number, Table.ask)
elif moment == "fsync":
    os.fsync = held_at(number, os.fsync)
main()
"""
"""The command, held at the page or the fsync of a number until it has handled a signal or got a byte.

It is killed, interrupted or met there: whatever is slow, it is at work then.
"""
MOST_SECONDS = 600


@pytest.fixture(scope="module")
def killed_orders(shared_dynamodb: "DynamoDBClient") -> str:
    sample_table.create(shared_dynamodb, "KilledOrders")
    sample_table.load(shared_dynamodb, "KilledOrders", CUSTOMERS)
    return "KilledOrders"


Moment = tuple[str, int]
"""At which call of what the command is held."""
NEVER = ("", 0)


def begin(folder: Path, table: str, url: str, moment: Moment = NEVER) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", COMMAND, json.dumps(moment)]
    command += ["keys", table, "--folder", str(folder), "--endpoint-url", url]
    command += ["--segments", "60", "--max-read-units", "5000000", "--finished", "keep"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=VARIABLES, stdin=pipe, stdout=pipe, stderr=pipe)


def is_held(running: subprocess.Popen[bytes]) -> bool:
    """Wait until the command is held, or has ended; return which."""
    assert running.stdout
    return running.stdout.read(4) == b"held"


def killed_until_done(folder: Path, table: str, url: str, moments: Iterable[Moment]) -> int:
    """Return how many kills met the command at work; then it was let run to its end."""
    met = 0
    for moment in moments:
        with begin(folder, table, url, moment) as running:
            met += is_held(running)
            running.kill()
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


def test_every_key_is_listed_once_after_two_kills(killed_orders: str, dynalite: str, tmp_path: Path) -> None:
    assert killed_until_done(tmp_path / "run", killed_orders, dynalite, [("scan", 7), ("fsync", 9)]) == 2
    prove(tmp_path / "run")


@pytest.mark.long
@pytest.mark.posix
@pytest.mark.usefixtures("signals_end")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_keeps_the_batch_and_says_how_to_continue(
    killed_orders: str, dynalite: str, tmp_path: Path, name: str
) -> None:
    with begin(tmp_path / "run", killed_orders, dynalite, ("scan", 9)) as running:
        assert is_held(running)
        running.send_signal(getattr(signal, name))
        _, said = running.communicate(timeout=MOST_SECONDS)
    assert running.returncode == 130, said
    assert b"holds the keys found so far: `skipscan resume " in said
    assert list((tmp_path / "run" / "keys").rglob("*.jsonl"))
    assert killed_until_done(tmp_path / "run", killed_orders, dynalite, []) == 0
    prove(tmp_path / "run")
