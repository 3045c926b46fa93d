"""The commands as programs, against the deployed state machine."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.checkout import ROOT, environ
from tests.engines.e2e.conftest import Deployment, Surroundings
from tests.engines.e2e.held import held
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition

pytestmark = pytest.mark.xdist_group("embedded")

SKIPSCAN = [sys.executable, "-m", "skipscan"]
CUSTOMERS = {f"customer {number}" for number in range(40)}


@pytest.fixture(scope="module")
def shell(surroundings: Surroundings, deployment: Deployment) -> dict[str, str]:
    """The variables of a shell with access to the account, and the table with its item collections."""

    def items() -> Iterator[Item]:
        for customer in CUSTOMERS:
            for order in range(6):
                yield {"customer": {"S": customer}, "order": {"N": str(order)}, "body": {"B": bytes(2000)}}

    deployment.load(TableDefinition("Followed", KeySchema.of(("customer", "S"), ("order", "N"))), items())
    return environ(
        AWS_ENDPOINT_URL=surroundings.account.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB=surroundings.account.dynamodb_endpoint,
        SKIPSCAN_ENV="e2e",
        PYTHONPATH=str(ROOT / "lambdas"),
        TERM="xterm-256color",
        COLUMNS="100",
    )


def skipscan(shell: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SKIPSCAN, *arguments], env=shell, capture_output=True, text=True, check=False)


def test_a_run_is_followed_on_a_terminal_and_again_after_ctrl_c(
    shell: dict[str, str], surroundings: Surroundings, tmp_path: Path
) -> None:
    command = [*SKIPSCAN, "run", "Followed", "--segments", "8", "--workers", "2", "--name", "watched", "--follow"]
    with held(surroundings.dynamodb), Terminal(command, shell) as terminal:
        seen = terminal.until(r"worker +batches +keys.*committed batches")
        assert re.search(r"Followed  run watched  running", seen)
        assert re.search(r"\d+ +of 8 done", seen)
        terminal.until(r"workers +2 ")
        terminal.process.send_signal(signal.SIGINT)
        assert "skipscan status Followed watched --env e2e --follow" in terminal.until("skipscan stop")
        assert terminal.process.wait(600) == 130
        status = json.loads(skipscan(shell, "status", "Followed", "watched", "--json").stdout)
    assert status["state"] == "running"
    assert sum(status["workers_by_state"].values()) == 2
    back = skipscan(shell, "status", "Followed", "--follow")
    assert (back.returncode, "finished" in back.stdout) == (0, True)
    output = tmp_path / "keys.txt"
    assert skipscan(shell, "download", "Followed", "watched", "--output", str(output)).returncode == 0
    assert sorted(output.read_text().splitlines()) == sorted(CUSTOMERS)
    assert not any(customer in seen + back.stderr for customer in CUSTOMERS)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, command: list[str], variables: dict[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command, env=variables, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        self._seen = ""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def until(self, pattern: str) -> str:
        """Return what was drawn up to now, as soon as the pattern is in it; colours and cursor moves are left out."""
        while not re.search(pattern, self._seen, re.DOTALL):
            self._seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", os.read(self._ours, 65536).decode(errors="replace"))
        return self._seen
