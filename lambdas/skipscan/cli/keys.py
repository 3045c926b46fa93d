"""`skipscan keys TABLE`: print the keys while they are found, or list into a folder that allows continuing."""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import boto3
import click
from botocore.exceptions import BotoCoreError

from skipscan.aws import lean, price_list, table
from skipscan.aws.distance import useful_walks
from skipscan.aws.faults import scrub
from skipscan.cli.as_options import as_options
from skipscan.cli.counting import Counting
from skipscan.cli.exit_status import INTERRUPTED, RUN_FAILED
from skipscan.cli.key_files import check_not_shown, check_room, is_unnamed
from skipscan.cli.main import option_names
from skipscan.cli.output import check_not_of
from skipscan.cli.say import say
from skipscan.cli.waiting import waiting
from skipscan.dynamodb.prices import Prices, default_prices
from skipscan.errors import BudgetError
from skipscan.inputs.fields import option_name
from skipscan.library.into_folder import AGAIN, Listing
from skipscan.library.parquet import PARQUET, ParquetFile
from skipscan.library.patience import Patience, throttled
from skipscan.lines.formats import STORED, header, line_encoder
from skipscan.lines.jsonl import JSONL
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.listing.planning import plan_listing
from skipscan.loop.run_batch import run_batch
from skipscan.pace.bounds import Bounds
from skipscan.pace.clock import Clock
from skipscan.quantities import stamp
from skipscan.scan.batch import Batch
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanProgress
from skipscan.scan.width import MOST_WALKS


def keys(
    *,
    table_name: str,
    region: str | None,
    profile: str | None,
    endpoint_url: str | None,
    form: str,
    output: Path | None,
    summary: Path | None,
    **asked_for: Any,
) -> None:
    """Carry out `skipscan keys`."""
    bounds = [name for name, value in asked_for.items() if name.startswith("max_") and value is not None]
    if bounds and output is None:
        raise click.UsageError(f"{option_name(bounds[0])} needs --output: the folder keeps count of what was read")
    if (asked_for["take"] or output is not None) and is_unnamed(form):
        form = JSONL.name
    elif output is not None and form not in STORED:
        raise click.UsageError(f"--format is {form}; a folder can contain {', '.join(STORED)}: use one of them")
    if output is not None:
        check_not_of(output, summary)
    asked = parse(
        {
            "table": table_name,
            "workers": 1,
            "format": form if output is not None else JSONL.name,
            **asked_for,
        }
    )
    if form == PARQUET:
        check_not_shown()
    elif asked.take is not None:
        check_room(form)
    session = boto3.Session(region_name=region, profile_name=profile)
    notices: list[str] = []

    def notify(reason: str, continues: bool) -> None:
        notices.append(reason if continues else f"boto3 made all requests: {reason}")

    client = lean.lean_dynamodb(session, MOST_WALKS, endpoint_url, notify=notify)
    click.get_current_context().call_on_close(lambda: _say_reasons(notices))
    if output is not None:
        _list_into(output, asked, client, session, summary, is_aws=endpoint_url is None)
        return
    with waiting("reading the table's description"):
        description = table.describe(client, asked.table)
        walks = useful_walks(client, asked.table)
    decided = plan_listing(asked, description, walks=walks)
    made = ParquetFile.begin(decided.source, decided.take) if form == PARQUET else None
    write = made.add if made else _to_stdout(decided, form)
    begun = time.monotonic()
    batch = Batch(
        decided,
        ScanProgress.start(decided, 0),
        bounds=Bounds(),
        clock=Clock.started(),
        random=random.random,
        write=write,
    )
    patience = Patience()
    scan = patience.scanning(table.Table(client, decided).scan)
    with Counting(sys.stderr, moving=sys.stderr.isatty() and not sys.stdout.isatty()) as counting:
        counting.counts = lambda: batch.counts
        error = run_batch(batch, scan, MOST_WALKS, fault=patience.fault, wanted=lambda: batch.wanted)
    _check(error, patience, asked)
    if made is not None:
        made.write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
    counting.total()
    if summary is not None:
        counts = batch.counts
        figures = {
            "table": asked.table,
            "index": asked.index,
            **counts.to_json(),
            "segments": decided.segments,
            "seconds": round(time.monotonic() - begun, 3),
        }
        _summarize(summary, figures)


def _say_reasons(notices: Iterable[str]) -> None:
    """Print once why boto3 made the requests, however the command ended."""
    for reason in dict.fromkeys(notices):
        say(reason)


def _check(error: Exception | None, patience: Patience, asked: ExecutionInput) -> None:
    """Raise the error that ended the listing early, if any."""
    if patience.is_over:
        raise throttled(asked.table, "start again; the keys so far are incomplete")
    if isinstance(error, BrokenPipeError):
        raise error
    if isinstance(error, OSError) and not isinstance(error, BotoCoreError):
        raise OSError(error.errno, os.strerror(error.errno or 0))  # of stdout, such as a full disk
    if error is not None:
        raise scrub(error)


def _to_stdout(plan: Plan, form: str) -> Callable[[Sequence[Any]], int]:
    """Return the function that prints keys while they are found, after the format's header."""
    encode = line_encoder(plan.source, form, plan.take)
    sys.stdout.buffer.write(header(plan.source, form, plan.take))

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
    """List into a folder, report how it ended, and write the figures."""

    def prices(is_infrequent_access: bool) -> Prices:
        if not is_aws:  # another endpoint has no prices
            return default_prices(is_infrequent_access=is_infrequent_access)
        listed = price_list.pricing_client(session)
        return price_list.prices(listed, client.meta.region_name, is_infrequent_access=is_infrequent_access)

    listing = Listing(folder, asked, client, prices)
    try:
        with Counting(sys.stderr, moving=sys.stderr.isatty()) as counting, listing.stoppable():
            listing.watch = lambda counts: setattr(counting, "counts", counts)
            manifest = listing.run()
    except BudgetError as error:
        counting.total()
        say(as_options(error.text, option_names("keys")))
        raise click.exceptions.Exit(RUN_FAILED) from None
    counting.total()
    if manifest is None:
        say(f"stopped. {folder} holds the keys found so far: {AGAIN}")
        raise click.exceptions.Exit(INTERRUPTED)
    said = "" if listing.has_listed else f", listed {stamp(manifest['started'])}. To list again, use a new folder"
    say(f"{manifest['keys']:,} keys in {folder}{said}")
    if summary is not None:
        _summarize(summary, manifest)


SUMMARY = ("table", "index", "keys", "requests", "read_units", "segments", "seconds")


def _summarize(file: Path, figures: Mapping[str, Any]) -> None:
    """Write the figures of a listing as JSON."""
    chosen = {name: figures[name] for name in SUMMARY}
    file.write_text(json.dumps(chosen, indent=2) + "\n", encoding="utf-8")
