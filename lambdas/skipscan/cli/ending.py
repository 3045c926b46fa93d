"""What `run` and `resume` share: the bounds of a run, and what happens until its end."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from skipscan.aws.watch import Watch
from skipscan.cli.board import board
from skipscan.cli.deployed import Deployed, json_option
from skipscan.cli.fetch import fetch
from skipscan.cli.follow import check_finished
from skipscan.cli.follow import follow as follow_run
from skipscan.cli.output import FILE, in_a_folder

Command = TypeVar("Command", bound=Callable[..., Any])


def bound_options(command: Command) -> Command:
    """Return the command with the rate and the budget of a run."""
    for option in (
        click.option("--max-dollars", type=float, help="The same budget in dollars of read units."),
        click.option("--max-read-units", type=float, help="The run's budget: it stops cleanly and can be resumed."),
        click.option("--max-read-units-per-second", type=float, help="The rate of all workers together."),
    ):
        command = option(command)
    return command


def ending_options(command: Command) -> Command:
    """Return the command with --follow, --output and --json."""
    for option in (
        json_option,
        click.option(
            "--output", type=FILE, callback=in_a_folder, help="Follow the run, and write its keys here when it is done."
        ),
        click.option("--follow", is_flag=True, help="Show how the run goes, until it is done."),
    ):
        command = option(command)
    return command


def end(deployed: Deployed, watch: Watch, *, output: Path | None, form: str, as_json: bool) -> None:
    """Follow a run to its end, say how it ended, and fetch its keys if asked to."""
    standing = follow_run(watch, as_json=as_json, env=deployed.env)
    if not as_json and sys.stderr.isatty():
        Console(stderr=True, highlight=False).print(board(standing, None, datetime.now(UTC)))
    check_finished(standing, deployed.env)
    if output is not None and standing.manifest:
        fetch(deployed, standing.manifest, output, form)
        if not as_json:
            click.echo(f"skipscan: {standing.counts.keys:,} keys in {output}", err=True)
