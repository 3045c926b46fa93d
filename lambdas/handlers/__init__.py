"""The handlers of the functions, one file a machine. A handler creates the clients and calls the library.

Every function of a machine imports the machine's file, and asks it for the handler of one state. What that state
alone needs is imported and created then, still before the first invocation: no cold start pays for another state.
"""

from collections.abc import Callable
from typing import Any


def handlers(**states: Callable[[], Any]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a machine's file: it makes the handler of the state that Lambda asks for by name."""

    def handler_of(state: str) -> Any:
        if state not in states:
            raise AttributeError(state)
        return states[state]()

    return handler_of


def job_report(function: Any) -> Any:
    """Report of a job: draw the page of finished work."""
    from skipscan.report.aws.reporting import reporting

    return reporting(function)
