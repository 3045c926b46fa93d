"""The frequent calls of a boto3 client, made without boto3 once a trial has shown that this is safe."""

import os
import ssl
import time
from collections.abc import Callable
from functools import partial
from threading import local
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import boto3
from botocore.exceptions import ClientError
from botocore.httpsession import get_cert_path

from skipscan.aws import clients
from skipscan.aws.answer import consumed_units
from skipscan.aws.faults import is_denial
from skipscan.aws.lean.connection import AnswerRoom, Connection
from skipscan.aws.lean.request import OPERATIONS, READS, Call, Raw, Route, body, understood
from skipscan.aws.lean.trial import Trial
from skipscan.aws.unread import one_parses_at_a_time, packed
from skipscan.errors import InputError
from skipscan.loop.dependencies import Dependencies
from skipscan.loop.metric import Metric

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SETTING = "SKIPSCAN_CLIENT"
"""The environment variable that decides who makes the frequent calls: "lean" (default) or "boto3"."""


class LeanClient:
    """Replaces a boto3 client of DynamoDB. Safe to use from several threads.

    The boto3 client makes all other calls, and interprets every error. `notify`: see `Trial`. `ca_file`: the
    certificate authorities that TLS trusts (default: those of botocore).
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        session: boto3.Session,
        notify: Callable[[str, bool], object],
        *,
        ca_file: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client: Any = client
        self._ca_file, self._clock = ca_file, clock
        self._credentials: Any = session.get_credentials()
        self._context: ssl.SSLContext | None = None
        self._room = AnswerRoom()
        self._second = 0, ""
        self._thread = local()
        self._trial = Trial(client, session, self._exchange, notify)
        one_parses_at_a_time(client)
        for name in OPERATIONS:
            setattr(self, name, partial(self._call, name))
        self.unread = SimpleNamespace(scan=partial(self._later, "scan"), query=partial(self._later, "query"))
        """Scan and Query, which return a function: it returns the answer, or raises what is wrong with it."""

    def read_first(self, **parameters: Any) -> float:
        """Have a first read compared before a first write, by a GetItem; return its read units (0: was not needed)."""
        try:
            return consumed_units(self.get_item(**parameters)) if self._trial.needs_read else 0.0
        except ClientError as error:
            if not is_denial(error):
                raise
        self._trial.give_up("no read is allowed that could be compared")
        return 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def _later(self, name: str, /, **parameters: Any) -> Callable[[], Any]:
        call = Call(name, parameters)
        route = self._trial.routes.get(call.way)
        if route is None:
            answer = packed(partial(self._trial.first, call))
            # None if another thread has learnt the route meanwhile.
            return self._later(name, **parameters) if answer is None else answer
        try:
            raw = self._exchange(route, call)
        except NotImplementedError as error:
            left = self._trial.leave(call, error)
            return lambda: left
        if raw.status == 200:
            return partial(understood, raw, call)
        # boto3 sends nothing: it reads our answer, and raises what it makes of it.
        refused = self._trial.boto3(call, lambda _prepared: raw)
        return lambda: refused

    def _call(self, name: str, /, **parameters: Any) -> Any:
        return self._later(name, **parameters)()

    def _exchange(self, route: Route, call: Call) -> Raw:
        """Send a request over this thread's connection and return the answer."""
        credentials = self._credentials.get_frozen_credentials()
        request = route.request(body(call.parameters), credentials, self._date())
        # A connection carries one request at a time, so each thread has its own.
        connections: dict[str, Connection] = self._thread.__dict__.setdefault("connections", {})
        if (connection := connections.get(route.url)) is None:
            connection = connections[route.url] = self._connection(route)
        return connection.exchange(request, is_read=call.operation in READS)

    def _connection(self, route: Route) -> Connection:
        # One context for all connections: botocore loads the authorities' certificates for each of its own.
        if route.is_secure and self._context is None:
            self._context = ssl.create_default_context(cafile=self._ca_file or get_cert_path(True))
        config = self._client.meta.config
        return Connection(route, self._context, config.connect_timeout, config.read_timeout, self._room)

    def _date(self) -> str:
        """Return the second, as signatures state it."""
        now = int(self._clock())
        second, date = self._second
        if second != now:
            date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
            self._second = now, date  # in one step, so that no thread sees half of it
        return date


def lean_dynamodb(
    session: boto3.Session, connections: int, endpoint_url: str | None = None, *, notify: Callable[[str, bool], object]
) -> "DynamoDBClient":
    """Return a worker's client for `connections` concurrent requests. Raises `InputError` for an invalid setting."""
    client = clients.dynamodb(session, connections, endpoint_url)
    match os.environ.get(SETTING, "lean"):
        case "boto3":
            return client
        case "lean":
            return cast("DynamoDBClient", LeanClient(client, session, notify))
        case strange:
            raise InputError(SETTING, strange, 'it must be "lean" or "boto3"', "correct it, or leave it out")


def notice(dependencies: Dependencies) -> Callable[[str, bool], None]:
    """Return the function that logs a reason, and counts in the environment's metrics a worker that uses boto3."""

    def write(reason: str, continues: bool) -> None:
        if continues:
            dependencies.log.warning("the lean client's first calls had to be repeated", reason=reason)
        else:
            dependencies.log.warning("boto3 makes all calls of DynamoDB", reason=reason)
            dependencies.emit({Metric.LEAN_CLIENT_UNUSED: 1})

    return write
