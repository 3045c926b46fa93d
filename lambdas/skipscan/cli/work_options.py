"""Options of commands that use an environment or write keys: --env, TABLE or a folder, the work, its end, --format."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from skipscan.cli.at import At, Command, placed
from skipscan.cli.commands import KIND_LABELS
from skipscan.cli.options import completed, option, options, region_and_profile, table_argument
from skipscan.cli.output import FILE, writable
from skipscan.cli.say import waiting
from skipscan.inputs.fields import OptionGroup
from skipscan.inputs.names import is_table
from skipscan.library.parquet import PARQUETS
from skipscan.lines.formats import FORMATS, TEXT
from skipscan.lines.json_lines import JSONL


def in_cdk_json() -> list[str]:
    """Return the environments of the cdk.json in this folder; none without a cdk.json of Skipscan."""
    try:
        environments = json.loads(Path("cdk.json").read_bytes())["context"]["environments"]
        return sorted(name for name in environments if isinstance(name, str))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def missing(context: click.Context) -> str:
    """Return the error message for a missing --env. It names the environments of cdk.json, else the deployed ones."""
    from skipscan.cli.complete import offered  # noqa: PLC0415 (it imports boto3, and what needs this module)

    with waiting("looking for environments"):
        names = offered("environment", context, "")
    found = f"{'cdk.json here has' if in_cdk_json() else 'deployed here:'} {', '.join(names)}"
    there = found if names else "the stack of an environment is skipscan-ENV"
    return f"Missing option '--env' / '-e': give a deployed environment ({there}), or set SKIPSCAN_ENV"


def is_folder(name: str, at: At) -> bool:
    """Return whether the argument is a folder: a path, or an existing folder's name that cannot mean a table."""
    if name.startswith(("arn:", "s3:")):
        return False
    return os.sep in name or "/" in name or ((at.environment is None or not is_table(name)) and Path(name).is_dir())


def of_kind(label: str) -> str:
    """Return the option that names a job's kind: a run may have the same name."""
    return "" if label == KIND_LABELS[0] else f" --kind {label}"


def env_option(help: str, **more: Any) -> Callable[[Any], Any]:
    """Return the --env option of a command."""
    complete = completed("environment")
    return option(
        OptionGroup.CONNECTION, "--env", "-e", envvar="SKIPSCAN_ENV", help=help, shell_complete=complete, **more
    )


deployed_options = options(
    env_option("The deployed environment, as in cdk.json. Required."),
    region_and_profile,
    placed,
)
kind_option = option(
    OptionGroup.READ, "--kind", "label", type=click.Choice(KIND_LABELS), help="Only work of this kind."
)
work_argument = options(
    table_argument,
    click.argument("name", required=False, shell_complete=completed("work")),
    kind_option,
)
"""One piece of work of any kind."""

run_argument = options(table_argument, click.argument("run", required=False, shell_complete=completed("run")))
"""A run of a table (default: the newest)."""


def file_option(*names: str, help: str) -> Callable[[Any], Any]:
    """Return an option for a file to write, which is checked before any work."""
    return option(
        OptionGroup.PLACE, *names, type=FILE, callback=lambda _c, _o, value: value and writable(value), help=help
    )


json_option = option(OptionGroup.PLACE, "--json", "as_json", is_flag=True, help="Print JSON to stdout.")


def page_options(default: Path) -> Callable[[Command], Command]:
    """Return --output, --open and --json of a command that writes a page. `default`: the file, unless one is given."""
    return options(
        file_option(
            "--output", "-o", help=f"Write the page to this file (default: {default}, or no page with --json)."
        ),
        option(OptionGroup.PLACE, "--open", "opens", is_flag=True, help="Open the page in the browser."),
        json_option,
    )


follow_option = option(OptionGroup.PLACE, "--follow", "-f", is_flag=True, help="Show progress until the end.")

env_options = options(
    env_option("The deployed environment, as in cdk.json. Required with TABLE."),
    region_and_profile,
    placed,
)
"""--env, --region and --profile, which are not needed for a folder."""

ending_options = options(
    follow_option,
    file_option("--output", "-o", help="Follow the run, then write its keys to this file."),
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


SUMMARIES = {**{name: form.summary for name, form in FORMATS.items()}, **PARQUETS}
FORMAT_HELP = " ".join(f"{name}: {summary}." for name, summary in SUMMARIES.items())


def format_option(
    help: str = FORMAT_HELP,
    formats: Sequence[str] = tuple(SUMMARIES),
) -> Callable[[Any], Any]:
    """Return the --format option of a command that writes keys."""
    return option(
        OptionGroup.PLACE,
        "--format",
        "form",
        type=click.Choice(formats),
        metavar="FORMAT",  # the names are too wide for a column; the help has each of them
        help=f"{help} Default: {TEXT.name} for keys alone, {JSONL.name} for more.",
    )
