"""How long a command waits for a table that throttles every request."""

import time
from collections.abc import Callable

from skipscan.aws.faults import fault
from skipscan.dynamodb.page import Page
from skipscan.errors import TableError
from skipscan.inputs.quantities import duration
from skipscan.loop.run_batch import Unread
from skipscan.pace.backoff import Fault
from skipscan.scan.batch import Request

SAY_SECONDS, MOST_SECONDS = 15.0, 300.0
"""After so many seconds without a page, the command reports that the table is throttled, and gives up."""


class Patience:
    """Measures how long the table has throttled every request. `say`: hears of it after a while, once each time."""

    def __init__(self, say: Callable[[str], object] = lambda message: None) -> None:
        self._say = say
        self._since = time.monotonic()
        self._has_said = False
        self.is_over = False

    def asking(self, ask: Callable[[Request], Page | Unread[Page]]) -> Callable[[Request], Page | Unread[Page]]:
        """Return the function that asks for a page and records that it arrived."""

        def watched(request: Request) -> Page | Unread[Page]:
            page = ask(request)
            self._since, self._has_said = time.monotonic(), False
            return page

        return watched

    def fault(self, error: Exception) -> Fault:
        """Return how to treat a failed request: after `MOST_SECONDS` it is fatal."""
        found, seconds = fault(error), time.monotonic() - self._since
        if found not in {Fault.KEY_RANGE, Fault.CAPACITY}:
            return found
        if seconds >= SAY_SECONDS and not self._has_said:
            self._has_said = True
            self._say(f"throttled for {duration(seconds)}, giving up after {duration(MOST_SECONDS)}")
        self.is_over |= seconds >= MOST_SECONDS
        return Fault.FATAL if self.is_over else found


def throttled(table: str, then: str) -> TableError:
    """Return the error of a command that gave up. `then`: what to do when the table has capacity again."""
    return TableError(
        f'table "{table}" was throttled for {duration(MOST_SECONDS)} without a page: raise its capacity or wait until '
        f"other traffic ends, then {then}"
    )
