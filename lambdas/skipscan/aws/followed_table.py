"""A check before each write of a follower: its records may be of a table that was deleted and created again since.

In a table that was created again, items are missing that nobody deleted.
"""

import time
from collections.abc import Callable
from threading import Lock

from skipscan.aws import table
from skipscan.aws.services import DynamoDBClient
from skipscan.stream.followed import check_followed

FRESH_SECONDS = 1.0
"""One description serves the writes of so long. DynamoDB allows 2,500 requests a second to the control plane, in all of
an account (developer guide, "Best practices for managing the control plane"), so not every write can have its own. No
table can be deleted, created again and ready within a second."""


class FollowedTable:
    """The table whose stream a function follows. Safe to use from several threads. Make one for each invocation."""

    def __init__(
        self, client: DynamoDBClient, name: str, stream: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._name = name
        self._stream = stream
        self._clock = clock
        self._lock = Lock()
        self._fresh_until = clock()
        self._error: Exception | None = None

    def check(self) -> None:
        """Raise `TableError` unless the table is the followed one, and what AWS raises if it cannot be described."""
        with self._lock:  # threads that come meanwhile share the answer
            if self._clock() >= self._fresh_until:
                self._describe()
            if self._error:
                raise self._error

    def _describe(self) -> None:
        asked_at, self._error = self._clock(), None
        try:
            check_followed(table.describe(self._client, self._name), self._stream)
        except Exception as error:
            # Kept, so that other threads do not wait for the retries of another request.
            self._error, asked_at = error, self._clock()
        self._fresh_until = asked_at + FRESH_SECONDS
