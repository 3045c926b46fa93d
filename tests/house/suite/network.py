"""No test uses the network: a test that connects to another machine fails, even if the product ignores the refusal."""

import socket
from collections.abc import Generator
from typing import Any

import pytest

LOCAL = frozenset({"localhost", "127.0.0.1", "::1", None})
ASKED: list[str] = []

_getaddrinfo = socket.getaddrinfo


def _local_only(host: Any, *arguments: Any, **named: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name in LOCAL or str(name).endswith(".localhost"):
        return _getaddrinfo(host, *arguments, **named)
    ASKED.append(str(name))
    raise socket.gaierror(socket.EAI_NONAME, f"no test asks for {name}")


def pytest_configure() -> None:
    socket.getaddrinfo = _local_only


def pytest_unconfigure() -> None:
    socket.getaddrinfo = _getaddrinfo


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if ASKED and "remote_hosts" not in item.keywords:
        report.outcome = "failed"
        report.longrepr = f"asked for {', '.join(sorted(set(ASKED)))}: replace the client that did"
    ASKED.clear()
    return report
