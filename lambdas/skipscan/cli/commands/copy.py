"""`skipscan copy`: the steps of a copy."""

import shlex
from typing import Any

import click

from skipscan.cli.at import At
from skipscan.cli.options import GroupedCommand, closest, completed, examples, field_options, option, table_argument
from skipscan.cli.work_options import deployed_options, follow_option, job_options, json_option, name_option
from skipscan.copy.input import FIELDS as COPY_FIELDS
from skipscan.copy.input import parse_copy
from skipscan.inputs.fields import OptionGroup, fields_named

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
def start_copy_command(
    *,
    at: At,
    table_name: str,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    **input_fields: Any,
) -> None:
    """Copy every item of TABLE to the table TO.

    Meanwhile, a replicator copies what applications write. Without --for-real, the command prints a preview and writes
    nothing. The environment must enable copies of the table. `skipscan policy run` and `skipscan policy jobs` print the
    permissions you need.
    """
    from skipscan.cli.job import start_job

    document = {"table": table_name, **input_fields}
    start_job(at.deployed(table_name), "copy", document, for_real=for_real, name=name, follow=follow, as_json=as_json)


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
def compare_copy_command(
    *, at: At, table_name: str, dry_run: bool, name: str | None, follow: bool, as_json: bool, **input_fields: Any
) -> None:
    """Compare the items of TABLE with those of TO.

    Writes to neither. Counts the items that are missing, surplus or different in TO, and writes where they are to S3.
    """
    from skipscan.cli.job import start_job

    start_job(
        at.deployed(table_name),
        "copy",
        {"table": table_name, "compare_only": True, **input_fields},
        for_real=not dry_run,
        name=name,
        follow=follow,
        as_json=as_json,
        begin="compare, leave out --dry-run",
    )


@copy_command.command(
    "cut-over",
    epilog=examples("skipscan copy cut-over Audit --env dev"),
)
@table_argument
@click.argument("to", required=False, shell_complete=completed("complete_table"))
@field_options(fields_named(COPY_FIELDS, *COMPARED))
@json_option
@deployed_options
def cut_over_copy_command(
    *,
    at: At,
    table_name: str,
    to: str | None,
    as_json: bool,
    **rates: Any,
) -> None:
    """Prove both tables equal, for writers to move.

    Waits until the stream and the late looks are quiet, switches off the replicator, compares both tables, and reports
    whether writers may start on TO. You can interrupt the command and run it again. It also needs the permissions that
    `skipscan policy cut-over` prints.
    """
    from skipscan.cli.cut_over import cut_over

    stated = {field: value for field, value in rates.items() if value is not None}
    parse_copy({"table": table_name, "to": to or table_name, **stated})
    cut_over(at.deployed(table_name), to, as_json=as_json, **rates)
