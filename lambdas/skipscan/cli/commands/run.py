"""`skipscan run TABLE`: start a run, and follow it if requested."""

from pathlib import Path
from typing import Any

from skipscan.cli.at import At
from skipscan.cli.commands.plan import print_plan
from skipscan.cli.options import (
    ELSEWHERE,
    examples,
    field_options,
    grouped_command,
    option,
    table_argument,
    take_options,
)
from skipscan.cli.work_options import deployed_options, ending_options, format_option, name_option
from skipscan.errors import InputError
from skipscan.inputs.fields import OptionGroup
from skipscan.lines.formats import STORED
from skipscan.listing.execution_input import parse
from skipscan.listing.fields import FIELDS


@grouped_command(
    epilog=examples(
        "skipscan run Orders --env dev",
        "skipscan run Orders --env dev --dry-run",
        "skipscan run Orders --env dev --follow --output customers.txt",
        "skipscan run Orders --env dev --max-read-units-per-second 500 --max-dollars 2 --json",
        "skipscan run Orders --env dev --compare previous",
    ),
)
@table_argument
@field_options(FIELDS, *ELSEWHERE)
@take_options
@format_option(
    f"Format of the keys, as in `skipscan keys`. Parts on S3 can be {', '.join(STORED)}; with any other format they "
    "are jsonl."
)
@option(OptionGroup.SPEND, "--dry-run", is_flag=True, help="Print only the estimate, as `skipscan plan` does.")
@name_option
@ending_options
@deployed_options
def run_command(
    *,
    at: At,
    table_name: str,
    form: str | None,
    dry_run: bool,
    name: str | None,
    follow: bool,
    output: Path | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Start a run over TABLE (a name or an ARN) in a deployed environment, and print the run's name.

    The run continues without this command: Ctrl-C does not stop it. Without --follow, the command waits up to 5 seconds
    to report an immediate refusal. `skipscan policy run` prints the permissions you need.
    """
    from skipscan.cli.follow import planned, start_and_follow
    from skipscan.cli.key_files import check_room
    from skipscan.library.options import name_of_work
    from skipscan.library.parquet import PARQUETS, arrow
    from skipscan.lines.dynamodb_jsonl import DYNAMODB_JSONL
    from skipscan.lines.json_lines import JSONL

    document = {
        "table": table_name,
        **{field: value for field, value in fields.items() if value is not None and value is not False},
    }
    if "take" in document:
        form = form or JSONL.name
        if form in PARQUETS:  # the parts must keep the items' types
            document["format"] = DYNAMODB_JSONL.name
        else:
            check_room(form)
    if form in STORED:
        document["format"] = form
    listing_input = parse(document)
    if dry_run and (follow or output):
        way = "leave out --follow and --output"
        raise InputError("a dry run", rule="has nothing to follow and writes no keys", remedy=way)
    if form in PARQUETS and output:
        arrow()
    name = name_of_work(name)
    deployed = at.deployed(table_name)
    if dry_run:
        explanation = planned(deployed, "run", name, {**document, "dry_run": True})
        print_plan(explanation, listing_input.labels, as_json=as_json)
        return
    start_and_follow(deployed, "run", name, document, follow=follow, output=output, form=form, as_json=as_json)
