"""`skipscan run TABLE`: start the deployed state machine, and follow the run if requested."""

from pathlib import Path
from typing import Any

import click

from skipscan.cli.download import check_room, is_unnamed
from skipscan.cli.follow import check_name, planned, start_and_follow
from skipscan.cli.plan import print_plan
from skipscan.library.deployed import Deployed, new_name
from skipscan.library.parquet import PARQUET, arrow
from skipscan.lines.dynamodb_jsonl import DYNAMODB_JSONL
from skipscan.lines.formats import STORED
from skipscan.lines.jsonl import JSONL
from skipscan.listing.execution_input import parse


def run(
    *,
    table_name: str,
    form: str,
    dry_run: bool,
    name: str | None,
    follow: bool,
    output: Path | None,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **fields: Any,
) -> None:
    """Carry out `skipscan run`."""
    document = {
        "table": table_name,
        **{field: value for field, value in fields.items() if value is not None and value is not False},
    }
    if "take" in document:
        form = JSONL.name if is_unnamed(form) else form
        if form == PARQUET:  # the parts must keep the items' types
            document["format"] = DYNAMODB_JSONL.name
        else:
            check_room(form)
    if form in STORED:
        document["format"] = form
    nouns = parse(document).nouns
    if dry_run and (follow or output):
        raise click.UsageError("a dry run has nothing to follow and writes no keys: leave out --follow and --output")
    if form == PARQUET and output:
        arrow()
    check_name(name)
    deployed = Deployed.of(env, table_name, region, profile)
    name = name or new_name()
    if dry_run:
        started = deployed.machine("run").start(name, {**document, "dry_run": True})
        print_plan(planned(deployed.machine("run"), started).output or {}, nouns, as_json=as_json)
        return
    start_and_follow(deployed, "run", name, name, document, follow=follow, output=output, form=form, as_json=as_json)
