"""Check with the first calls of a worker that the lean client does the same as boto3."""

import json
import os
from collections.abc import Callable, Mapping
from math import inf
from threading import Lock, local
from typing import Any

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError, SSLError
from botocore.parsers import ResponseParserError
from botocore.utils import get_environ_proxies

from skipscan.aws.answer import TRIAL_UNITS
from skipscan.aws.faults import fault
from skipscan.aws.lean.request import READS, Call, Raw, Route, body, understood
from skipscan.pace.pace import THROTTLED

COMPARED = ("Items", "Item", "Attributes", "LastEvaluatedKey", "Count", "ScannedCount")
NOT_SENT = (ConnectTimeoutError, EndpointConnectionError, SSLError)
FAILURES = 3
"""The number of failed first calls after which boto3 makes all calls. A connection can also be lost by chance."""

CHEAP_UNITS = 1.0
"""A page of at most this many read units is read again whole; of a larger page only the first item, with Limit=1."""

WAIT_SECONDS = 60.0
"""Seconds that a thread waits for another thread's trial; then boto3 makes its call. So long, because the pages that
threads hold meanwhile are bounded only for this client, and a trial with large pages takes seconds."""


class Trial:
    """Makes first calls, and learns from them the `routes` of operations and tables that can be called without boto3.

    boto3 prepares a first call, `exchange` sends it, and both clients read the answer. boto3 repeats the very first
    read; the answer then has the units of both. `notify` is called with a reason and whether this client continues:
    `False`, once, if boto3 makes all calls; `True` if a first call failed, or if the table explains a difference.
    `needs_read`: no read has been compared yet, so boto3 makes the writes.
    """

    def __init__(
        self,
        client: Any,
        session: boto3.Session,
        exchange: Callable[[Route, Call], Raw],
        notify: Callable[[str, bool], object],
    ) -> None:
        self._client, self._session, self._exchange, self._notify = client, session, exchange, notify
        self._credentials: Any = session.get_credentials()
        self.routes: dict[tuple[str, str], Route] = {}
        self._is_over, self.needs_read, self._failures = False, True, 0
        self._lock, self._thread = Lock(), local()
        # An answer of this handler is used as if botocore had sent the request (botocore/endpoint.py, "before-send").
        client.meta.events.register_first("before-send.dynamodb", self._before_send)

    def first(self, call: Call) -> Any:
        """Return the answer, or `None` if another thread has just learnt the route; raises boto3's exceptions."""
        # A write cannot be repeated to compare it, so the first call must be a read.
        is_early = self.needs_read and call.operation not in READS
        if self._is_over or is_early or not self._lock.acquire(timeout=WAIT_SECONDS):
            return self.boto3(call)
        try:
            if call.way in self.routes:
                return None
            return self.boto3(call) if self._is_over else self._try(call)
        finally:
            self._lock.release()

    def boto3(self, call: Call, send: Callable[[AWSPreparedRequest], Raw | None] | None = None) -> Any:
        """Return boto3's answer to a call. `send`: sends the request instead of boto3, unless it returns `None`."""
        self._thread.send = send
        try:
            return getattr(self._client, call.name)(**call.parameters)
        finally:
            self._thread.send = None

    def leave(self, call: Call, error: NotImplementedError) -> Any:
        """Leave all calls to boto3 after an answer that only boto3 can read: a read at once.

        A write may have been done, so it is not sent again: raises `ResponseParserError`.
        """
        self.give_up(str(error))
        if call.operation in READS:
            return self.boto3(call)
        raise ResponseParserError(str(error)) from None

    def give_up(self, reason: str) -> None:
        """Let boto3 make all calls from now on."""
        self.needs_read, self.routes = False, {}
        if not self._is_over:
            self._is_over = True
            self._notify(reason, False)

    def _before_send(self, *, request: AWSPreparedRequest, **_event: object) -> AWSResponse | None:
        send = getattr(self._thread, "send", None)
        raw = send(request) if send else None
        return raw.for_boto3(request.url) if raw else None

    def _try(self, call: Call) -> Any:
        got: list[tuple[Route, Raw]] = []

        def send(prepared: AWSPreparedRequest) -> Raw | None:
            try:
                route = self._learn(prepared, call)
            except ValueError as error:
                self.give_up(str(error))
                return None
            got.append((route, self._exchange(route, call)))
            return got[0][1]

        is_first_read = call.operation in READS and self.needs_read
        try:
            answer = self.boto3(call, send)
            ours = understood(got[0][1], call) if got else None
        except NotImplementedError as error:
            return self.leave(call, error)
        except Exception as error:
            if fault(error) in THROTTLED:
                raise
            if is_first_read or isinstance(error, NOT_SENT):
                answer = self.boto3(call)
                self._fail(f"{_name(error)}, but boto3 got an answer")
                return answer
            if isinstance(error, ClientError) and got:
                self.routes[call.way] = got[0][0]
            else:
                self._fail(_name(error))
            raise
        if ours is None:
            return answer
        if not _same(ours, answer):
            self.give_up("boto3 reads the same answer differently")
        elif is_first_read:
            return self._compare(call, ours, got[0][0])
        else:
            self.routes[call.way] = got[0][0]
        return answer

    def _compare(self, call: Call, ours: dict[str, Any], route: Route) -> Any:
        """Compare an answer with boto3's own. After a difference boto3's counts, and both read in turns once more.

        So a table that has changed between two reads is told from clients that differ.
        """
        is_whole = "Items" not in ours or _units(ours) <= CHEAP_UNITS
        again = call if is_whole else Call(call.name, {**call.parameters, "Limit": 1})
        read, is_same = [ours], False
        try:
            for send in (None, lambda _prepared: self._exchange(route, again), None):
                read.append(self.boto3(again, send))
                is_same = _same(*read[-2:]) if is_whole else read[-2]["Items"][:1] == read[-1]["Items"]
                if is_same:
                    break
        except Exception as error:
            if len(read) == 1:  # our answer is as good; the next read is a trial again
                if fault(error) not in THROTTLED:
                    self._fail(f"boto3 got no answer: {_name(error)}")
                return ours
        if not is_same:
            self.give_up("boto3 got a different answer")
        else:
            self.needs_read, self.routes[call.way] = False, route
            if len(read) > 2:
                self._notify("first answers differed, and then agreed: the table had changed", True)
        answer = ours if is_same and len(read) == 2 else read[1::2][-1]  # boto3's own are the second and the fourth
        if "ConsumedCapacity" in answer:
            consumed, own = answer["ConsumedCapacity"], _units(answer)
            consumed["CapacityUnits"] = sum(_units(one) for one in read if "ConsumedCapacity" in one)
            consumed[TRIAL_UNITS] = consumed["CapacityUnits"] - own
        return answer

    def _learn(self, prepared: AWSPreparedRequest, call: Call) -> Route:
        """Return the route of a request that boto3 prepared; raise `ValueError` if it differs from ours."""
        route = Route(prepared)
        config = self._client.meta.config
        if (config.proxies or get_environ_proxies(route.url)).get(route.scheme):
            raise ValueError("a proxy is configured")
        # As botocore finds it; boto3 has no public name for its session.
        bundle = self._session._session.get_config_variable("ca_bundle") or os.environ.get("REQUESTS_CA_BUNDLE")
        if route.is_secure and (bundle or config.client_cert):
            raise ValueError("certificates are configured")
        if json.loads(route.body) != json.loads(body(call.parameters)):
            raise ValueError("boto3 sends a different body")
        if not route.is_signed_by(self._credentials.get_frozen_credentials()):
            raise ValueError("boto3 signs differently")
        return route

    def _fail(self, reason: str) -> None:
        self._failures += 1
        if self._failures == FAILURES:
            self.give_up(reason)
        else:
            self._notify(reason, True)


def _units(answer: Mapping[str, Any]) -> float:
    units: float = answer.get("ConsumedCapacity", {}).get("CapacityUnits", inf)
    return units


def _name(error: Exception) -> str:
    if isinstance(error, ClientError):
        return str(error.response["Error"].get("Code"))
    return type(error).__name__


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return _units(one) == _units(other) and all(one.get(name) == other.get(name) for name in COMPARED)
