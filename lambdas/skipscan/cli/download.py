"""`skipscan download TABLE [RUN]`: the keys that a run has found."""

from pathlib import Path

import click

from skipscan.cli.deployed import Deployed, deployed_options, run_argument
from skipscan.cli.examples import examples
from skipscan.cli.fetch import fetch
from skipscan.cli.output import FILE, in_a_folder
from skipscan.keys.formats import FORMATS, HELP
from skipscan.keys.text import TEXT


@click.command(
    short_help="The keys that a run has found.",
    epilog=examples(
        "skipscan download Orders --env dev > customers.txt",
        "skipscan download Orders 20260131-030000-1f2e --env dev --format jsonl --output customers.jsonl",
    ),
)
@run_argument
@click.option("--output", type=FILE, callback=in_a_folder, help="A file; stdout if left out.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default=TEXT.name,
    show_default=True,
    help=HELP,
)
@deployed_options
def download(
    *,
    table_name: str,
    run: str | None,
    output: Path | None,
    form: str,
    env: str,
    region: str | None,
    profile: str | None,
) -> None:
    """Write the keys that a finished RUN over TABLE has found; of the newest finished, if none is named.

    Every part is checked by its SHA-256 before a key of it is written, and a file takes its name when it is whole.
    """
    deployed = Deployed.of(env, table_name, region, profile)
    fetch(deployed, deployed.finished(run).manifest, output, form)
