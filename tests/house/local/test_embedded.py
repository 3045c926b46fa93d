from __future__ import annotations

import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from local import server
from local.checkout import ROOT, environ
from local.dynalite import dynalite

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


def test_an_engine_survives_callers_that_are_gone_in_the_middle_of_a_request() -> None:
    with dynalite() as url:
        place = urlsplit(url)
        for _ in range(3):  # the end of one would be seen by the next
            with socket.create_connection((str(place.hostname), place.port or 0)) as caller:
                caller.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
                assert caller.recv(25).startswith(b"HTTP/1.1 100")
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert listens(url)


def test_a_server_that_ends_before_it_is_ready_shows_its_log() -> None:
    command = [sys.executable, "-c", "raise SystemExit('no room at the inn')"]
    with (
        pytest.raises(server.ServerError, match=r"inn ended with status 1(.|\n)*no room at the inn"),
        server.serving("inn", server.free_port(), command, environ=environ(), health="/"),
    ):
        pass


def test_a_port_is_free_and_none_that_systems_give_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((server.HOST, server.free_port())) as taken:
        mine: int = taken.getsockname()[1]
        assert 1024 < mine < 32_768  # Linux gives those from there on; macOS and Windows begin later
        free = server.free_port()
        monkeypatch.setattr(server, "PORTS", [mine, free])
        assert {server.free_port() for _ in range(20)} == {free}
        monkeypatch.setattr(server, "PORTS", [mine])
        with pytest.raises(server.ServerError, match="are taken"):
            server.free_port()
