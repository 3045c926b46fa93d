"""How long a command from this machine waits for a table that throttles every request, and for one that is missing."""

import random
import time
from collections.abc import Callable
from functools import partial

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from skipscan.inputs.names import similar
from skipscan.inputs.quantities import duration
from skipscan.loop.run_batch import Unread
from skipscan.pace.pace import MAY_PASS, THROTTLED, Answer, Fault, jittered, retrying
from skipscan.scan.batch import Request

SAY_SECONDS, MOST_SECONDS = 15.0, 300.0
"""Seconds without a page, after which the command reports that the table is throttled, and after which it gives up."""


RETRIES = 5
"""Of a request before the first page: two seconds, because nothing is lost, and an address may be wrong."""


def retried(request: Callable[[], Answer]) -> Answer:
    """Return the answer to a request that is no page; repeat it after errors that pass."""
    waits = jittered(RETRIES, random.random)
    return retrying(request, waits, passes=lambda error: fault(error) in MAY_PASS, sleep=time.sleep)


def describe_patiently(client: DynamoDBClient, table_name: str) -> TableDescription:
    """Return the description of a table, as `table.describe` does."""
    return retried(partial(table.describe, client, table_name, partial(near_table, client, table_name)))


def near_table(client: DynamoDBClient, table_name: str) -> str | None:
    """Return the most similar name of the first hundred tables, if there is one and the credentials may list them."""
    try:
        names = client.list_tables()["TableNames"]
    except (BotoCoreError, ClientError):
        return None
    return next(iter(similar(table_name, names)), None)


class Patience:
    """Measures how long the table has throttled every request. `say`: gets the notice, once each time."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._since = time.monotonic()
        self._has_said = False
        self.is_over = False

    def asking(self, ask: Callable[[Request], Page | Unread]) -> Callable[[Request], Page | Unread]:
        """Return the function that asks for a page and records that it arrived."""

        def watched(request: Request) -> Page | Unread:
            page = ask(request)
            self._since, self._has_said = time.monotonic(), False
            return page

        return watched

    def fault(self, error: Exception) -> Fault:
        """Return how to treat a failed request: after `MOST_SECONDS` it is fatal."""
        found, seconds = fault(error), time.monotonic() - self._since
        if found not in THROTTLED:
            return found
        if seconds >= SAY_SECONDS and not self._has_said:
            self._has_said = True
            self._say(f"throttled for {duration(seconds)}, giving up after {duration(MOST_SECONDS)}")
        self.is_over |= seconds >= MOST_SECONDS
        return Fault.FATAL if self.is_over else found


def throttled(table: str, then: str) -> TableError:
    """Return the error of a command that gave up. `then`: what to do when the table has capacity again."""
    return TableError(
        f'table "{table}"',
        rule=f"was throttled for {duration(MOST_SECONDS)} without a page",
        remedy=f"raise its capacity or wait until other traffic ends, then {then}",
    )
