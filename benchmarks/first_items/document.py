"""The figures of docs/first-items.md: `python -m benchmarks.first_items.document` writes them from results.json."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.first_items.results import Results
from benchmarks.first_items.way import EXPORT, Way
from benchmarks.kept import with_block

DOCUMENT = Path(__file__).parents[2] / "docs/first-items.md"
BEGIN, END = "<!-- items:begin -->\n", "<!-- items:end -->"


def table(ways: Sequence[Way]) -> str:
    rows = ["| way | read units | requests | seconds | whole dollars |", "|---|---:|---:|---:|---:|"]
    return "\n".join([*rows, *map(_row, ways)])


def _row(way: Way) -> str:
    if way.name == EXPORT:
        return f"| {way.name} | 0 | | minutes | {_dollars(way.dollars)} |"
    seconds = way.seconds or 0.0
    shown = f"{seconds:.2f}" if seconds < 60 else f"{seconds:,.0f}"
    return f"| {way.name} | {way.read_units:,.1f} | {way.requests:,} | {shown} | {_dollars(way.dollars)} |"


def _dollars(dollars: float) -> str:
    return f"{dollars:.5f}" if dollars < 0.1 else f"{dollars:,.{3 if dollars < 1 else 2}f}"


def put_in(document: str, results: Results) -> str:
    """Return the text of the page with the figures between their marks."""
    block = (
        f"Measured on {results.measured}. The demo's table (400 customers with 213 orders on average), 5 ms away:\n\n"
        f"{table(results.demo)}\n\n"
        "The blog's table, 2 million keys with 1,000 items of 500 bytes each; seconds without the plan's sample:\n\n"
        f"{table(results.blog)}\n"
    )
    return with_block(document, BEGIN, END, block)


def put_in_docs(results: Results) -> None:
    DOCUMENT.write_text(put_in(DOCUMENT.read_text(), results))


if __name__ == "__main__":
    put_in_docs(Results.load())
