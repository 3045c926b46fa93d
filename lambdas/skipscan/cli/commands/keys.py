"""`skipscan keys TABLE`: print the keys while they are found, or list into a folder that allows continuing."""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from skipscan.cli.at import At
from skipscan.cli.options import (
    ELSEWHERE,
    connection_options,
    examples,
    field_options,
    grouped_command,
    option,
    table_argument,
    take_options,
)
from skipscan.cli.output import check_distinct_files, check_not_of, write_json, written_to
from skipscan.cli.say import can_redraw, waiting
from skipscan.cli.work_options import file_option, format_option
from skipscan.errors import BudgetError, InputError
from skipscan.folder.files import FINISHED, REFUSE, local_folder
from skipscan.inputs.fields import OptionGroup
from skipscan.lines.formats import STORED, TEXT, header, line_encoder
from skipscan.listing.execution_input import parse
from skipscan.listing.fields import FIELDS

if TYPE_CHECKING:
    from skipscan.lines.absent import Absent
    from skipscan.scan.plan import Plan


@grouped_command(
    epilog=examples(
        "skipscan keys Orders --output customers.txt",
        "skipscan keys Orders --index by-status --format jsonl --summary summary.json",
        "skipscan keys Orders --folder orders --max-read-units-per-second 500 --max-dollars 2",
        "skipscan keys Orders --first status > first-orders.jsonl",
        "skipscan keys Orders --last status --prefix 2026- --format csv > latest-orders.csv",
        "skipscan keys Orders --only tenants.txt --items all --format dynamodb-jsonl > items.jsonl",
        "skipscan keys Orders --since 2026-06-01 > since-june.txt",
    ),
)
@table_argument
@field_options(FIELDS, *ELSEWHERE, "workers", "compare", "max_dollars", "only_run")
@take_options
@connection_options
@format_option()
@option(
    OptionGroup.PLACE,
    "--folder",
    type=click.Path(file_okay=False),
    callback=lambda _context, _option, value: None if value is None else local_folder(value),
    help="Write the keys in parts to this folder, not to stdout. If interrupted, `skipscan resume FOLDER` continues.",
)
@option(
    OptionGroup.PLACE,
    "--finished",
    type=click.Choice(FINISHED),
    help="Of a folder whose listing is finished: refuse it (default), keep its keys, or remove them and list again.",
)
@option(OptionGroup.SPEND, "--max-dollars", type=float, help="Budget in dollars for read units. On-demand tables only.")
@file_option("--output", "-o", help="Write the keys to this file.")
@file_option("--summary", help="Write the figures to this file, as JSON.")
def keys_command(
    *,
    at: At,
    table_name: str,
    form: str | None,
    folder: Path | None,
    output: Path | None,
    finished: str | None,
    summary: Path | None,
    **options: Any,
) -> None:
    """Print the distinct partition keys of TABLE (a name or an ARN), one a line, as they are found.

    Needs no deployment, only dynamodb:DescribeTable and dynamodb:Scan, with --only, --last, or --items or --count of a
    range, also dynamodb:Query. Keys come in no particular order. Format text escapes control characters in string keys;
    use jsonl if keys may contain them.

    With --folder, the folder gets what a deployed run writes to S3: parts (jsonl unless --format says otherwise),
    checkpoints and a manifest. Ctrl-C keeps what was found, and the same command continues. `skipscan report`,
    `skipscan diff` and `skipscan download` read the folder.

    A budget ends the command with status 3, after the keys that it paid for. With --folder it covers the whole listing,
    however often that is interrupted, and `skipscan resume FOLDER` with a larger one continues.
    """
    from skipscan.cli.into_folder import Counting, client_and_prices, end_of_budget, listed_into, say_above, summary_of
    from skipscan.cli.key_files import check_not_shown, check_room, say_absent
    from skipscan.library.parquet import PARQUETS, ParquetFile, numbers_of
    from skipscan.library.stream import Stream
    from skipscan.lines.absent import Absent
    from skipscan.lines.json_lines import JSONL

    if form is None:
        form = JSONL.name if options["take"] or folder is not None else TEXT.name
    elif folder is not None and form not in STORED:
        raise InputError(
            "--format",
            form,
            f"a folder can contain {', '.join(STORED)}",
            f"use dynamodb-jsonl, and skipscan download with --format {form}",
        )
    if folder is not None:
        if output is not None:
            raise InputError("--output", str(output), "a folder gets its own files", "leave --folder or --output out")
        check_not_of(folder, summary)
    elif finished is not None:
        raise InputError("--finished", finished, "only a folder keeps a listing", "add --folder, or leave it out")
    listing_input = parse(
        {
            "table": table_name,
            "workers": 1,
            "format": form if folder is not None else JSONL.name,
            **options,
        }
    )
    check_distinct_files("--output", output, "--summary", summary)
    check_not_shown(form, output)
    if form not in PARQUETS and listing_input.take.members:
        check_room(form)
    client, prices = client_and_prices(at)
    if folder is not None:
        manifest = listed_into(folder, listing_input, client, prices, finished or REFUSE)
        if summary is not None:
            write_json(summary, summary_of(manifest))
        return
    with waiting("reading the table's description"):
        stream = Stream(listing_input, client, prices, say_above)
    decided = stream.plan
    made = ParquetFile(decided.source.line, decided.take, numbers_of(form)) if form in PARQUETS else None
    absent = Absent(decided.source.line, decided.take)
    start, stopped = time.monotonic(), None
    is_moving = can_redraw() and (output is not None or not sys.stdout.isatty())
    counting = Counting(sys.stderr, listing_input.labels, stream, moving=is_moving)
    with written_to(output) as file, counting.drawing:
        try:
            write = made.add if made else _as_lines(decided, form, file)
            stream.run(partial(_see_and_write, absent, write))
        except BudgetError as error:  # the keys so far are paid for, and are written
            stopped = error
        if made is not None:
            made.write(file)
    counting.total()
    say_absent(absent, decided.only.keys if decided.only else None, stream.counts.keys)
    if summary is not None:
        figures = {
            "table": listing_input.table,
            "index": listing_input.index,
            **vars(stream.counts),
            "segments": decided.segments,
            "seconds": round(time.monotonic() - start, 3),
        }
        write_json(summary, summary_of(figures))
    if stopped is not None:
        end_of_budget(stopped)


def _see_and_write(absent: "Absent", write: Callable[[Sequence[Any]], int], found: Sequence[Any]) -> int:
    absent.see(found)
    return write(found)


def _as_lines(plan: "Plan", form: str, file: IO[bytes]) -> Callable[[Sequence[Any]], int]:
    """Return the function that writes keys while they are found, after the format's header."""
    encode = line_encoder(plan.source, form, plan.take)
    file.write(header(plan.source, form, plan.take))

    def write(found: Sequence[Any]) -> int:
        lines = b"".join(map(encode, found))
        file.write(lines)
        file.flush()
        return len(lines)

    return write
