"""A run followed to its end."""

import json
from datetime import UTC, datetime
from time import monotonic, sleep

import click
from rich.console import Console
from rich.live import Live

from skipscan.aws.watch import Watch
from skipscan.cli.board import board, line
from skipscan.cli.outcome import RUN_FAILED, why
from skipscan.loop.status import Standing, State

INTERRUPTED = 130
SHORTEST_SECONDS, LONGEST_SECONDS = 1.0, 10.0
"""Between two looks: more as a run grows older, since a look at S3 costs as much as ten read units."""


PLAN_LOOKS, PLAN_SECONDS = 10, 0.5
"""How often a run that is not followed is looked at, and how far apart: a refusal mostly comes within that time."""


def started(watch: Watch) -> Standing:
    """Return how a run stands when Plan is done with it, or after five seconds: a sample may take minutes."""
    standing = watch.look()
    for _ in range(PLAN_LOOKS):
        if standing.state is not State.STARTING:
            break
        sleep(PLAN_SECONDS)
        standing = watch.look()
    return standing


def follow(watch: Watch, *, as_json: bool, env: str) -> Standing:
    """Return how the run stands at its end, and show it on the way there: drawn, in lines, or as JSON lines on stdout.

    Ctrl-C ends the command alone: the run goes on.
    """
    console = Console(stderr=True, highlight=False)
    standing, since = watch.look(), None
    if standing.execution and standing.execution.name != standing.name:
        since = standing  # what was found before the run was resumed took no time now
    begun = monotonic()
    is_drawn = console.is_terminal and not as_json
    live = Live(get_renderable=lambda: board(standing, since, datetime.now(UTC)), console=console, transient=True)
    try:
        if is_drawn:
            live.start()
        told = None
        while True:
            news = (standing.state, standing.counts, standing.segments_left)
            if news != told and as_json:
                click.echo(json.dumps(standing.to_json(since)))
            elif news != told and not is_drawn:
                click.echo(line(standing, since, datetime.now(UTC)), err=True)
            told = news
            if not standing.state.goes_on:
                return standing
            sleep(min(LONGEST_SECONDS, max(SHORTEST_SECONDS, (monotonic() - begun) / 60)))
            standing = watch.look()
    except KeyboardInterrupt:
        live.stop()
        if is_drawn:
            click.echo(line(standing, since, datetime.now(UTC)), err=True)
        come_back = f"{standing.table} {standing.name} --env {env}"
        click.echo(
            f"skipscan: the run goes on. Come back to it: skipscan status {come_back} --follow\n"
            f"skipscan: or stop it: skipscan stop {come_back}",
            err=True,
        )
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        live.stop()


def check_finished(standing: Standing, env: str) -> None:
    """End the command with its status and a message unless the run is finished."""
    if standing.state is State.FINISHED:
        return
    click.echo(f"skipscan: the run is {standing.state}; {why(standing.execution)}", err=True)
    if standing.state is not State.REFUSED:
        click.echo(f"skipscan: go on with it: skipscan resume {standing.table} {standing.name} --env {env}", err=True)
    raise click.exceptions.Exit(RUN_FAILED)
