"""`skipscan keys TABLE`: print the keys while they are found, or list into a folder that allows continuing."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import boto3
import click
from botocore.exceptions import BotoCoreError

from skipscan.aws import lean
from skipscan.aws.faults import scrub
from skipscan.cli.as_options import as_options
from skipscan.cli.counting import Counting
from skipscan.cli.exit_status import INTERRUPTED, RUN_FAILED
from skipscan.cli.key_files import check_not_shown, check_room, is_unnamed
from skipscan.cli.main import option_names
from skipscan.cli.output import check_not_of
from skipscan.cli.say import say
from skipscan.cli.waiting import waiting
from skipscan.dynamodb.prices import Prices
from skipscan.errors import BudgetError
from skipscan.library.into_folder import AGAIN, Listing
from skipscan.library.parquet import PARQUET, ParquetFile
from skipscan.library.stream import Stream
from skipscan.lines.formats import STORED, header, line_encoder
from skipscan.lines.jsonl import JSONL
from skipscan.listing.aws import price_list
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.quantities import stamp
from skipscan.scan.plan import Plan
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
    prices = price_list.of_class(session, client.meta.region_name, is_aws=endpoint_url is None)
    if output is not None:
        _list_into(output, asked, client, prices, summary)
        return
    with waiting("reading the table's description"):
        stream = Stream(asked, client, prices, _say_above)
    decided = stream.plan
    made = ParquetFile.begin(decided.source.line, decided.take) if form == PARQUET else None
    begun, stopped = time.monotonic(), None
    with Counting(sys.stderr, moving=sys.stderr.isatty() and not sys.stdout.isatty()) as counting:
        counting.counts = lambda: stream.counts
        try:
            _run(stream, made.add if made else _to_stdout(decided, form))
        except BudgetError as error:  # the keys so far are paid for, and are written
            stopped = error
    if made is not None:
        made.write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
    counting.total()
    if summary is not None:
        counts = stream.counts
        figures = {
            "table": asked.table,
            "index": asked.index,
            **counts.to_json(),
            "segments": decided.segments,
            "seconds": round(time.monotonic() - begun, 3),
        }
        _summarize(summary, figures)
    if stopped is not None:
        _end_of_budget(stopped)


def _end_of_budget(error: BudgetError) -> NoReturn:
    say(as_options(error.text, option_names("keys")))
    raise click.exceptions.Exit(RUN_FAILED)


def _say_reasons(notices: Iterable[str]) -> None:
    """Print once why boto3 made the requests, however the command ended."""
    for reason in dict.fromkeys(notices):
        say(reason)


def _say_above(message: str) -> None:
    """Print a message above the line that `Counting` redraws; `click.echo` would write behind it."""
    sys.stderr.write(f"skipscan: {message}\n")


def _run(stream: Stream, write: Callable[[Sequence[Any]], int]) -> None:
    """List to the end; raise the error that ended the listing early, in a form that may be shown."""
    try:
        stream.run(write)
    except BrokenPipeError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and not isinstance(error, BotoCoreError):
            raise OSError(error.errno, os.strerror(error.errno or 0)) from None  # of stdout, such as a full disk
        raise scrub(error) from None


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
    prices: Callable[[bool], Prices],
    summary: Path | None,
) -> None:
    """List into a folder, report how it ended, and write the figures."""
    listing = Listing(folder, asked, client, prices, say=_say_above)
    try:
        with Counting(sys.stderr, moving=sys.stderr.isatty()) as counting, listing.stoppable():
            listing.watch = lambda counts: setattr(counting, "counts", counts)
            manifest = listing.run()
    except BudgetError as error:
        counting.total()
        _end_of_budget(error)
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
