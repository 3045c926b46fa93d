"""Shared by commands that start work: rates and budgets, and following the work to its end."""

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from skipscan.cli.board import board
from skipscan.cli.download import fetch, note_absent
from skipscan.cli.follow import check_ended, ended, started, why
from skipscan.cli.follow import follow as follow_run
from skipscan.cli.say import say
from skipscan.cli.waiting import waiting
from skipscan.environment.status import Status
from skipscan.environment.watch import Watch
from skipscan.errors import InputError
from skipscan.inputs.names import is_run_name, quoted
from skipscan.library.deployed import Deployed


def check_name(name: str | None) -> None:
    """Raise `InputError` for an invalid name of a run or job."""
    if name is not None and not is_run_name(name):
        raise InputError(f"name is {quoted(name)}; it must be 1 to 80 letters, digits, - _ . + = or @: correct it")


def end(deployed: Deployed, watch: Watch, *, output: Path | None, form: str, as_json: bool) -> None:
    """Follow a run to its end, report how it ended, and write its keys if requested."""
    status = follow_run(watch, watch.look(), as_json=as_json, env=deployed.env)
    if not as_json and sys.stderr.isatty():
        Console(stderr=True, highlight=False).print(board(status, None, datetime.now(UTC)), crop=False)
    check_ended(status, deployed)
    if not as_json:
        _say_compared(deployed, status)
    if output is not None and status.manifest and status.kind.lists_keys:
        fetch(deployed.storage, status.manifest, output, form)
        if not as_json:
            say(f"{status.settled:,} {status.followed_nouns} in {output}")
    elif status.manifest and status.kind.lists_keys and not as_json:
        note_absent(deployed.storage, status.manifest)


def _say_compared(deployed: Deployed, status: Status) -> None:
    """Print the comparison that a run's input asked for: it begins after the manifest."""
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
    noun: str,
    execution_name: str,
    name: str,
    document: Mapping[str, Any],
    *,
    follow: bool,
    output: Path | None,
    form: str,
    as_json: bool,
) -> None:
    """Start an execution and print the work's name; wait for its end if requested, else for its plan."""
    with waiting("starting"):
        deployed.archive(noun).results(name)  # refuse an invalid name before anything starts
        execution = deployed.machine(noun).start(execution_name, document)
        watch = deployed.started(noun, name, execution)
    if not as_json:
        click.echo(name)
    if follow or output:
        end(deployed, watch, output=output, form=form, as_json=as_json)
        return
    with waiting("waiting for the plan"):
        status = started(watch)
    if as_json:
        click.echo(json.dumps(status.to_json(), indent=2))
    check_ended(status, deployed)
