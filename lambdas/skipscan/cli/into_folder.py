"""A listing into a folder: `skipscan keys --folder` starts it, and `skipscan resume FOLDER` continues it.

And the figures that a terminal shows while any listing runs.
"""

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from skipscan import ENDING_SIGNALS
from skipscan.aws import lean
from skipscan.aws.clients import DynamoDBClient
from skipscan.cli.advice import as_options
from skipscan.cli.at import At
from skipscan.cli.commands import option_names
from skipscan.cli.key_files import note_absent
from skipscan.cli.say import INTERRUPTED, RUN_FAILED, can_redraw, say
from skipscan.dynamodb.prices import Prices
from skipscan.errors import BudgetError
from skipscan.folder.files import REFUSE, again
from skipscan.folder.storage import Folder
from skipscan.inputs.quantities import counted, duration, stamp
from skipscan.library.into_folder import FolderListing
from skipscan.library.stream import Stream
from skipscan.listing import price_requests
from skipscan.listing.compare.comparison import count_of
from skipscan.listing.execution_input import ExecutionInput
from skipscan.scan.width import MOST_WALKS
from skipscan.stored.figures import line, of_counts


class Counting:
    """One line of figures, redrawn four times a second while `drawing` is entered, if enabled.

    `labels`: what is listed. `of`: the listing.
    """

    def __init__(self, stream: TextIO, labels: str, of: Stream | FolderListing, *, moving: bool) -> None:
        self._of = of
        self._labels = labels
        self._start = time.monotonic()
        self._console = Console(file=stream)
        self.drawing: AbstractContextManager[object] = nullcontext()
        if moving:
            self.drawing = Live(get_renderable=self._line, console=self._console, transient=True)

    def total(self) -> None:
        """Print the final figures of a listing on a terminal, unless it did nothing."""
        if self._of.counts.requests and self._console.is_terminal:
            self._console.print(self._line())

    def _line(self) -> Text:
        counts = self._of.counts
        found, *others = line(of_counts(counts, "keys", self._labels), "count", "units")
        said = (*others, counted(counts.requests, "request"), duration(time.monotonic() - self._start))
        return Text(found, style="bold").append(f"  {'  '.join(said)}", style="not bold dim")


SUMMARY = ("table", "index", "keys", "requests", "read_units", "segments", "seconds")
"""The figures of a listing that --summary writes."""


def client_and_prices(at: At) -> tuple[DynamoDBClient, Callable[[bool], Prices]]:
    """Return DynamoDB's client and the prices. If boto3 made requests, the command prints why at its end."""
    session = at.session()
    notices: list[str] = []

    def notify(reason: str, continues: bool) -> None:
        notices.append(reason if continues else f"boto3 made all requests: {reason}")

    client = lean.lean_dynamodb(session, MOST_WALKS, at.endpoint_url, notify=notify)
    click.get_current_context().call_on_close(lambda: _say_reasons(notices))
    return client, price_requests.of_class(session, client.meta.region_name, is_aws=at.endpoint_url is None)


def _say_reasons(notices: Iterable[str]) -> None:
    """Print each reason once, also after a failure. `notices`: why boto3 made requests."""
    for reason in dict.fromkeys(notices):
        say(reason)


def listed_into(
    folder: Path,
    listing_input: ExecutionInput,
    client: DynamoDBClient,
    prices: Callable[[bool], Prices],
    finished: str = REFUSE,
) -> Mapping[str, Any]:
    """List into a folder, and return the manifest; end the command if the listing is not complete."""
    listing = FolderListing(folder, listing_input, client, prices, finished, say_above)
    counting = Counting(sys.stderr, listing_input.labels, listing, moving=can_redraw())
    try:
        with counting.drawing, stoppable(listing):
            manifest = listing.run()
    except BudgetError as error:
        counting.total()
        end_of_budget(error)
    counting.total()
    if manifest is None:
        say(f"stopped. {folder} holds the {listing_input.labels} found so far: {again(folder)}")
        raise click.exceptions.Exit(INTERRUPTED)
    earlier = "" if listing.has_listed else f", listed {stamp(manifest['started'])}"
    say(f"{count_of(manifest)} in {folder}{earlier}")
    note_absent(Folder(folder), manifest)
    return manifest


@contextmanager
def stoppable(listing: FolderListing) -> Iterator[None]:
    """While entered, Ctrl-C, SIGTERM or SIGHUP ends the batch and commits it; a second Ctrl-C ends the command.

    Ignored signals stay ignored: nohup ignores SIGHUP.
    """

    def stop(number: int, _frame: object) -> None:
        if number != signal.SIGINT:  # a closed terminal and `timeout` may send two
            signal.signal(number, signal.SIG_IGN)
        if not listing.stop():
            raise KeyboardInterrupt

    numbers = (getattr(signal, name, None) for name in ("SIGINT", *ENDING_SIGNALS))
    heard = [number for number in numbers if number and signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_of_budget(error: BudgetError) -> NoReturn:
    """End the command because of its budget."""
    say(as_options(error.text, option_names("keys")))
    raise click.exceptions.Exit(RUN_FAILED)


def say_above(message: str) -> None:
    """Print a message above the line that `Counting` redraws; `click.echo` would write behind it."""
    sys.stderr.write(f"skipscan: {message}\n")


def summary_of(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a listing for --summary, and for --json of a resumed one."""
    return {name: figures[name] for name in SUMMARY}
