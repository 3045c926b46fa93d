"""The handlers of the functions, one file a machine. A handler creates the clients and calls the library.

Every function of a machine imports the machine's file, and asks it for the handler of one state. What that state
alone needs is imported and created then, still before the first invocation: no cold start pays for another state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from skipscan.aws.function import Function, Handler
    from skipscan.loop.kind import Kind
    from skipscan.loop.results import Results
    from skipscan.report.page import Report


def handlers(**states: Callable[[], Any]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a machine's file: it makes the handler of the state that Lambda asks for by name."""

    def handler_of(state: str) -> Any:
        if state not in states:
            raise AttributeError(state)
        return states[state]()

    return handler_of


def reporting(
    function: Function[Any, Any], report: Callable[[Kind[Any, Any], Results], Report] | None = None
) -> Handler:
    """Return a handler that draws the page of finished work and returns the page's address in the console of S3.

    `report`: returns what is drawn of a kind and its results; a job's by default. An error there does not fail the
    execution.
    """
    from skipscan.report.page import html_page
    from skipscan.report.work import job

    def draw(results: Results) -> str:
        return html_page((report or job)(function.kind, results), datetime.now(UTC))

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> str:
        return function.report(event, draw)

    return handler
