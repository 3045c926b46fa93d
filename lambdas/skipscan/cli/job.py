"""The commands that start writing jobs, `act`, `retrofit` and `copy`: dry run by default, preview, start and wait."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from skipscan.cli.advice import option_name
from skipscan.cli.board import show
from skipscan.cli.follow import planned, start_and_follow
from skipscan.cli.output import print_json
from skipscan.cli.preview import job_preview
from skipscan.cli.say import say
from skipscan.environment import KINDS
from skipscan.errors import InputError
from skipscan.inputs.field import without_nulls
from skipscan.library.deployed import Deployed
from skipscan.library.options import name_of_work


def job_document(option: str, value: str) -> Any:
    """Return the JSON of an option: a document, or @FILE for the file that contains it."""
    hint, is_file = f"'{option_name(option)}'", value.startswith("@")
    way = "correct the file" if is_file else "give a document in quotes, or @FILE"
    if value.lstrip().startswith("{"):
        way = "correct it there"
    elif not is_file and os.path.isfile(value):
        way = f"for the file of this name write @{value}"
    try:
        # As bytes, because json finds out the encoding: PowerShell writes UTF-16, and a byte order mark before UTF-8.
        return json.loads(Path(value[1:]).read_bytes() if is_file else value)
    except OSError as error:
        raise click.BadParameter(f"{value!r} cannot be read ({error.strerror}): correct it", param_hint=hint) from None
    except json.JSONDecodeError as error:
        if not (is_file or os.path.isfile(value) or value.lstrip().startswith(("{", "["))):
            return value  # such as an ARN: the job's own parser shows how to write it
        rule = f"not valid JSON; {error}" if error.doc.strip() else "empty"
        raise click.BadParameter(f"{rule}: {way}", param_hint=hint) from None
    except (ValueError, RecursionError):
        raise click.BadParameter(f"not valid JSON: {way}", param_hint=hint) from None


WRITE = "write, add --for-real"
"""What makes a preview of a job do its work."""


def start_job(
    deployed: Deployed,
    label: str,
    input_fields: Mapping[str, Any],
    *,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    begin: str = WRITE,
) -> None:
    """Start a job and print its preview, or its name and, with --follow, its result."""
    document = without_nulls(input_fields)
    document["dry_run"] = not for_real
    if follow and not for_real:
        way = f"leave out --follow, or, to {begin}"
        raise InputError("a preview", rule="has nothing to follow", remedy=way)
    KINDS[label].parse(document)
    name = name_of_work(name, f"{label}-")
    if not for_real:
        explanation = planned(deployed, label, name, document)
        if as_json:
            print_json(explanation)
        else:
            show(job_preview(label, {**document, **explanation}))
            say(f"preview only, nothing was written. To {begin}")
        return
    start_and_follow(deployed, label, name, document, follow=follow, as_json=as_json)
