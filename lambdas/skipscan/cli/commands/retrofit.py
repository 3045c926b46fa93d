"""`retrofit`: the command that sets attributes on every item."""

from collections.abc import Sequence

import click

from skipscan.cli.options import examples, field_options, grouped_command, option, performed_by, table_argument
from skipscan.cli.work_options import job_options
from skipscan.inputs.fields import OptionGroup
from skipscan.retrofit.input import FIELDS

SET = next(field for field in FIELDS if field.name == "set")


def templates(_context: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """Return the templates by attribute."""
    if not values:
        raise click.UsageError("--set is missing: give it as --set 'resource-action={resourceId}-{action}'")
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
@field_options(FIELDS, "table", "set", "dry_run")
@job_options
@performed_by("skipscan.cli.job:preview_or_start", noun="retrofit")
def retrofit_command() -> None:
    """Set attributes made of others on every item of TABLE, so that a new index is complete.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable retrofits of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """
