"""Write the figures of docs/limit.md and its plot from the kept results."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.kept import with_block
from benchmarks.limit.figures import Row
from benchmarks.limit.plot import plot
from benchmarks.limit.results import cell, summaries

RESULTS = Path(__file__).parent / "results.json"
PAGE = Path("docs/limit.md")
PLOT = Path("docs/images/limit.svg")
BEGIN, END = "<!-- limit:begin -->\n", "<!-- limit:end -->"


def block(rows: Sequence[Row]) -> str:
    """Return the summary as a Markdown table with a column for each size."""
    by_size = summaries(rows)
    lines = ["| |" + "".join(f" {size:,} collections |" for size in by_size), "|---|" + "---:|" * len(by_size)]
    for name in dict.fromkeys(name for said in by_size.values() for name in said):
        lines.append(f"| {name} |" + "".join(f" {cell(said, name)} |" for said in by_size.values()))
    return "\n".join(lines) + "\n"


def with_table(text: str, rows: Sequence[Row]) -> str:
    """Return the page with a new table."""
    return with_block(text, BEGIN, END, block(rows))


def renew(rows: Sequence[Row]) -> None:
    """Write the page and the plot."""
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    plot(rows, PLOT)
    PAGE.write_text(with_table(PAGE.read_text(), rows))
