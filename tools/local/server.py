"""Run a server on a free port of 127.0.0.1 for the duration of a `with` block."""

from __future__ import annotations

import http.client
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from local.checkout import BUILD, ROOT
from local.leash import leashed

HOST = "127.0.0.1"
PORTS: Sequence[int] = range(10_000, 32_768)
"""Below the ports that systems give to connections, and to servers that ask for any: none is taken by chance."""

READY_SECONDS = 600.0  # an answer comes within a second, unless the machine is busy


class ServerError(Exception):
    """A server that ended, or did not answer, before it was ready. The text has the end of its log."""


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free, and that nobody takes who does not ask for this very one.

    A server may need seconds until it listens there, or listen there again after a stop.
    """
    for _ in range(1000):
        port = secrets.choice(PORTS)  # not by `random`: a seed would have all processes of a test run choose the same
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port
    raise ServerError(f"1000 ports of {HOST} between {PORTS[0]} and {PORTS[-1]} are taken")


@contextmanager
def serving(name: str, port: int, command: Sequence[str], *, environ: Mapping[str, str], health: str) -> Iterator[str]:
    """Yield the URL of a server that answers 200 at the path `health`; its log: `build/log/<name>-<port>.log`."""
    log = BUILD / "log" / f"{name}-{port}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("wb") as output,
        leashed(command, environ=environ, folder=ROOT, output=output) as process,
    ):
        _wait_until_ready(name, port, health, process, log)
        yield f"http://{HOST}:{port}"


def _wait_until_ready(name: str, port: int, health: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if _answers(port, health):
            return
        time.sleep(0.02)
    status = process.poll()
    fate = f"gave no answer within {READY_SECONDS:.0f} s" if status is None else f"ended with status {status}"
    tail = "\n".join(log.read_text(errors="replace").splitlines()[-20:])
    raise ServerError(f"{name} {fate} on port {port}; its log, {log}, ends with:\n{tail}")


def _answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()
