"""`skipscan copy`: the steps of a copy."""

import shlex
from typing import Any

import click

from skipscan.cli.at import At
from skipscan.cli.commands import COMMANDS
from skipscan.cli.options import GroupedCommand, closest, completed, examples, field_options, option, table_argument
from skipscan.cli.work_options import deployed_options, follow_option, job_options, json_option, name_option
from skipscan.copy.input import FIELDS as COPY_FIELDS
from skipscan.copy.input import parse_copy
from skipscan.errors import InputError
from skipscan.inputs.field import without_nulls
from skipscan.inputs.fields import OptionGroup, fields_named

COMPARED = ("compare_items", "workers", "segments", "max_read_units_per_second", "max_read_units", "max_dollars")
"""The fields of a comparison."""


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
        if args[0] in COMMANDS:
            way = f"write {shlex.join(['skipscan', *args, '--kind', 'copy'])}"
            raise click.UsageError(f"{args[0]} is a command of its own: {way}", context)
        if near := closest(args[0], self.commands):
            raise click.UsageError(f"No such command {args[0]!r}. {near}", context)
        if args[0] == "cut-over":
            args = [*args[1:], "--cut-over"]
        step = "compare" if {"--compare-only", "--cut-over"} & {*args} else "start"
        now = shlex.join(["skipscan", "copy", step, *(word for word in args if word != "--compare-only")])
        raise click.UsageError(f"copy has the steps {', '.join(self.commands)}: write {now}", context)


to_argument = click.argument("to", shell_complete=completed("table"))


@click.group(
    cls=CopySteps,
    epilog=examples(
        "skipscan copy start Audit Audit-2 --env dev --create",
        "skipscan copy compare Audit Audit-2 --env dev --follow",
        "skipscan copy compare Audit Audit-2 --env dev --cut-over",
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
        "skipscan copy compare Audit Audit-2 --env dev --cut-over",
    ),
)
@table_argument
@to_argument
@field_options(fields_named(COPY_FIELDS, *COMPARED))
@option(OptionGroup.SPEND, "--dry-run", is_flag=True, help="Print only the estimate.")
@option(
    OptionGroup.WRITE,
    "--cut-over",
    "cuts_over",
    is_flag=True,
    help="Switch the replicator off once nothing can still write to TO, compare every key, and report whether writers "
    "may start on TO.",
)
@name_option
@follow_option
@json_option
@deployed_options
def compare_copy_command(
    *,
    at: At,
    table_name: str,
    dry_run: bool,
    cuts_over: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    **input_fields: Any,
) -> None:
    """Compare the items of TABLE with those of TO.

    Writes to neither. Counts the items that are missing, surplus or different in TO, and writes where they are to S3.

    With --cut-over the command first waits until the replicator has read the stream to its end and all late looks are
    over. You can interrupt it and run it again. It also needs the permissions that `skipscan policy cut-over` prints.
    """
    from skipscan.cli.job import start_job

    if cuts_over:
        from skipscan.cli.cut_over import cut_over

        if dry_run:
            way = "leave out --dry-run, or --cut-over for the estimate"
            raise InputError("--cut-over", rule="switches the replicator off, and has no dry run", remedy=way)
        bounds = without_nulls(input_fields)
        parse_copy({"table": table_name, **bounds})
        cut_over(at.deployed(table_name), bounds.pop("to"), bounds, name=name, as_json=as_json)
        return
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
