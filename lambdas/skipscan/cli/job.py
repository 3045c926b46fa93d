"""Shared by commands that start writing jobs: dry run by default, preview, start and wait."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from skipscan.cli.board import show
from skipscan.cli.ending import check_name, start_and_follow
from skipscan.cli.follow import planned
from skipscan.cli.plan_table import document_table
from skipscan.cli.say import say
from skipscan.inputs.fields import option_name
from skipscan.library.deployed import Deployed
from skipscan.library.naming import new_name
from skipscan.lines.text import TEXT


def job_document(option: str, value: str) -> Any:
    """Return the JSON of an option: a document, or @FILE for the file that contains it."""
    hint = f"'{option_name(option)}'"
    try:
        return json.loads(Path(value[1:]).read_text(encoding="utf-8") if value.startswith("@") else value)
    except OSError as error:
        raise click.BadParameter(f"{value!r} cannot be read ({error.strerror}): correct it", param_hint=hint) from None
    except (ValueError, RecursionError):
        raise click.BadParameter("not valid JSON: give a document in quotes, or @FILE", param_hint=hint) from None


WRITE = "write, add --for-real"
"""What makes a preview of a job do its work."""


def start_job(
    deployed: Deployed,
    noun: str,
    input_fields: Mapping[str, Any],
    *,
    parse: Callable[[object], object],
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    begin: str = WRITE,
) -> None:
    """Start a job and print its preview, or its name and, with --follow, its result.

    `begin`: after a preview, what makes the command do what it is for.
    """
    document = {field: value for field, value in input_fields.items() if value is not None}
    document["dry_run"] = not for_real
    if follow and not for_real:
        raise click.UsageError(f"a preview has nothing to follow: leave out --follow, or, to {begin}")
    parse(document)
    check_name(name)
    machine = deployed.machine(noun)
    name = name or f"{noun}-{new_name()}"
    if not for_real:
        execution = machine.start(name, document)
        _print_preview(planned(machine, execution).output or {}, as_json=as_json)
        if not as_json:
            say(f"preview only, nothing was written. To {begin}")
        return
    start_and_follow(deployed, noun, name, name, document, follow=follow, output=None, form=TEXT.name, as_json=as_json)


def _print_preview(document: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        show(document_table(document))
