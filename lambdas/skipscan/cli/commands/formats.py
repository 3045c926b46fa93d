"""The option --format of the commands that write keys."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from skipscan.cli.options import option
from skipscan.inputs.fields import OptionGroup
from skipscan.library.parquet import PARQUET, SUMMARY
from skipscan.lines.formats import FORMATS, HELP
from skipscan.lines.text import TEXT


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
