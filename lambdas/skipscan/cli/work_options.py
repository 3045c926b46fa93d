"""Options of the commands that use a deployed environment or write keys: environment, work, bounds, end, --format."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from skipscan.cli.commands import NOUNS
from skipscan.cli.environments import EnvOption, complete_environment
from skipscan.cli.options import completed, option, options, region_and_profile, table_argument
from skipscan.cli.output import FILE, in_a_folder
from skipscan.inputs.fields import OptionGroup
from skipscan.library.parquet import PARQUET, SUMMARY
from skipscan.lines.formats import FORMATS, HELP
from skipscan.lines.text import TEXT


def env_option(help: str, **more: Any) -> Callable[[Any], Any]:
    """Return the --env option of a command."""
    return option(OptionGroup.CONNECTION, "--env", "-e", envvar="SKIPSCAN_ENV", help=help, **more)


deployed_options = options(
    env_option(
        "The deployed environment, as in cdk.json.",
        required=True,
        cls=EnvOption,
        shell_complete=complete_environment,
    ),
    region_and_profile,
)
kind_option = option(
    OptionGroup.READ, "--kind", "noun", type=click.Choice(NOUNS), help="Kind of NAME, or of the newest."
)
work_argument = options(
    table_argument,
    click.argument("name", required=False, shell_complete=completed("work")),
    kind_option,
)
"""One piece of work of any kind."""

run_argument = options(table_argument, click.argument("run", required=False, shell_complete=completed("run")))
"""A run of a table (default: the newest)."""

json_option = option(OptionGroup.PLACE, "--json", "as_json", is_flag=True, help="Print JSON to stdout.")
follow_option = option(OptionGroup.PLACE, "--follow", "-f", is_flag=True, help="Show progress until the end.")

env_options = options(
    env_option("The deployed environment, as in cdk.json. Required with TABLE.", shell_complete=complete_environment),
    region_and_profile,
)
"""--env, --region and --profile, which are not needed for a folder."""

ending_options = options(
    follow_option,
    option(
        OptionGroup.PLACE,
        "--output",
        "-o",
        type=FILE,
        callback=in_a_folder,
        help="Follow the run, then write its keys to this file.",
    ),
    json_option,
)
"""--follow, --output and --json."""

name_option = option(OptionGroup.PLACE, "--name", help="The name of the run or job (default: its start time).")

job_options = options(
    option(
        OptionGroup.WRITE, "--for-real", is_flag=True, help="Write. Without it, the command only plans and previews."
    ),
    name_option,
    follow_option,
    json_option,
    deployed_options,
)
"""Options of every kind of job that are no fields of its input."""


def format_option(
    help: str = f"{HELP} {PARQUET}: {SUMMARY}.", formats: Sequence[str] = (*FORMATS, PARQUET)
) -> Callable[[Any], Any]:
    """Return the --format option of a command that writes keys."""
    return option(
        OptionGroup.PLACE,
        "--format",
        "form",
        type=click.Choice(formats),
        default=TEXT.name,
        show_default=True,
        help=help,
    )
