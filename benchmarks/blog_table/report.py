"""The figures as Markdown tables, which are also readable in a terminal."""

from collections.abc import Callable, Sequence

from benchmarks.blog_table.measurement import Measurement
from benchmarks.blog_table.pace import WAIT_SECONDS
from skipscan.dynamodb.prices import US_EAST_1

BLOG_READ_UNITS = {"full scan": "125,000,000", "marker index": "37,500", "the blog's Limit=1": "1,000,000"}
"""For 2 million collections, as in the blog."""

ROWS: dict[str, Callable[[Measurement], str]] = {
    "read units": lambda f: f"{f.read_units:,.1f}",
    "… of them for the sample": lambda f: "-" if f.sampled_units is None else f"{f.sampled_units:,.1f}",
    "requests": lambda f: f"{f.requests:,}",
    "client CPU, seconds": lambda f: f"{f.client_cpu_seconds:,.0f}",
    "workers": lambda f: _count(f.workers),
    "segments": lambda f: _count(f.segments),
    "requests per second": lambda f: f"{f.requests_per_second:,.0f}",
    "minutes": lambda f: f"{60 * f.hours + f.plan_seconds / 60:.1f}",
    "peak memory, MB": lambda f: _count(f.peak_memory_mb),
    "… after the first batch": lambda f: _count(f.first_batch_memory_mb),
    "bytes of state": lambda f: _count(f.state_bytes),
    "loop turns, per worker": lambda f: _count(f.turns),
    "history events, per worker": lambda f: _count(f.history_events),
    "parts": lambda f: _count(f.parts),
    "$ read units": lambda f: f"{f.bill.units:,.4f}",
    "$ Lambda": lambda f: f"{f.bill.lambda_:,.4f}",
    "$ Step Functions": lambda f: f"{f.bill.step_functions:,.4f}",
    "$ S3": lambda f: f"{f.bill.s3:,.4f}",
    "$ together": lambda f: f"{f.bill.total:,.4f}",
    "share walked": lambda f: f"{f.share:.1%}",
}


def ways(figures: Sequence[Measurement]) -> str:
    """Return a row per figure and a column per way."""
    rows = [["", *(f.way for f in figures)]]
    if figures[0].collections == 2_000_000:
        rows.append(["read units, says the blog", *(BLOG_READ_UNITS.get(f.way, "-") for f in figures)])
    rows += [[name, *map(show, figures)] for name, show in ROWS.items()]
    return table(rows)


def notes() -> str:
    """Return the notes below the figures."""
    return (
        "The blog counts a terabyte as 10^12 bytes and 4 KB as 4,000; DynamoDB bills steps of 4,096 bytes for pages of "
        "2,098 whole items, 128.5 read units each.\n"
        "Client CPU is measured, the fastest of five rounds on a busy machine, over HTTP without encryption; the "
        "blog's sample uses boto3. "
        f"Minutes and Lambda: that, and {WAIT_SECONDS * 1000:.0f} ms of waiting for each request, shared by a worker's "
        "walks.\n"
        f"Dollars: {US_EAST_1.region}, {US_EAST_1.read_units.as_of}, AWS price list; "
        f"read units on demand at ${US_EAST_1.read_units.dollars_per_million} a million. "
        "Where less than the whole was walked, the rest is extrapolated."
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table with the first row as its head; all columns but the first are right-aligned."""
    first, *others = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *body = [
        " | ".join([row[0].ljust(first), *(cell.rjust(width) for cell, width in zip(row[1:], others, strict=True))])
        for row in rows
    ]
    rule = " | ".join(["-" * first, *(f"{'-' * (width - 1)}:" for width in others)])
    return "\n".join(f"| {line} |" for line in [head, rule, *body])


def _count(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f}"
