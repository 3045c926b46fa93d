"""`skipscan keys` as a program: started from a shell, against a DynamoDB that answers over HTTP."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from local import sample_table
from tests.unit.cli.program import SKIPSCAN, VARIABLES

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

pytestmark = pytest.mark.engine

CUSTOMERS = {f"customer {n}": 1 + 200 * (n == 3) + n % 4 for n in range(150)}


@pytest.fixture(scope="session")
def cli_orders(shared_dynamodb: "DynamoDBClient") -> str:
    sample_table.create(shared_dynamodb, "CliOrders")
    sample_table.load(shared_dynamodb, "CliOrders", CUSTOMERS)
    return "CliOrders"


def keys(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*SKIPSCAN, "keys", *arguments]
    return subprocess.run(command, env=VARIABLES, capture_output=True, text=True, check=False)


def test_prints_every_key_on_a_line_and_nothing_else(cli_orders: str, dynalite: str) -> None:
    done = keys(cli_orders, "--endpoint-url", dynalite)
    assert sorted(done.stdout.splitlines()) == sorted(CUSTOMERS)
    assert (done.returncode, done.stderr) == (0, "")


def test_json_lines_and_a_summary(cli_orders: str, dynalite: str, tmp_path: Path) -> None:
    summary = tmp_path / "summary.json"
    done = keys(
        cli_orders, "--endpoint-url", dynalite, "--format", "jsonl", "--segments", "5", "--summary", str(summary)
    )
    assert {json.loads(line)["customer"] for line in done.stdout.splitlines()} == set(CUSTOMERS)
    figures = json.loads(summary.read_text())
    assert (figures["table"], figures["keys"], figures["segments"]) == (cli_orders, len(CUSTOMERS), 5)
    assert 0 < figures["requests"] < len(CUSTOMERS)
    assert figures["read_units"] > 0
    assert figures["seconds"] > 0


def test_a_reader_that_goes_away_ends_it_quietly(cli_orders: str, dynalite: str) -> None:
    """It goes before the first key: after it, the rest could be written before anybody goes."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [*SKIPSCAN, "keys", cli_orders, "--endpoint-url", dynalite]
    done = subprocess.run(command, env=VARIABLES, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(("closed", "status", "said"), [("2>&-", 0, ""), (">&-", 1, "stdout is closed")])
def test_a_stream_that_is_closed_from_the_start(
    dynalite: str, cli_orders: str, closed: str, status: int, said: str
) -> None:
    line = f"{shlex.quote(sys.executable)} -m skipscan keys {cli_orders} --endpoint-url {dynalite} {closed}"
    done = subprocess.run(["/bin/sh", "-c", line], env=VARIABLES, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
    assert said in done.stderr
    assert "defect" not in done.stderr


def test_ctrl_c_ends_it_with_130() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [*SKIPSCAN, "keys", "Orders", "--endpoint-url", url]
        with (
            subprocess.Popen(command, env=VARIABLES, stderr=subprocess.PIPE) as running,
            silent.accept()[0] as connection,
        ):
            assert connection.recv(1)  # it is asking by now, and waits for an answer
            running.send_signal(signal.SIGINT)
            assert running.wait(300) == 130
            assert running.stderr
            assert running.stderr.read().strip() == b"skipscan: interrupted"


def test_a_terminal_sees_the_totals_beside_the_keys(cli_orders: str, dynalite: str) -> None:
    screen = on_a_terminal([*SKIPSCAN, "keys", cli_orders, "--endpoint-url", dynalite])
    assert f"{len(CUSTOMERS)} keys" in screen
    assert "read units" in screen


def test_a_terminal_sees_the_totals_of_a_listing_into_a_folder(cli_orders: str, dynalite: str, tmp_path: Path) -> None:
    command = [*SKIPSCAN, "keys", cli_orders, "--endpoint-url", dynalite, "--folder", str(tmp_path / "orders")]
    stopped = lines_of(on_a_terminal([*command, "--max-read-units", "5"], status=3))
    consumed = re.match(r"skipscan: the budget is --max-read-units 5; (\S+ read units) are consumed", stopped[-1])
    assert consumed
    assert " keys  " in stopped[-2]
    assert f"  {consumed[1]}  " in stopped[-2]
    ended = lines_of(on_a_terminal(command))
    assert ended[-2].startswith(f"{len(CUSTOMERS)} keys  ")
    assert ended[-1].startswith(f"skipscan: {len(CUSTOMERS)} keys in ")


def lines_of(screen: str) -> list[str]:
    """Return the lines of a screen as printed: without colours, and without what was erased on a line."""
    printed = screen.replace("\x1b[2K", "\r").replace("\r\n", "\n")
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    return [text for line in plain.splitlines() if (text := line.rpartition("\r")[2])]


def on_a_terminal(command: list[str], status: int = 0) -> str:
    """Return what a terminal shows on stderr, while stdout goes to a file."""
    import pty  # Windows has none

    ours, theirs = pty.openpty()
    with subprocess.Popen(command, env={**VARIABLES, "TERM": "xterm"}, stdout=subprocess.DEVNULL, stderr=theirs) as run:
        os.close(theirs)
        shown = b""
        while chunk := _read(ours):
            shown += chunk
        assert run.wait(300) == status
    os.close(ours)
    return shown.decode()


def _read(terminal: int) -> Any:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how a terminal says that its last program has gone
        return b""


def test_a_budget_ends_a_pipe_after_the_keys_that_it_paid_for(cli_orders: str, dynalite: str, tmp_path: Path) -> None:
    summary = tmp_path / "summary.json"
    asked = ("--segments", "2", "--max-read-units", "8", "--summary", str(summary))
    done = keys(cli_orders, "--endpoint-url", dynalite, *asked)
    found = done.stdout.splitlines()
    assert (done.returncode, 0 < len(found) < len(CUSTOMERS)) == (3, True)
    assert set(found) < set(CUSTOMERS)
    assert "--max-read-units 8; " in done.stderr
    assert "of 2 segments" in done.stderr
    figures = json.loads(summary.read_text())
    assert (figures["keys"], figures["read_units"] <= 8.5) == (len(found), True)
