"""`skipscan retrofit TABLE`: set attributes made of others, and remove attributes."""

from collections.abc import Sequence
from typing import Any

import click

from skipscan.cli.at import At
from skipscan.cli.options import examples, field_options, grouped_command, option, table_argument
from skipscan.cli.say import say
from skipscan.cli.work_options import job_options
from skipscan.errors import InputError
from skipscan.inputs.fields import OptionGroup, fields_named
from skipscan.retrofit.input import FIELDS as RETROFIT_FIELDS

SET, REMOVE = fields_named(RETROFIT_FIELDS, "set", "remove")


def templates(context: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str] | None:
    """Return the templates by attribute."""
    found: dict[str, str] = {}
    for value in values:
        attribute, sign, template = value.partition("=")
        if not sign:
            raise click.BadParameter(f"{value!r} is not ATTRIBUTE=TEMPLATE: write it like 'total={{price}}'")
        if attribute in found:
            raise click.BadParameter(f"{attribute} is set twice: set it once")
        if "{" not in template and not context.resilient_parsing:
            say(f"{attribute} gets the same text on every item; if an attribute was meant: 'total={{price}}'")
        found[attribute] = template
    return found or None


@grouped_command(
    epilog=examples(
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}'",
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}' --for-real --follow",
        "skipscan retrofit Audit --env dev --set 'customer={client}' --remove client    # rename an attribute",
    ),
)
@table_argument
@option(OptionGroup.WRITE, "--set", "set", metavar=SET.metavar, multiple=True, callback=templates, help=f"{SET.help}.")
@option(
    OptionGroup.WRITE,
    "--remove",
    metavar=REMOVE.metavar,
    multiple=True,
    callback=lambda _context, _option, values: [*values] or None,
    help=f"{REMOVE.help}.",
)
@field_options(RETROFIT_FIELDS, "table", "set", "remove", "dry_run")
@job_options
def retrofit_command(
    *,
    at: At,
    table_name: str,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    **input_fields: Any,
) -> None:
    """Set attributes made of others on every item of TABLE, so that a new index is complete, or remove attributes.

    To rename an attribute, set the new one and remove the old one.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable retrofits of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """
    from skipscan.cli.job import start_job

    if not (input_fields["set"] or input_fields["remove"]):
        raise InputError("set", rule="is missing", remedy="give it as --set 'resource-action={resourceId}-{action}'")
    document = {"table": table_name, **input_fields}
    start_job(
        at.deployed(table_name), "retrofit", document, for_real=for_real, name=name, follow=follow, as_json=as_json
    )
