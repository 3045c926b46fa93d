"""`act`, `retrofit` and `copy`: the commands that start a job."""

from collections.abc import Sequence

import click

from skipscan.act.registry import ACTIONS
from skipscan.cli.as_options import option_name
from skipscan.cli.options import examples, flag, item_options, options, performed_by, table_argument
from skipscan.cli.work_options import (
    alone_option,
    deployed_options,
    dollars_option,
    follow_option,
    json_option,
    run_argument,
)
from skipscan.items.concatenation import Separator

job_options = options(
    click.option("--for-real", is_flag=True, help="Write. Without it, the command only plans and previews."),
    click.option("--resume", metavar="JOB", help="Resume this stopped job. A resumed job writes."),
    click.option("--workers", type=int, help="Concurrent Lambda functions (default: chosen by the plan)."),
    click.option("--max-write-units-per-second", type=float, help="Maximum write rate of all workers together."),
    click.option("--max-write-units", type=float, help="Write budget. The job stops there and can be resumed."),
    dollars_option,
    flag("--without-recovery", help="Write even if point-in-time recovery is off."),
    click.option("--name", help="The job's name (default: its start time)."),
    follow_option,
    json_option,
    deployed_options,
)
"""Options of every kind of job."""


def templates(_context: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str] | None:
    """Return the templates by attribute."""
    given: dict[str, str] = {}
    for value in values:
        attribute, sign, template = value.partition("=")
        if not sign or attribute in given:
            raise click.BadParameter(f"{value!r} is not ATTRIBUTE=TEMPLATE with each attribute once: correct it")
        given[attribute] = template
    return given or None


@click.command(
    epilog=examples(
        """skipscan act Orders --env dev --put-item '{"item": {"order": "#static", "GSI-pk": "{customer}"}}'""",
        "skipscan act Orders monday --env dev --put-item @marker.json --for-real --follow",
        "skipscan act Orders --env dev --undo markers --for-real",
    ),
)
@run_argument
@options(
    *(click.option(option_name(name), metavar=action.metavar, help=action.summary) for name, action in ACTIONS.items())
)
@flag("--skip-ended", help="Skip item collections that have no item any more (takes a read for each key).")
@flag("--show-items", help="Show the first items in the preview, with their values and keys.")
@click.option("--max-keys-per-second", type=float, help="Maximum rate of --invoke and --send.")
@alone_option
@job_options
@performed_by("skipscan.cli.act")
def act() -> None:
    """Put, delete, call or send for each key of a finished RUN over TABLE (default: the newest finished run).

    With --undo or --resume, RUN is the run of that job. Without --for-real, the command prints a preview and writes
    nothing. JSON is a document in quotes, or @FILE. The environment must enable acts on the table. `skipscan policy
    run` and `skipscan policy jobs` print the permissions you need.
    """


@click.command(
    epilog=examples(
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}'",
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}' --for-real --follow",
        "skipscan retrofit Audit --env dev --resume audited --max-dollars 5",
    ),
)
@table_argument
@click.option(
    "--set",
    "templates",
    metavar="ATTRIBUTE=TEMPLATE",
    multiple=True,
    callback=templates,
    help="Attribute to set, and its template. Can be repeated.",
)
@click.option(
    "--separator",
    type=click.Choice([choice.value for choice in Separator]),
    help="How to treat a value that contains the separator (default: refuse).",
)
@flag("--show-items", help="Show the first items in the preview, with their values.")
@flag("--consistent-read", help="Strongly consistent reads, at twice the read units.")
@flag("--count-indexes", help="Count the entries of the indexes on the new attributes at the end.")
@alone_option
@item_options
@job_options
@performed_by("skipscan.cli.retrofit")
def retrofit() -> None:
    """Set attributes made of others on every item of TABLE, so that a new index is complete.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable retrofits of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """


@click.command(
    epilog=examples(
        "skipscan copy Audit Audit-2 --env dev --create",
        "skipscan copy Audit Audit-2 --env dev --create --for-real --follow",
        "skipscan copy Audit --env dev --cut-over --deny-writes",
    ),
)
@table_argument
@click.argument("to", required=False)
@flag("--create", help="Create the table TO if it does not exist.")
@flag("--compare-only", help="Only compare both tables. Writes nothing.")
@click.option("--compare-items", type=int, help="Approximate number of keys of each table to compare.")
@click.option("--cut-over", is_flag=True, help="After a copy: wait, switch off the replicator, compare all keys.")
@click.option("--deny-writes", is_flag=True, help="With --cut-over: deny writes to TABLE in its resource policy.")
@item_options
@job_options
@performed_by("skipscan.cli.copy")
def copy() -> None:
    """Copy every item of TABLE to the table TO, while a replicator copies new writes.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable copies of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.

    With --cut-over, the command copies nothing. It waits until the stream and the late looks are quiet, switches off
    the replicator, compares both tables, and reports whether writers may start on TO. You can interrupt it and run it
    again. It also needs the permissions that `skipscan policy cut-over` prints.
    """
