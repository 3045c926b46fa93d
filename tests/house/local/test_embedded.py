import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from local import server
from local.checkout import ROOT, environ

pytestmark = pytest.mark.engine

HOLDER = """
import sys, time
from pathlib import Path
import local.checkout
local.checkout.BUILD = Path(sys.argv[1])
from local.embedded import embedded
with embedded() as account:
    print(account.endpoint, account.dynamodb_endpoint, flush=True)
    time.sleep(600)
"""


def listens(url: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((str(urlsplit(url).hostname), urlsplit(url).port or 0)) == 0


def test_nothing_listens_after_the_holder_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]  # whose folders stay there
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        urls = holder.stdout.readline().split()
        assert all(map(listens, urls))
        holder.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 300
    while any(map(listens, urls)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_server_that_ends_before_it_is_ready_shows_its_log() -> None:
    command = [sys.executable, "-c", "raise SystemExit('no room at the inn')"]
    with (
        pytest.raises(server.ServerError, match=r"inn ended with status 1(.|\n)*no room at the inn"),
        server.serving("inn", server.free_port(), command, environ=environ(), health="/"),
    ):
        pass
