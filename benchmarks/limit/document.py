"""The figures in docs/limit.md, and the plot beside it, as the kept results have them."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.limit.figures import Row, summary
from benchmarks.limit.plot import plot

RESULTS = Path(__file__).parent / "results.json"
PAGE = Path("docs/limit.md")
PLOT = Path("docs/images/limit.svg")
BEGIN, END = "<!-- limit:begin -->\n", "<!-- limit:end -->"


def block(rows: Sequence[Row]) -> str:
    """Return the table of the summary: 20,000 and 5,000 collections, by cost and by read units alone."""
    summaries = {size: summary([row for row in rows if row.collections == size]) for size in (20_000, 5_000)}
    columns = [(size, counted) for size in summaries for counted in ("cost", "read_units")]
    head = ["| |", *(f" {size:,} collections, {counted.replace('_', ' ')} |" for size, counted in columns)]
    lines = ["".join(head), "|---|" + "---:|" * len(columns)]
    names = [name for name in summaries[20_000]["cost"] if not name.startswith("policy")]
    for name in names:
        cells = (f" {summaries[size][counted][name]:.3f} |" for size, counted in columns)
        lines.append(f"| `{name}` |" + "".join(cells))
    return "\n".join(lines) + "\n"


def with_block(text: str, rows: Sequence[Row]) -> str:
    """Return the page with the table renewed."""
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:begin] + block(rows) + text[end:]


def renew(rows: Sequence[Row]) -> None:
    """Write both files anew."""
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    plot(rows, PLOT)
    PAGE.write_text(with_block(PAGE.read_text(), rows))
