"""What to list and how: the argument and options that every command about listing keys has."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from skipscan.scan.plan import Optimize, Strategy

Command = TypeVar("Command", bound=Callable[..., Any])


def listing_options(command: Command) -> Command:
    """Return the command with TABLE, --index, --segments, --strategy, --optimize and --consistent-read."""
    for parameter in (
        click.option("--consistent-read", is_flag=True, help="Strongly consistent reads, at twice the read units."),
        click.option(
            "--optimize",
            type=click.Choice([choice.value for choice in Optimize]),
            default="balanced",
            show_default=True,
            help="What a page's length is chosen for.",
        ),
        click.option(
            "--strategy",
            type=click.Choice([choice.value for choice in Strategy]),
            default="auto",
            show_default=True,
            help="How item collections are passed over; auto takes what suits.",
        ),
        click.option("--segments", type=int, help="Parallel segments; chosen by what the table holds if left out."),
        click.option("--index", help="List the partition keys of this index instead."),
        click.argument("table_name", metavar="TABLE"),
    ):
        command = parameter(command)
    return command
