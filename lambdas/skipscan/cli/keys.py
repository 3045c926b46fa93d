"""`skipscan keys TABLE`: the keys on stdout as they are found, or in a folder, from where a listing goes on."""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import click
from botocore.exceptions import BotoCoreError

from skipscan.aws import lean, price_list, table
from skipscan.aws.faults import scrub
from skipscan.cli.counting import Counting
from skipscan.cli.ending import bound_options
from skipscan.cli.exit_status import INTERRUPTED, RUN_FAILED
from skipscan.cli.into_folder import AGAIN, Listing
from skipscan.cli.key_files import check_not_shown, format_option
from skipscan.cli.options import connection_options, examples, listing_options
from skipscan.cli.output import FILE, in_a_folder
from skipscan.cli.parquet import PARQUET, ParquetFile
from skipscan.cli.patience import MOST_SECONDS, Patience
from skipscan.dynamodb.prices import Prices, default_prices
from skipscan.errors import BudgetError, TableError
from skipscan.keys.formats import STORED, format_of, line_encoder
from skipscan.keys.jsonl import JSONL
from skipscan.keys.text import TEXT
from skipscan.listing.execution_input import ExecutionInput, check_room, parse
from skipscan.listing.planning import plan
from skipscan.loop.run_batch import run_batch
from skipscan.pace.bounds import Bounds
from skipscan.scan.batch import Batch
from skipscan.scan.plan import WALKS, Plan
from skipscan.scan.progress import Progress


@click.command(
    epilog=examples(
        "skipscan keys Orders > customers.txt",
        "skipscan keys Orders --index by-status --format jsonl --summary summary.json",
        "skipscan keys Orders --output orders --max-read-units-per-second 500 --max-dollars 2",
        "skipscan keys Customers --first name,since > customers.jsonl",
    ),
)
@listing_options
@connection_options
@format_option
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for the keys, in parts, instead of stdout. Killed at any moment, the same command goes on.",
)
@bound_options
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
    take: dict[str, Any] | None,
    output: Path | None,
    summary: Path | None,
    **bounds: float | None,
) -> None:
    """Print the distinct partition keys of TABLE (a name or an ARN), one a line, as they are found.

    Needs dynamodb:DescribeTable and dynamodb:Scan, and nothing deployed. The order of the keys is no order you could
    rely on. A string key's control characters are escaped in text; use jsonl where keys may hold such.

    With --output, a folder gets what a deployed run puts on S3: parts (in jsonl unless --format names another),
    checkpoints and a manifest. A rate and budgets hold for the whole listing, however often it is begun. `skipscan
    report` and `skipscan diff` read such folders. Ctrl-C ends the batch and keeps what it found.
    """
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    if given and output is None:
        raise click.UsageError(
            f"--{next(iter(given)).replace('_', '-')} needs --output, where it is kept what was read"
        )
    if (take or output is not None) and form == TEXT.name:
        form = JSONL.name
    elif output is not None and form not in STORED:
        raise click.UsageError(
            f"--format is {form}; the parts in a folder can be {', '.join(STORED)}: name one of them"
        )
    asked = parse(
        {
            "table": table_name,
            "index": index,
            "segments": segments,
            "workers": 1,
            "strategy": strategy,
            "optimize": optimize,
            "consistent_read": consistent_read,
            "take": take,
            "format": form if output is not None else JSONL.name,
            **given,
        }
    )
    check_room(form, asked.take)
    if form == PARQUET:
        check_not_shown()
    session = boto3.Session(region_name=region, profile_name=profile)
    notices: list[str] = []
    client = lean.dynamodb(session, WALKS, endpoint_url, notify=notices.append)
    if output is not None:
        _list_into(output, asked, client, session, summary, is_aws=endpoint_url is None)
        return
    decided = plan(asked, table.describe(client, asked.table))
    made = ParquetFile.begin(decided.source) if form == PARQUET else None
    write = made.add if made else _to_stdout(decided, form)
    begun = time.monotonic()
    batch = Batch(
        decided,
        Progress.start(decided, 0),
        bounds=Bounds(),
        clock=time.monotonic,
        random=random.random,
        epoch=datetime.now(UTC).timestamp() - time.monotonic(),
        write=write,
    )
    patience = Patience()
    scan = patience.scanning(table.Table(client, decided).scan)
    with Counting(sys.stderr, moving=sys.stderr.isatty() and not sys.stdout.isatty()) as counting:
        counting.counts = lambda: batch.counts
        error = run_batch(batch, scan, decided.walks, fault=patience.fault)
    _check(error, patience, asked)
    if made is not None:
        made.write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
    if sys.stderr.isatty():
        counting.total()
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


def _check(error: Exception | None, patience: Patience, asked: ExecutionInput) -> None:
    """Raise what kept the keys from being all."""
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


def _to_stdout(plan: Plan, form: str) -> Callable[[Sequence[Any]], int]:
    """Return the function that prints keys as they are found, after what a file in that format begins with."""
    encode = line_encoder(plan.source, form, plan.take)
    sys.stdout.buffer.write(format_of(form).header(plan.source))

    def write(found: Sequence[Any]) -> int:
        lines = b"".join(map(encode, found))
        sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()
        return len(lines)

    return write


def _list_into(
    folder: Path,
    asked: ExecutionInput,
    client: Any,
    session: boto3.Session,
    summary: Path | None,
    *,
    is_aws: bool,
) -> None:
    """List into a folder, say how it ended, and write the figures."""

    def prices(is_infrequent_access: bool) -> Prices:
        if not is_aws:  # another endpoint has no prices
            return default_prices(is_infrequent_access=is_infrequent_access)
        listed = price_list.client(session)
        return price_list.prices(listed, client.meta.region_name, is_infrequent_access=is_infrequent_access)

    listing = Listing(folder, asked, client, prices)
    with Counting(sys.stderr, moving=sys.stderr.isatty()) as counting, listing.stoppable():
        listing.watch = lambda counts: setattr(counting, "counts", counts)
        try:
            manifest = listing.run()
        except BudgetError as error:
            click.echo(f"skipscan: {error}", err=True)
            raise click.exceptions.Exit(RUN_FAILED) from None
    if manifest is None:
        click.echo(f"skipscan: stopped; {folder} holds what was found so far: {AGAIN}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    said = "" if listing.has_listed else f", listed from {manifest['started']} on: name a new folder to list them anew"
    click.echo(f"skipscan: {manifest['keys']:,} keys in {folder}{said}", err=True)
    if summary is not None:
        names = ("table", "index", "keys", "requests", "read_units", "segments", "seconds")
        figures = {name: manifest[name] for name in names}
        summary.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
