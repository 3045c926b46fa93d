"""A listing into a folder: begun by `skipscan keys --folder`, continued by `skipscan resume FOLDER`."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import boto3
import click

from skipscan.aws import lean
from skipscan.aws.services import DynamoDBClient
from skipscan.cli.as_options import as_options
from skipscan.cli.counting import Counting
from skipscan.cli.download import note_absent
from skipscan.cli.exit_status import INTERRUPTED, RUN_FAILED
from skipscan.cli.main import option_names
from skipscan.cli.say import say
from skipscan.dynamodb.prices import Prices
from skipscan.errors import BudgetError
from skipscan.folder.files import again
from skipscan.inputs.quantities import stamp
from skipscan.library.into_folder import Listing
from skipscan.library.local_run import LocalRun
from skipscan.listing.aws import price_list
from skipscan.listing.execution_input import ExecutionInput
from skipscan.scan.width import MOST_WALKS

SUMMARY = ("table", "index", "keys", "requests", "read_units", "segments", "seconds")
"""The figures of a listing that --summary writes."""


def client_and_prices(
    region: str | None, profile: str | None, endpoint_url: str | None
) -> tuple[DynamoDBClient, Callable[[bool], Prices]]:
    """Return the client of the command's requests, and the prices; why boto3 made them is printed at the end."""
    session = boto3.Session(region_name=region, profile_name=profile)
    notices: list[str] = []

    def notify(reason: str, continues: bool) -> None:
        notices.append(reason if continues else f"boto3 made all requests: {reason}")

    client = lean.lean_dynamodb(session, MOST_WALKS, endpoint_url, notify=notify)
    click.get_current_context().call_on_close(lambda: _say_reasons(notices))
    return client, price_list.of_class(session, client.meta.region_name, is_aws=endpoint_url is None)


def _say_reasons(notices: Iterable[str]) -> None:
    """Print once why boto3 made the requests, however the command ended."""
    for reason in dict.fromkeys(notices):
        say(reason)


def listed_into(
    folder: Path, listing_input: ExecutionInput, client: DynamoDBClient, prices: Callable[[bool], Prices]
) -> Mapping[str, Any]:
    """List into a folder, and return the manifest; end the command if the listing is not whole."""
    listing = Listing(folder, listing_input, client, prices, say=say_above)
    try:
        with Counting(sys.stderr, listing_input.nouns, moving=sys.stderr.isatty()) as counting, listing.stoppable():
            listing.watch = lambda counts: setattr(counting, "counts", counts)
            manifest = listing.run()
    except BudgetError as error:
        counting.total()
        end_of_budget(error)
    counting.total()
    if manifest is None:
        say(f"stopped. {folder} holds the {listing_input.nouns} found so far: {again(folder)}")
        raise click.exceptions.Exit(INTERRUPTED)
    earlier = "" if listing.has_listed else f", listed {stamp(manifest['started'])}. To list again, use a new folder"
    say(f"{manifest['keys']:,} {listing_input.nouns} in {folder}{earlier}")
    note_absent(LocalRun(folder), manifest)
    return manifest


def end_of_budget(error: BudgetError) -> NoReturn:
    """End the command because of its budget."""
    say(as_options(error.text, option_names("keys")))
    raise click.exceptions.Exit(RUN_FAILED)


def say_above(message: str) -> None:
    """Print a message above the line that `Counting` redraws; `click.echo` would write behind it."""
    sys.stderr.write(f"skipscan: {message}\n")


def summary_of(figures: Mapping[str, Any]) -> str:
    """Return the figures of a listing as JSON."""
    return json.dumps({name: figures[name] for name in SUMMARY}, indent=2) + "\n"
