"""`skipscan keys TABLE`: the keys on stdout, one a line, as they are found."""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

import boto3
import click
from botocore.exceptions import BotoCoreError
from rich.console import Console
from rich.live import Live
from rich.text import Text

from skipscan.aws import lean, table
from skipscan.aws.faults import fault, scrub
from skipscan.cli.options import connection_options, examples, listing_options
from skipscan.cli.output import FILE, in_a_folder
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import PartitionKey
from skipscan.errors import TableError
from skipscan.keys.formats import FORMATS, HELP, encoder
from skipscan.listing.execution_input import parse
from skipscan.listing.planning import plan
from skipscan.loop.run_batch import run_batch
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Bounds
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import WALKS
from skipscan.scan.progress import Progress

SAY_SECONDS, MOST_SECONDS = 15.0, 300.0
"""Without a page because the table is throttled: when the command says so, and when it gives up."""


class Patience:
    """Scans, and counts how long the table has refused every page."""

    def __init__(self, scan: Callable[[Request], Page]) -> None:
        self._scan = scan
        self._since = time.monotonic()
        self._has_said = False
        self.is_over = False

    def scan(self, request: Request) -> Page:
        page = self._scan(request)
        self._since, self._has_said = time.monotonic(), False
        return page

    def fault(self, error: Exception) -> Fault:
        """Return what a failed request says about the next one: after `MOST_SECONDS` there is none."""
        found, seconds = fault(error), time.monotonic() - self._since
        if found not in {Fault.KEY_RANGE, Fault.CAPACITY}:
            return found
        if seconds >= SAY_SECONDS and not self._has_said:
            self._has_said = True
            click.echo(f"skipscan: throttled for {seconds:.0f} s, and waiting for up to {MOST_SECONDS:.0f} s", err=True)
        self.is_over |= seconds >= MOST_SECONDS
        return Fault.FATAL if self.is_over else found


@click.command(
    epilog=examples(
        "skipscan keys Orders > customers.txt",
        "skipscan keys Orders --index by-status --format jsonl --summary summary.json",
    ),
)
@listing_options
@connection_options
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help=HELP,
)
@click.option(
    "--summary",
    type=FILE,
    callback=in_a_folder,
    help="Write the figures here, as JSON.",
)
def keys(
    *,
    table_name: str,
    index: str | None,
    region: str | None,
    profile: str | None,
    endpoint_url: str | None,
    segments: int | None,
    strategy: str,
    optimize: str,
    form: str,
    consistent_read: bool,
    summary: Path | None,
) -> None:
    """Print the distinct partition keys of TABLE (a name or an ARN), one a line, as they are found.

    Needs dynamodb:DescribeTable and dynamodb:Scan, and nothing deployed. The order of the keys is no order you could
    rely on. A string key's control characters are escaped in text; use jsonl where keys may hold such.
    """
    asked = parse(
        {
            "table": table_name,
            "index": index,
            "segments": segments,
            "workers": 1,
            "strategy": strategy,
            "optimize": optimize,
            "consistent_read": consistent_read,
        }
    )
    session = boto3.Session(region_name=region, profile_name=profile)
    notices: list[str] = []
    client = lean.dynamodb(session, WALKS, endpoint_url, notify=notices.append)
    decided = plan(asked, table.describe(client, asked.table))
    encode = encoder(decided.source, form)

    def write(found: Sequence[PartitionKey]) -> int:
        lines = b"".join(map(encode, found))
        sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()
        return len(lines)

    begun = time.monotonic()
    batch = Batch(
        decided, Progress.start(decided, 0), bounds=Bounds(), clock=time.monotonic, random=random.random, write=write
    )
    patience = Patience(table.Table(client, decided).scan)
    with Meter(batch, sys.stderr, moving=sys.stderr.isatty() and not sys.stdout.isatty()) as meter:
        error = run_batch(batch, patience.scan, decided.walks, fault=patience.fault)
    if patience.is_over:
        raise TableError(
            f'table "{asked.table}" was throttled for {MOST_SECONDS:.0f} s without a page: raise its capacity or wait '
            "until its other traffic is over, and start again; the keys until here are not all"
        )
    if isinstance(error, BrokenPipeError):
        raise error
    if isinstance(error, OSError) and not isinstance(error, BotoCoreError):
        raise OSError(error.errno, os.strerror(error.errno or 0))  # of stdout: the disk is full
    if error is not None:
        raise scrub(error)
    if sys.stderr.isatty():
        meter.total()
        for reason in notices:
            click.echo(f"boto3 made all calls: {reason}", err=True)
    if summary is not None:
        counts = batch.counts
        figures = {
            "table": asked.table,
            "index": asked.index,
            "keys": counts.keys,
            "requests": counts.requests,
            "read_units": counts.read_units,
            "segments": decided.segments,
            "seconds": round(time.monotonic() - begun, 3),
        }
        summary.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


class Meter:
    """While entered, and if it is to move, redraws one line of figures four times a second."""

    def __init__(self, batch: Batch, stream: TextIO, *, moving: bool) -> None:
        self._batch = batch
        self._begun = time.monotonic()
        self._console = Console(file=stream)
        self._live = Live(get_renderable=self._line, console=self._console, transient=True) if moving else None

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def total(self) -> None:
        self._console.print(self._line())

    def _line(self) -> Text:
        counts = self._batch.counts
        seconds = time.monotonic() - self._begun
        line = Text(f"{counts.keys:,} keys", style="bold")
        rest = f"  {counts.requests:,} requests  {counts.read_units:,.1f} read units  {seconds:,.1f} s"
        return line.append(rest, style="not bold dim")
