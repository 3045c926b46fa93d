"""`skipscan retrofit TABLE`: set an attribute made of other attributes on every item."""

from collections.abc import Sequence
from typing import Any

import click

from skipscan.cli.deployed import Deployed
from skipscan.cli.job import carry_out, job_options
from skipscan.cli.options import examples, flag, item_options, table_argument
from skipscan.items.concatenation import Separator
from skipscan.retrofit.input import parse


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
@item_options
@job_options
def retrofit(
    *,
    table_name: str,
    templates: dict[str, str] | None,
    for_real: bool,
    name: str | None,
    follow: bool,
    as_json: bool,
    env: str,
    region: str | None,
    profile: str | None,
    **asked: Any,
) -> None:
    """Set attributes made of others on every item of TABLE, so that a new index is complete.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable retrofits of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """
    document = {"table": table_name, "set": templates, **asked}
    carry_out(
        Deployed.of(env, table_name, region, profile),
        "retrofit",
        document,
        parse=parse,
        for_real=for_real,
        name=name,
        follow=follow,
        as_json=as_json,
    )
