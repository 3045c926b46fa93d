"""A terminal shows what a command waits for before AWS has answered anything."""

import os
import re
import select
import socket
import subprocess
from pathlib import Path

import pytest

from tests.unit.cli.program import SKIPSCAN, VARIABLES

MOST_SECONDS = 300.0  # until a program on a busy machine must have written something

WAITS = {
    "plan": (["plan", "Orders", "--endpoint-url", "{url}"], "reading the table's description and a sample"),
    "report": (["report", "Orders", "--env", "dev"], "reading plan, manifest and checkpoints"),
    "download": (["download", "Orders", "--env", "dev", "--output", "keys.txt"], "finding the run"),
    "diff": (["diff", "Orders", "--env", "dev"], "finding both runs"),
}
MORE = {
    "keys": (["keys", "Orders", "--endpoint-url", "{url}"], "reading the table's description"),
    "runs": (["runs", "Orders", "--env", "dev"], "reading runs and jobs"),
    "status": (["status", "Orders", "--env", "dev"], "reading the status"),
    "resume": (["resume", "Orders", "--env", "dev"], "reading the status"),
    "stop": (["stop", "Orders", "--env", "dev"], "finding what is running"),
    "run": (["run", "Orders", "--env", "dev"], "starting"),
}
COMMANDS = [*WAITS, *(pytest.param(name, marks=pytest.mark.long) for name in MORE)]


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_waits_for_aws_says_so_first(name: str, tmp_path: Path) -> None:
    """The endpoint never answers, so everything shown is shown before an answer."""
    import pty  # Windows has none

    arguments, shown = {**WAITS, **MORE}[name]
    ours, theirs = pty.openpty()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [*SKIPSCAN, *(argument.format(url=url) for argument in arguments)]
        variables = {**VARIABLES, "TERM": "xterm", "AWS_ENDPOINT_URL": url}
        with subprocess.Popen(command, env=variables, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs) as run:
            os.close(theirs)
            try:
                assert shown in until(ours, shown)
                assert run.poll() is None
            finally:
                run.kill()
    os.close(ours)


def until(terminal: int, text: str) -> str:
    """Return what was drawn when the text is there, or when nothing comes any more."""
    seen = ""
    while text not in seen:
        if not select.select([terminal], [], [], MOST_SECONDS)[0]:
            return seen
        try:
            drawn = os.read(terminal, 65536)
        except OSError:  # how a terminal says that its last program has gone
            return seen
        if not drawn:  # as macOS says it
            return seen
        seen = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen + drawn.decode(errors="replace"))
    return seen
