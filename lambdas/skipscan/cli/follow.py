"""Start work and follow it to its end, or wait for an execution, and report how it ended."""

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.live import Live

from skipscan import errors
from skipscan.cli.advice import as_options, option_name
from skipscan.cli.board import board, status_line
from skipscan.cli.commands import KIND_LABELS, option_names
from skipscan.cli.key_files import fetch, note_absent
from skipscan.cli.output import print_json
from skipscan.cli.say import INTERRUPTED, RUN_FAILED, can_redraw, say, waiting
from skipscan.cli.work_options import of_kind
from skipscan.environment.execution import Execution, ending
from skipscan.environment.executions import Executions
from skipscan.environment.status import State, Status
from skipscan.environment.watch import Watch, seconds_to_next_look
from skipscan.errors import read_on
from skipscan.library.deployed import Deployed
from skipscan.loop.kind import Failure
from skipscan.stored.figures import line


def planned(deployed: Deployed, label: str, name: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the output of a dry run, with a sign of waiting on a terminal; end the command if it fails."""
    executions = deployed.machine(label)
    execution = ended(executions, deployed.start(label, name, document), "planning: reading a sample")
    if execution.status != "SUCCEEDED":
        say(f"no plan; {why(execution, executions)}")
        _say_meant(deployed, execution)
        raise click.exceptions.Exit(RUN_FAILED)
    return execution.output or {}


def _say_meant(deployed: Deployed, execution: Execution | None) -> None:
    """Print what a person may have meant, where there is no table of the name that was given."""
    is_about_table = execution is not None and execution.error == errors.TableError.__name__
    if is_about_table and (way := deployed.meant()):
        say(way)


def ended(executions: Executions, execution: Execution, meanwhile: str) -> Execution:
    """Return an execution when it has ended. `meanwhile`: what a terminal shows until then."""
    start = monotonic()
    with waiting(meanwhile):
        while (execution := executions.at(execution.arn) or execution).is_running:
            sleep(seconds_to_next_look(monotonic() - start))
    return execution


def why(execution: Execution | None, executions: Executions, failures: Sequence[Failure] = ()) -> str:
    """Return why an execution ended, with its cause only if the cause contains no key values.

    The command says itself how work goes on whose budget is used up. `failures`: of its workers, the newest first.
    """
    if execution is None or (error := executions.error(execution)) is None:
        return ending(execution, failures)
    text = error.fact if isinstance(error, errors.BudgetError) else error.text
    said = as_options(text, option_names(*KIND_LABELS))
    return f"{execution.error}: {read_on(said, error.page) if error.page else said}"


PLAN_LOOKS, PLAN_SECONDS = 10, 0.5
"""Number and distance of looks at a run that is not followed: most refusals come within that time."""


def started(watch: Watch) -> Status:
    """Return the status after Plan, or after five seconds: a sample may take minutes."""
    status = watch.look()
    for _ in range(PLAN_LOOKS):
        if status.state is not State.STARTING:
            break
        sleep(PLAN_SECONDS)
        status = watch.look()
    return status


def follow_work(watch: Watch, status: Status, *, as_json: bool, env: str) -> Status:
    """Return the final status, and show progress until then: drawn, as lines, or as JSON lines on stdout.

    `status`: the current one.

    Ctrl-C ends only the command; the run continues.
    """
    console = Console(stderr=True, highlight=False)
    is_resumed = status.execution and status.execution.name != status.name
    since = status if is_resumed else None  # keys from before the resume do not count in the rate
    start = monotonic()
    is_drawn = can_redraw() and not as_json

    def drawn() -> RenderableType:
        return board(status, since, datetime.now(UTC), moving=True)

    live = Live(get_renderable=drawn, console=console, transient=True)
    try:
        if is_drawn:
            live.start()
        printed = None
        while True:
            news = (status.state, vars(status.counts), status.moment and status.moment.left)
            if news != printed and as_json:
                print_json(status.to_json(since), indent=None)
            elif news != printed and not is_drawn:
                if printed is None or printed[0] is State.STARTING:
                    _warn(status)
                click.echo(status_line(status, since, datetime.now(UTC)), err=True)
            printed = news
            if not status.state.is_under_way:
                return status
            sleep(seconds_to_next_look(monotonic() - start))
            status = watch.look()
    except KeyboardInterrupt:
        live.stop()
        if is_drawn:
            click.echo(status_line(status, since, datetime.now(UTC)), err=True)
        come_back = f"{status.table} {status.name}{of_kind(status.kind.label)} --env {env}"
        click.echo(
            f"skipscan: the {status.kind.label} continues. Follow it: skipscan status {come_back} --follow\n"
            f"skipscan: stop it: skipscan stop {come_back}",
            err=True,
        )
        raise click.exceptions.Exit(INTERRUPTED) from None
    finally:
        live.stop()


def check_ended(status: Status, deployed: Deployed) -> None:
    """End the command with status and cause if the work was refused, failed, or was stopped."""
    if not status.has_failed:
        return
    executions = deployed.machine(status.kind.label)
    say(f"the {status.kind.label} is {status.state}; {why(status.execution, executions, status.failures)}")
    _say_meant(deployed, status.execution)
    is_lost = bool(status.execution and status.execution.error == errors.TableError.__name__)
    if status.state is not State.REFUSED and not status.is_dry_run and not is_lost:
        command = f"skipscan resume {status.table} {status.name}{of_kind(status.kind.label)} --env {deployed.env}"
        bounds = [option_name(bound) for bound in status.used_up]
        larger = f" with a larger {' or '.join(bounds)}" if bounds else ""
        say(f"resume it{larger}: {command}{''.join(f' {bound} ...' for bound in bounds)}")
    raise click.exceptions.Exit(RUN_FAILED)


def _say_compared(deployed: Deployed, status: Status) -> None:
    """Print the comparison that a run's input requests. It begins after the manifest."""
    execution = status.execution
    earlier = execution.document.get("compare") if execution else None
    if execution is None or earlier is None or status.manifest is None:
        return
    machine = deployed.machine("run")
    execution = ended(machine, execution, "comparing with an earlier run")
    if (said := execution.compared) is None:
        say(f"not compared: {why(execution, machine)}")
        return
    names = "" if earlier == "previous" else f"{earlier} {status.name} "
    command = f"skipscan diff {deployed.table} {names}--env {deployed.env}"
    prints = f": `{command}` prints them" if execution.has_changed else ""
    say(f"{said}{prints}")


def start_and_follow(
    deployed: Deployed,
    label: str,
    name: str,
    document: Mapping[str, Any],
    *,
    follow: bool,
    as_json: bool,
    output: Path | None = None,
    form: str | None = None,
) -> None:
    """Start an execution and print the name of its work; wait for its end if requested, else for its plan.

    `output`: the file that gets the keys of a run at its end, in this format.
    """
    with waiting("starting"):
        execution = deployed.start(label, name, document)
        watch = deployed.started(label, execution)
    if not as_json:
        click.echo(execution.work)
    if not follow and output is None:
        with waiting("waiting for the plan"):
            status = started(watch)
        if as_json:
            print_json(status.to_json())
        else:
            _warn(status)
        check_ended(status, deployed)
        return
    status = follow_work(watch, watch.look(), as_json=as_json, env=deployed.env)
    if not as_json and sys.stderr.isatty():
        Console(stderr=True, highlight=False).print(board(status, None, datetime.now(UTC)), crop=False)
    check_ended(status, deployed)
    if not as_json:
        _say_compared(deployed, status)
    if status.manifest is None or not status.kind.lists_keys:
        return
    if output is not None:
        try:
            fetch(deployed.storage, status.manifest, output, form)
        except OSError as error:
            command = f"skipscan download {deployed.table} {status.name} --env {deployed.env} --output FILE"
            said = f"{error.strerror or error}; the run is finished, and {command} writes its keys"
            raise OSError(error.errno, said, error.filename) from error
        if not as_json:
            say(f"{line(status.figures(), 'count')[0]} in {output}")
    elif not as_json:
        note_absent(deployed.storage, status.manifest)


def _warn(status: Status) -> None:
    for warning in status.warnings:
        click.echo(f"! {warning}", err=True)
