"""Detects an answer that came before over the same connection.

A device between client and service that repeats an answer some milliseconds late shifts all later answers of its
connection by one: each request gets the answer of the request before it.

Every answer of DynamoDB has a request id of its own (developer guide, "Error handling with DynamoDB", names it for
each request). So an id that recurs on a connection shows the shift at its first answer, before any wrong one is used.
An engine that has no such ids, or a constant one, is not checked.
"""

from collections import deque
from typing import Any

from botocore.awsrequest import (
    AWSHTTPConnection,
    AWSHTTPConnectionPool,
    AWSHTTPSConnection,
    AWSHTTPSConnectionPool,
)
from urllib3.exceptions import ProtocolError

REPEATED = "an answer came twice over one connection"
HEADER = "x-amzn-requestid"

KEPT = 64
"""The ids kept of a connection: a repeat comes some milliseconds late, and not a minute."""

LEAST_CHARACTERS = 32
"""Shorter ids may be counters or constants of another engine: those of AWS have 36 or 52 characters."""


class Answered:
    """The ids of a connection's last answers."""

    def __init__(self) -> None:
        self._ids: deque[str] = deque(maxlen=KEPT)

    def is_repeat(self, request_id: str | None) -> bool:
        """Record an answer's id; return whether an earlier answer had it."""
        if request_id is None or len(request_id) < LEAST_CHARACTERS:
            return False
        if request_id in self._ids:
            return True
        self._ids.append(request_id)
        return False


class _Watched:
    """A connection of boto3 that closes itself at a repeated answer."""

    def getresponse(self) -> Any:
        self._answered = vars(self).get("_answered") or Answered()
        response: Any = super().getresponse()  # type: ignore[misc]
        if self._answered.is_repeat(response.headers.get(HEADER)):
            self.close()  # type: ignore[attr-defined]
            raise ProtocolError(REPEATED)  # botocore makes ConnectionClosedError of it
        return response


class _Connection(_Watched, AWSHTTPConnection):  # type: ignore[misc]
    pass


class _SecureConnection(_Watched, AWSHTTPSConnection):  # type: ignore[misc]
    pass


class _Pool(AWSHTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(AWSHTTPSConnectionPool):
    ConnectionCls = _SecureConnection


def watch(client: Any) -> None:
    """Let a boto3 client raise `ConnectionClosedError` for a repeated answer, and close its connection.

    botocore has no public place for this, and Lambda's runtime updates botocore by itself. A version without this place
    is left as it is; a test fails with such a version.
    """
    session = getattr(getattr(client, "_endpoint", None), "http_session", None)
    pools = getattr(session, "_pool_classes_by_scheme", None)
    if isinstance(pools, dict):
        pools.update(http=_Pool, https=_SecurePool)
