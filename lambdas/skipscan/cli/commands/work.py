"""`status`, `runs`, `stop` and `resume`: the commands about work that exists."""

from importlib import import_module

import click

from skipscan.cli.commands import JOBS
from skipscan.cli.options import (
    completed,
    endpoint_option,
    examples,
    field_options,
    grouped_command,
    option,
    performed_by,
)
from skipscan.cli.work_options import (
    deployed_options,
    ending_options,
    env_options,
    follow_option,
    json_option,
    kind_option,
    work_argument,
)
from skipscan.inputs.fields import OptionGroup
from skipscan.listing import execution_input as listing_input

FREE = {
    field.name: field
    for fields in (listing_input.FIELDS, *(import_module(f"skipscan.{job}.input").FIELDS for job in JOBS))
    for field in fields
    if not field.is_fixed and field.need is None and field.name != "overlap"
}
"""The fields that may change when work of any kind is resumed."""


@grouped_command(
    epilog=examples(
        "skipscan status Orders --env dev",
        "skipscan status Orders monday --env dev --follow",
        "skipscan status Orders --kind act --env dev",
        "skipscan status Orders --env dev --json | jq .keys",
    ),
)
@work_argument
@follow_option
@json_option
@deployed_options
@performed_by("skipscan.cli.status:status")
def status_command() -> None:
    """Show the status of a run or job over TABLE (default: the newest run).

    Figures cover committed batches only. A worker commits its first batch within 15 seconds, the second after a
    minute, and later ones after four minutes, unless the environment says otherwise. With --follow --json, prints a
    line of JSON after each change.
    """


@grouped_command(
    epilog=examples(
        "skipscan runs --env dev",
        "skipscan runs Orders --env dev",
        "skipscan runs Orders --kind run --env dev --limit 100 --json",
    ),
)
@click.argument("table_name", metavar="[TABLE]", required=False, shell_complete=completed("table"))
@kind_option
@option(
    OptionGroup.READ,
    "--limit",
    type=click.IntRange(min=1),
    metavar="INTEGER",
    default=20,
    show_default=True,
    help="Maximum number of each kind to show.",
)
@json_option
@deployed_options
@performed_by("skipscan.cli.runs:runs")
def runs_command() -> None:
    """List the runs and jobs over TABLE, or over all tables, the newest first.

    States: starting (no plan yet), running, finished, unfinished (can be resumed), planned (a dry run, or stopped
    before its first batch), profiled (a profile of the table), skipped (an earlier run with the same input was still
    running), refused (it ended before its plan). Refused ones, and without TABLE all, are those of the last 90 days.
    """


@grouped_command(
    epilog=examples(
        "skipscan stop Orders --env dev",
        "skipscan stop Orders markers --env dev",
    ),
)
@work_argument
@json_option
@deployed_options
@performed_by("skipscan.cli.status:stop")
def stop_command() -> None:
    """Stop a run or job over TABLE (default: the one that is running).

    Committed batches are kept, and the work can be resumed. A worker may take some minutes to finish its batch.
    Resuming counts each batch once: nothing is lost or paid for twice.
    """


@grouped_command(
    epilog=examples(
        "skipscan resume Orders --env dev --max-read-units 5000 --follow",
        "skipscan resume Orders thrifty --env dev --max-read-units 5000",
        "skipscan resume Orders markers --env dev --max-write-units-per-second 500 --follow",
        "skipscan resume Audit audited --env dev --max-write-units 5000",
        "skipscan resume ./orders --max-read-units 5000",
    ),
)
@work_argument
@field_options(FREE.values())
@ending_options
@env_options
@endpoint_option
@performed_by("skipscan.cli.resume:resume")
def resume_command() -> None:
    """Resume a run or job over TABLE from its checkpoints (default: the newest one, if it is unfinished).

    Instead of TABLE, name the path of a folder that `skipscan keys --folder` wrote, to continue the listing in it.

    Rates and budgets stay as they were, unless others are given here. A budget covers the whole run or job, including
    what it has consumed already.
    """
