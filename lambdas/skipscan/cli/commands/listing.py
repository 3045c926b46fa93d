"""`plan`, `keys` and `run`, the commands that list keys, and `profile`, which reads what is in a table."""

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
    take_options,
)
from skipscan.cli.output import FILE, in_a_folder
from skipscan.cli.work_options import deployed_options, ending_options, format_option, json_option, name_option
from skipscan.folder.files import FINISHED
from skipscan.inputs.fields import MAX_READ_UNITS_PER_SECOND, OptionGroup
from skipscan.lines.formats import STORED
from skipscan.listing.execution_input import FIELDS
from skipscan.profile import CENT

ELSEWHERE = ("table", "take", "format", "dry_run", "profile", "overlap")
"""The fields of other arguments, options and commands, and of schedules."""

BOUNDS = ("max_read_units_per_second", "max_read_units", "max_dollars")


@grouped_command(
    epilog=examples(
        "skipscan plan Orders",
        "skipscan plan Orders --index by-status --json > plan.json",
    ),
)
@table_argument
@field_options(FIELDS, *ELSEWHERE, *BOUNDS, "compare")
@take_options
@connection_options
@option(OptionGroup.ADVANCED, "--seed", type=int, help="Seed of an earlier plan, to read the same sample again.")
@option(
    OptionGroup.PLACE, "--json", "as_json", is_flag=True, help="Print the document that a deployed dry run returns."
)
@performed_by("skipscan.cli.run:estimate_listing")
def plan_command() -> None:
    """Estimate what listing the keys of TABLE (a name or an ARN) takes, before you start.

    Reads a random sample: at most 5 % of the run's read units (2 % of a large run), or 20 units if that is more. Needs
    dynamodb:DescribeTable and dynamodb:Scan. With pricing:GetProducts, uses the prices of the table's region.
    """


@grouped_command(
    epilog=examples(
        "skipscan keys Orders --output customers.txt",
        "skipscan keys Orders --index by-status --format jsonl --summary summary.json",
        "skipscan keys Orders --folder orders --max-read-units-per-second 500 --max-dollars 2",
        "skipscan keys Orders --first status > first-orders.jsonl",
        "skipscan keys Orders --last status --prefix 2026- --format csv > latest-orders.csv",
        "skipscan keys Orders --since 2026-06-01 > since-june.txt",
    ),
)
@table_argument
@field_options(FIELDS, *ELSEWHERE, "workers", "compare", "max_dollars")
@take_options
@connection_options
@format_option()
@option(
    OptionGroup.PLACE,
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the keys in parts to this folder, not to stdout. If interrupted, `skipscan resume FOLDER` continues.",
)
@option(
    OptionGroup.PLACE,
    "--finished",
    type=click.Choice(FINISHED),
    help="Of a folder whose listing is finished: refuse it (default), keep its keys, or remove them and list again.",
)
@option(OptionGroup.SPEND, "--max-dollars", type=float, help="Budget in dollars for read units. On-demand tables only.")
@option(OptionGroup.PLACE, "--output", "-o", type=FILE, callback=in_a_folder, help="Write the keys to this file.")
@option(
    OptionGroup.PLACE,
    "--summary",
    type=FILE,
    callback=in_a_folder,
    help="Write the figures to this file, as JSON.",
)
@performed_by("skipscan.cli.keys:list_keys")
def keys_command() -> None:
    """Print the distinct partition keys of TABLE (a name or an ARN), one a line, as they are found.

    Needs no deployment, only dynamodb:DescribeTable and dynamodb:Scan, with --last, or --items or --count of a range,
    also dynamodb:Query. Keys come in no particular order. Format text escapes control characters in string keys; use
    jsonl if keys may contain them.

    With --folder, the folder gets what a deployed run writes to S3: parts (jsonl unless --format says otherwise),
    checkpoints and a manifest. Ctrl-C keeps what was found, and the same command continues. `skipscan report`,
    `skipscan diff` and `skipscan download` read the folder.

    A budget ends the command with status 3, after the keys that it paid for. With --folder it covers the whole listing,
    however often that is interrupted, and `skipscan resume FOLDER` with a larger one continues.
    """


@grouped_command(
    epilog=examples(
        "skipscan run Orders --env dev",
        "skipscan run Orders --env dev --dry-run",
        "skipscan run Orders --env dev --follow --output customers.txt",
        "skipscan run Orders --env dev --max-read-units-per-second 500 --max-dollars 2 --json",
        "skipscan run Orders --env dev --compare previous",
    ),
)
@table_argument
@field_options(FIELDS, *ELSEWHERE)
@take_options
@format_option(
    f"Format of the keys, as in `skipscan keys`. Parts on S3 can be {', '.join(STORED)}; with any other format they "
    "are jsonl."
)
@option(OptionGroup.SPEND, "--dry-run", is_flag=True, help="Print only the estimate, as `skipscan plan` does.")
@name_option
@ending_options
@deployed_options
@performed_by("skipscan.cli.run:run")
def run_command() -> None:
    """Start a run over TABLE (a name or an ARN) in a deployed environment, and print the run's name.

    The run continues without this command: Ctrl-C does not stop it. Without --follow, the command waits up to 5 seconds
    to report an immediate refusal. `skipscan policy run` prints the permissions you need.
    """


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
    type=float,
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
    table that the budget pays for is read whole, and all figures but percentiles are exact. After Ctrl-C, the page
    shows what was read. The page has names of attributes and prefixes of sort keys that many collections share, but
    no values.

    Needs dynamodb:DescribeTable and dynamodb:Scan; without one of them, the page shows what the other tells. Time to
    live also needs dynamodb:DescribeTimeToLive, and prices of the table's region pricing:GetProducts. `skipscan diff`
    compares two profiles.
    """
