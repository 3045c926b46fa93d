"""How long a command waits for a table that refuses every page."""

import time
from collections.abc import Callable

import click

from skipscan.aws.faults import fault
from skipscan.dynamodb.page import Page
from skipscan.pace.backoff import Fault
from skipscan.scan.batch import Request

SAY_SECONDS, MOST_SECONDS = 15.0, 300.0
"""Without a page because the table is throttled: when the command says so, and when it gives up."""


class Patience:
    """Counts how long the table has refused every page."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._has_said = False
        self.is_over = False

    def scanning(self, scan: Callable[[Request], Page]) -> Callable[[Request], Page]:
        """Return the function that scans, and notices that a page came."""

        def watched(request: Request) -> Page:
            page = scan(request)
            self._since, self._has_said = time.monotonic(), False
            return page

        return watched

    def fault(self, error: Exception) -> Fault:
        """Return what a failed request says about the next one: after `MOST_SECONDS` there is none."""
        found, seconds = fault(error), time.monotonic() - self._since
        if found not in {Fault.KEY_RANGE, Fault.CAPACITY}:
            return found
        if seconds >= SAY_SECONDS and not self._has_said:
            self._has_said = True
            click.echo(f"skipscan: throttled for {seconds:.0f} s, and waiting for up to {MOST_SECONDS:.0f} s", err=True)
        self.is_over |= seconds >= MOST_SECONDS
        return Fault.FATAL if self.is_over else found
