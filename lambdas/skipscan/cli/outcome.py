"""An execution that is waited for, and how it ended."""

from contextlib import nullcontext
from time import monotonic, sleep

import click
from rich.console import Console

from skipscan import errors
from skipscan.aws.executions import Executions
from skipscan.loop.status import Execution

RUN_FAILED = 3
LOOK_SECONDS, LONGEST_SECONDS = 1.0, 10.0

QUOTED = {error.__name__ for error in errors.SkipscanError.__subclasses__()}
"""Errors whose causes hold no key values; those of others may quote what a state held."""


def planned(executions: Executions, execution: Execution) -> Execution:
    """Return the execution of a dry run when it has ended; a terminal shows that it is waited for.

    Ends the command with its status and a message unless it ended well.
    """
    return _ended(executions, execution, "planning: a sample is read", "there is no plan")


def _ended(executions: Executions, execution: Execution, meanwhile: str, otherwise: str) -> Execution:
    console, begun = Console(stderr=True), monotonic()
    with console.status(meanwhile) if console.is_terminal else nullcontext():
        while (execution := executions.at(execution.arn) or execution).is_running:
            sleep(min(LONGEST_SECONDS, max(LOOK_SECONDS, (monotonic() - begun) / 60)))
    if execution.output is None:
        click.echo(f"skipscan: {otherwise}; {why(execution)}", err=True)
        raise click.exceptions.Exit(RUN_FAILED)
    return execution


def why(execution: Execution | None) -> str:
    """Return why an execution ended, with its cause if that holds no key values."""
    if execution is None:
        return "nothing works on it"
    if execution.error:
        return f"{execution.error}: {execution.cause}" if execution.error in QUOTED else execution.error
    return f"its execution is {execution.status}"
