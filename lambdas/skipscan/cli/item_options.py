"""The options that all jobs over a table's items have."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def item_options(command: Command) -> Command:
    """Return the command with --segments, --no-verify, and the rate and budget of reads."""
    for option in (
        click.option("--max-read-units", type=float, help="The job's budget of reads."),
        click.option("--max-read-units-per-second", type=float, help="The rate of reads of all workers together."),
        click.option(
            "--no-verify",
            "verify",
            is_flag=True,
            callback=lambda _context, _option, value: False if value else None,
            help="Leave out the look at all items that ends the job.",
        ),
        click.option("--segments", type=int, help="Parallel segments; chosen by what the table holds if left out."),
    ):
        command = option(command)
    return command
