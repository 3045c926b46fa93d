"""A check that is made again and again while something is written: the table may be deleted and created again."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TypeVar

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.table import check_tables
from skipscan.loop.work import Planned, Work
from skipscan.pace.pace import Answer

RequestT = TypeVar("RequestT")

FRESH_SECONDS = 1.0
"""One description serves the writes of so long. DynamoDB allows 2,500 requests a second to the control plane, in all of
an account (developer guide, "Best practices for managing the control plane"), so not every write can have its own. No
table can be deleted, created again and ready within a second."""

DESCRIPTIONS = 250.0
"""The most descriptions a second of all workers together: a tenth of what an account has."""


class Rechecked:
    """A check whose success holds for `fresh_seconds`, and its error for `error_seconds`.

    Safe to use from several threads.
    """

    def __init__(
        self,
        check: Callable[[], object],
        clock: Callable[[], float],
        *,
        fresh_seconds: float = FRESH_SECONDS,
        error_seconds: float = 0.0,
    ) -> None:
        self._check = check
        self._clock = clock
        self._fresh_seconds, self._error_seconds = fresh_seconds, error_seconds
        self._lock = Lock()
        self._fresh_until = clock()  # nothing is fresh: the first request is checked
        self._error: Exception | None = None

    def check(self) -> None:
        """Raise what the check raises."""
        with self._lock:  # threads that come meanwhile share the answer
            # Not `>`: the first check may come at the moment of `__init__`.
            if self._clock() >= self._fresh_until:
                self._renew()
            if self._error:
                raise self._error

    def before(self, do: Callable[[RequestT], Answer]) -> Callable[[RequestT], Answer]:
        """Return `do` with the check before each request."""

        def checked(request: RequestT) -> Answer:
            self.check()
            return do(request)

        return checked

    def _renew(self) -> None:
        # From before the check: its answer may be as old as the question.
        requested_at, self._error = self._clock(), None
        try:
            self._check()
        except Exception as error:
            self._error = error
            # From after the check: the retries of a failed one may take longer than its error is to be kept.
            self._fresh_until = self._clock() + self._error_seconds
        else:
            self._fresh_until = requested_at + self._fresh_seconds


def same_tables(client: DynamoDBClient, work: Work[Planned], clock: Callable[[], float]) -> Rechecked:
    """Return the check of a batch that the tables of its work still are those of the plan; it raises `TableError`.

    Many workers check less often. Even then a table that was created again gets no more than the first writes.
    """
    descriptions = len(work.plan.tables) * work.plan.limits.at_once
    seconds = max(FRESH_SECONDS, descriptions / DESCRIPTIONS)
    return Rechecked(partial(check_tables, client, work), clock, fresh_seconds=seconds)
