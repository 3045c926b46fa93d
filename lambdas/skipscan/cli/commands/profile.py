"""`profile`: the command that reads what is in a table."""

from pathlib import Path

import click

from skipscan.cli.options import (
    connection_options,
    examples,
    field_options,
    grouped_command,
    option,
    performed_by,
    table_argument,
)
from skipscan.cli.output import FILE, in_a_folder
from skipscan.cli.work_options import json_option
from skipscan.inputs.fields import MAX_READ_UNITS_PER_SECOND, OptionGroup
from skipscan.profile import CENT

PROFILE_PAGE = Path("profile.html")


@grouped_command(
    epilog=examples(
        "skipscan profile Orders",
        "skipscan profile Orders --max-dollars 0.10 --output orders.html --open",
        "skipscan profile Orders --json | jq .advice",
    ),
)
@table_argument
@option(
    OptionGroup.SPEND,
    "--max-dollars",
    type=click.FloatRange(min=0, min_open=True),
    default=CENT,
    show_default=True,
    help="Budget in dollars for read units, at the prices of tables on demand.",
)
@field_options([MAX_READ_UNITS_PER_SECOND])
@connection_options
@option(OptionGroup.ADVANCED, "--seed", type=int, help="Seed of an earlier profile, to read the same segments again.")
@option(
    OptionGroup.PLACE,
    "--output",
    "-o",
    type=FILE,
    callback=in_a_folder,
    help=f"Write the page to this file (default: {PROFILE_PAGE}, or no page with --json).",
)
@option(OptionGroup.PLACE, "--open", "opens", is_flag=True, help="Open the page in the browser.")
@json_option
@performed_by("skipscan.cli.profile:profile")
def profile_command() -> None:
    """Write an HTML page about what is in TABLE (a name or an ARN): collections, items, attributes, indexes, advice.

    Reads random segments whole, within the budget, and estimates the table from them, with 95 % confidence intervals. A
    table that the budget pays for is read whole, and all figures are exact. After Ctrl-C, the page shows what was read.
    The page has names of attributes and prefixes of sort keys that many collections share, but no values.

    Needs dynamodb:DescribeTable and dynamodb:Scan; without one of them, the page shows what the other tells. Time to
    live also needs dynamodb:DescribeTimeToLive, and prices of the table's region pricing:GetProducts. `skipscan diff`
    compares two profiles.
    """
