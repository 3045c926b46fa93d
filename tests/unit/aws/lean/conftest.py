"""A server over which every byte is the test's to choose, and clients for it."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from botocore.config import Config

from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.aws.lean import LeanClient, connection, trial
from tests.unit.aws.lean.wire import Wire, wire

READ_SECONDS = 0.2
"""Of a client whose answer never comes; what does come has a minute."""


class Clients:
    """Makes clients, and closes them at the end. `notices`: why any of them left the hot calls to boto3.

    `remarks`: what they noticed without leaving the calls to boto3.
    """

    def __init__(self, closing: ExitStack) -> None:
        self._closing = closing
        self.session = SESSION
        self.notices: list[str] = []
        self.remarks: list[str] = []

    def notify(self, reason: str, continues: bool) -> None:
        (self.remarks if continues else self.notices).append(reason)

    def boto3(
        self, url: str, *, session: Any = SESSION, verify: Any = None, read_seconds: float = 60, **config: Any
    ) -> Any:
        settings = clients._config(4, attempts=1).merge(
            Config(read_timeout=read_seconds, parameter_validation=False, **config)
        )
        client = session.client("dynamodb", endpoint_url=url, config=settings, verify=verify)
        self._closing.callback(client.close)
        return client

    def lean(
        self, url: str, *, session: Any = SESSION, verify: Any = None, read_seconds: float = 60, **options: Any
    ) -> Any:
        client = self.boto3(url, session=session, verify=verify, read_seconds=read_seconds)
        lean = LeanClient(client, session, self.notify, **options)
        self._closing.callback(lean._thread.__dict__.clear)  # this thread's connections
        return lean

    def proven(self, server: Wire, **options: Any) -> Any:
        """Return a client whose trials of all operations on table T are over."""
        client = self.lean(server.url, **options)
        for name in CALLS:
            call(client, name)
        assert self.notices == []
        server.asked.clear()
        return client


CALLS: dict[str, dict[str, Any]] = {
    "scan": {"Limit": 1, "ExclusiveStartKey": {"k": {"B": b"\x00\xff"}}},
    "query": {"KeyConditionExpression": "k = :k", "ExpressionAttributeValues": {":k": {"S": "\U0010ffff"}}},
    "get_item": {"Key": {"k": {"S": "k"}}},
    "put_item": {"Item": {"k": {"S": "k"}}, "ConditionExpression": "attribute_not_exists(k)"},
    "update_item": {"Key": {"k": {"S": "k"}}, "UpdateExpression": "SET a = b"},
    "delete_item": {"Key": {"k": {"S": "k"}}},
}
READS, WRITES = ("scan", "query", "get_item"), ("put_item", "update_item", "delete_item")


def call(client: Any, name: str) -> Any:
    return getattr(client, name)(TableName="T", ReturnConsumedCapacity="TOTAL", **CALLS[name])


@contextmanager
def patience(client: Any, seconds: float) -> Iterator[None]:
    """Have this thread's connections wait so long for an answer, for the length of the block."""
    connections = client._thread.connections.values()
    before = [one._read_seconds for one in connections]
    _wait(connections, [seconds] * len(before))
    try:
        yield
    finally:
        _wait(connections, before)


def _wait(connections: Iterable[Any], seconds: Iterable[float]) -> None:
    for one, each in zip(connections, seconds, strict=True):
        one._read_seconds = each
        if one._http.sock:
            one._http.sock.settimeout(each)


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time run out but where a test is about that."""
    monkeypatch.setattr(connection, "IDLE_SECONDS", 200.0)
    monkeypatch.setattr(trial, "WAIT_SECONDS", 200.0)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "AWS_CA_BUNDLE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def make() -> Iterator[Clients]:
    with ExitStack() as closing:
        yield Clients(closing)


@pytest.fixture
def server() -> Iterator[Wire]:
    with wire() as started:
        yield started
