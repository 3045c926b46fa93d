"""`act`, `retrofit` and `copy`: the commands of the kinds of work that write."""

import shlex
from collections.abc import Sequence

import click

from skipscan.act.input import FIELDS as ACT_FIELDS
from skipscan.cli.options import (
    GroupedCommand,
    closest,
    completed,
    examples,
    field_options,
    grouped_command,
    option,
    performed_by,
    table_argument,
)
from skipscan.cli.work_options import (
    deployed_options,
    follow_option,
    job_options,
    json_option,
    name_option,
    run_argument,
)
from skipscan.copy.input import FIELDS as COPY_FIELDS
from skipscan.errors import InputError
from skipscan.inputs.fields import OptionGroup, fields_named
from skipscan.retrofit.input import FIELDS as RETROFIT_FIELDS


@grouped_command(
    epilog=examples(
        """skipscan act Orders --env dev --put-item '{"item": {"order": "#static", "GSI-pk": "{customer}"}}'""",
        "skipscan act Orders monday --env dev --put-item @marker.json --for-real --follow",
        "skipscan act Orders --env dev --undo markers --for-real",
    ),
)
@run_argument
@field_options(ACT_FIELDS, "table", "run", "dry_run")
@job_options
@performed_by("skipscan.cli.job:act")
def act_command() -> None:
    """Put, delete, call or send for each key of a finished RUN over TABLE (default: the newest finished run).

    With --undo, RUN is the run of that job. Without --for-real, the command prints a preview and writes
    nothing. JSON is a document in quotes, or @FILE. The environment must enable acts on the table. `skipscan policy
    run` and `skipscan policy jobs` print the permissions you need.
    """


SET = next(field for field in RETROFIT_FIELDS if field.name == "set")


def templates(_context: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """Return the templates by attribute."""
    if not values:
        raise InputError("set", rule="is missing", remedy="give it as --set 'resource-action={resourceId}-{action}'")
    found: dict[str, str] = {}
    for value in values:
        attribute, sign, template = value.partition("=")
        if not sign or attribute in found:
            raise click.BadParameter(f"{value!r} is not ATTRIBUTE=TEMPLATE with each attribute once: correct it")
        found[attribute] = template
    return found


@grouped_command(
    epilog=examples(
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}'",
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}' --for-real --follow",
    ),
)
@table_argument
@option(OptionGroup.WRITE, "--set", "set", metavar=SET.metavar, multiple=True, callback=templates, help=f"{SET.help}.")
@field_options(RETROFIT_FIELDS, "table", "set", "dry_run")
@job_options
@performed_by("skipscan.cli.job:preview_or_start", noun="retrofit")
def retrofit_command() -> None:
    """Set attributes made of others on every item of TABLE, so that a new index is complete.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable retrofits of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """


COMPARED = ("compare_items", "workers", "segments", "max_read_units_per_second")
"""The fields of a cut-over, which are those of the comparison that it starts."""

BOUNDS = ("max_read_units", "max_dollars")


class CopySteps(click.Group):
    """The steps of a copy. A command line of a former version, without steps, gets the present one as its answer."""

    command_class = GroupedCommand

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in self.commands:
            return super().resolve_command(context, args)
        if near := closest(args[0], self.commands):
            raise click.UsageError(f"No such command {args[0]!r}. {near}", context)
        former = {"--cut-over": "cut-over", "--compare-only": "compare"}
        step = next((former[word] for word in args if word in former), "start")
        now = shlex.join(["skipscan", "copy", step, *(word for word in args if word not in former)])
        raise click.UsageError(f"copy has the steps {', '.join(self.commands)}: write {now}", context)


to_argument = click.argument("to", shell_complete=completed("complete_table"))


@click.group(
    cls=CopySteps,
    epilog=examples(
        "skipscan copy start Audit Audit-2 --env dev --create",
        "skipscan copy compare Audit Audit-2 --env dev --follow",
        "skipscan copy cut-over Audit --env dev",
    ),
)
def copy_command() -> None:
    """Copy a table to a new one while applications write to it, and move them to the new one."""


@copy_command.command(
    "start",
    epilog=examples(
        "skipscan copy start Audit Audit-2 --env dev --create",
        "skipscan copy start Audit Audit-2 --env dev --create --for-real --follow",
    ),
)
@table_argument
@to_argument
@field_options(COPY_FIELDS, "table", "to", "dry_run", "compare_only")
@job_options
@performed_by("skipscan.cli.job:preview_or_start", noun="copy")
def start_copy_command() -> None:
    """Copy every item of TABLE to the table TO.

    Meanwhile, a replicator copies what applications write. Without --for-real, the command prints a preview and writes
    nothing. The environment must enable copies of the table. `skipscan policy run` and `skipscan policy jobs` print the
    permissions you need.
    """


@copy_command.command(
    "compare",
    epilog=examples(
        "skipscan copy compare Audit Audit-2 --env dev --dry-run",
        "skipscan copy compare Audit Audit-2 --env dev --follow",
    ),
)
@table_argument
@to_argument
@field_options(fields_named(COPY_FIELDS, *COMPARED, *BOUNDS))
@option(OptionGroup.SPEND, "--dry-run", is_flag=True, help="Print only the estimate.")
@name_option
@follow_option
@json_option
@deployed_options
@performed_by("skipscan.cli.job:compare_copy")
def compare_copy_command() -> None:
    """Compare the items of TABLE with those of TO.

    Writes to neither. Counts the items that are missing, surplus or different in TO, and writes where they are to S3.
    """


@copy_command.command(
    "cut-over",
    epilog=examples("skipscan copy cut-over Audit --env dev"),
)
@table_argument
@click.argument("to", required=False, shell_complete=completed("complete_table"))
@field_options(fields_named(COPY_FIELDS, *COMPARED))
@json_option
@deployed_options
@performed_by("skipscan.cli.job:cut_over_copy")
def cut_over_copy_command() -> None:
    """Prove both tables equal, for writers to move.

    Waits until the stream and the late looks are quiet, switches off the replicator, compares both tables, and reports
    whether writers may start on TO. You can interrupt the command and run it again. It also needs the permissions that
    `skipscan policy cut-over` prints.
    """
