"""The commands that start writing jobs, `act`, `retrofit` and `copy`: dry run by default, preview, start and wait."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from skipscan.act.input import ACTIONS, parse_action
from skipscan.act.plan import DoneAct
from skipscan.cli.board import show
from skipscan.cli.cut_over import cut_over
from skipscan.cli.follow import check_name, planned, start_and_follow
from skipscan.cli.output import print_json
from skipscan.cli.preview import job_preview
from skipscan.cli.say import say
from skipscan.copy.input import parse_copy
from skipscan.environment import KINDS
from skipscan.errors import InputError, NotFoundError
from skipscan.inputs.fields import option_name
from skipscan.library.deployed import Deployed, new_name
from skipscan.lines.formats import TEXT


def job_document(option: str, value: str) -> Any:
    """Return the JSON of an option: a document, or @FILE for the file that contains it."""
    hint, is_file = f"'{option_name(option)}'", value.startswith("@")
    way = "correct the file" if is_file else "give a document in quotes, or @FILE"
    try:
        # As bytes, because json finds out the encoding: PowerShell writes UTF-16, and a byte order mark before UTF-8.
        return json.loads(Path(value[1:]).read_bytes() if is_file else value)
    except OSError as error:
        raise click.BadParameter(f"{value!r} cannot be read ({error.strerror}): correct it", param_hint=hint) from None
    except json.JSONDecodeError as error:
        raise click.BadParameter(f"not valid JSON; {error}: {way}", param_hint=hint) from None
    except (ValueError, RecursionError):
        raise click.BadParameter(f"not valid JSON: {way}", param_hint=hint) from None


WRITE = "write, add --for-real"
"""What makes a preview of a job do its work."""


def preview_or_start(
    noun: str,
    *,
    table_name: str,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
    begin: str = WRITE,
    **input_fields: Any,
) -> None:
    """Carry out the command of a kind of work that writes. `input_fields`: all but the table.

    `begin`: after a preview, what makes the command do what it is for.
    """
    deployed, document = Deployed.of(env, table_name, region, aws_profile), {"table": table_name, **input_fields}
    start_job(deployed, noun, document, for_real=for_real, name=name, follow=follow, as_json=as_json, begin=begin)


def start_job(
    deployed: Deployed,
    noun: str,
    input_fields: Mapping[str, Any],
    *,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    begin: str = WRITE,
) -> None:
    """Start a job and print its preview, or its name and, with --follow, its result."""
    document = {field: value for field, value in input_fields.items() if value is not None}
    document["dry_run"] = not for_real
    if follow and not for_real:
        way = f"leave out --follow, or, to {begin}"
        raise InputError("a preview", rule="has nothing to follow", remedy=way)
    KINDS[noun].parse(document)
    check_name(name)
    machine = deployed.machine(noun)
    name = name or f"{noun}-{new_name()}"
    if not for_real:
        execution = machine.start(name, document)
        explanation = planned(machine, execution).output or {}
        if as_json:
            print_json(explanation)
        else:
            show(job_preview(noun, {**document, **explanation}))
            say(f"preview only, nothing was written. To {begin}")
        return
    start_and_follow(deployed, noun, name, name, document, follow=follow, output=None, form=TEXT.name, as_json=as_json)


def act(
    *,
    table_name: str,
    run: str | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
    **fields: Any,
) -> None:
    """Carry out `skipscan act`."""
    for option, action in ACTIONS.items():
        if fields[option] is not None and action.metavar == "JSON":
            fields[option] = job_document(option, fields[option])
    deployed = Deployed.of(env, table_name, region, aws_profile)
    document = {"table": table_name, "run": run or "any", **fields}
    if run is None:
        parse_action({field: value for field, value in document.items() if value is not None})
        deployed.machine("act")
        undone = fields["undo"]
        document["run"] = deployed.finished(None).name if undone is None else _run_of(deployed, undone)
    start_job(deployed, "act", document, for_real=for_real, name=name, follow=follow, as_json=as_json)


def _run_of(deployed: Deployed, job: str) -> str:
    """Return the run whose keys an act has; raise `NotFoundError` if there is no such act."""
    document = deployed.archive("act").results(job).stored_plan()
    if document is None:
        raise NotFoundError(
            "act",
            job,
            f'table "{deployed.table}" has no act with this name in {deployed.env}',
            f"`skipscan runs {deployed.table} --kind act --env {deployed.env}` lists them",
        )
    return DoneAct.of_any_version(document).run


def compare_copy(*, dry_run: bool, **options: Any) -> None:
    """Carry out `skipscan copy compare`."""
    preview_or_start("copy", for_real=not dry_run, begin="compare, leave out --dry-run", compare_only=True, **options)


def cut_over_copy(
    *,
    table_name: str,
    to: str | None,
    as_json: bool,
    env: str,
    region: str | None,
    aws_profile: str | None,
    **rates: Any,
) -> None:
    """Carry out `skipscan copy cut-over`."""
    stated = {field: value for field, value in rates.items() if value is not None}
    parse_copy({"table": table_name, "to": to or table_name, **stated})
    cut_over(Deployed.of(env, table_name, region, aws_profile), to, as_json=as_json, **rates)
