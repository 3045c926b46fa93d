"""`act` and `retrofit`: the commands that start a job over one table."""

from collections.abc import Sequence

import click

from skipscan.act import input as act_input
from skipscan.cli.options import examples, field_options, grouped_command, option, performed_by, table_argument
from skipscan.cli.work_options import job_options, run_argument
from skipscan.inputs.fields import OptionGroup
from skipscan.retrofit import input as retrofit_input

SET = next(field for field in retrofit_input.FIELDS if field.name == "set")


def templates(_context: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str] | None:
    """Return the templates by attribute."""
    given: dict[str, str] = {}
    for value in values:
        attribute, sign, template = value.partition("=")
        if not sign or attribute in given:
            raise click.BadParameter(f"{value!r} is not ATTRIBUTE=TEMPLATE with each attribute once: correct it")
        given[attribute] = template
    return given or None


@grouped_command(
    epilog=examples(
        """skipscan act Orders --env dev --put-item '{"item": {"order": "#static", "GSI-pk": "{customer}"}}'""",
        "skipscan act Orders monday --env dev --put-item @marker.json --for-real --follow",
        "skipscan act Orders --env dev --undo markers --for-real",
    ),
)
@run_argument
@field_options(act_input.FIELDS, "table", "run", "dry_run")
@job_options
@performed_by("skipscan.cli.job:act")
def act_command() -> None:
    """Put, delete, call or send for each key of a finished RUN over TABLE (default: the newest finished run).

    With --undo, RUN is the run of that job. Without --for-real, the command prints a preview and writes
    nothing. JSON is a document in quotes, or @FILE. The environment must enable acts on the table. `skipscan policy
    run` and `skipscan policy jobs` print the permissions you need.
    """


@grouped_command(
    epilog=examples(
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}'",
        "skipscan retrofit Audit --env dev --set 'resource-action={resourceId}-{action}' --for-real --follow",
    ),
)
@table_argument
@option(
    OptionGroup.WRITE, "--set", "templates", metavar=SET.metavar, multiple=True, callback=templates, help=f"{SET.help}."
)
@field_options(retrofit_input.FIELDS, "table", "set", "dry_run")
@job_options
@performed_by("skipscan.cli.job:retrofit")
def retrofit_command() -> None:
    """Set attributes made of others on every item of TABLE, so that a new index is complete.

    Without --for-real, the command prints a preview and writes nothing. The environment must enable retrofits of the
    table. `skipscan policy run` and `skipscan policy jobs` print the permissions you need.
    """
