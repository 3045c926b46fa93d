"""The figures of docs/scale.md: the ways to list the keys, and runs of any size compared with the services' limits.

`python -m benchmarks.blog_table.document` renews them from results.json.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.blog_table import report
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.scale import Scale
from benchmarks.blog_table.turns import LAMBDA_SECONDS
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.listing.execution_input import MAX_WORKERS

DOCUMENT = Path(__file__).parents[2] / "docs/scale.md"
BILLIONS = 10**10

STATE_BYTES = 256 * 1024
HISTORY_EVENTS = 25_000
YEAR_HOURS = 365 * 24  # the maximum duration of an execution
TABLE_READ_UNITS_PER_SECOND = 40_000  # a default quota that AWS raises on request
FINISH_MB = 1024


class Row(NamedTuple):
    """A figure, its limit, and whether it grows in proportion to the number of keys."""

    name: str
    value: Callable[[Scale], float]
    limit: float | None = None
    digits: int = 0
    grows: bool = False

    def show(self, scale: Scale) -> str:
        return f"{self.value(scale):,.{self.digits}f}"

    def met_at(self, scale: Scale) -> float:
        """Return the billions of keys at which so many workers reach the limit."""
        more = replace(scale, keys=2 * scale.keys, asked_workers=scale.workers)
        value = self.value(scale)
        return scale.keys / 1e9 * (1 + ((self.limit or 0.0) - value) / (self.value(more) - value))

    def show_limit(self) -> str:
        return "-" if self.limit is None else f"{self.limit:,.0f}"


ROWS = [
    Row("table, TB", lambda s: s.table_bytes / 1e12),
    Row("read units", lambda s: s.read_units),
    Row("dollars", lambda s: s.dollars, digits=2),
    Row("workers", lambda s: s.workers, MAX_WORKERS),
    Row("segments, chosen by Plan", lambda s: s.segments, MAX_SEGMENTS),
    Row("read units per second", lambda s: s.read_units_per_second, TABLE_READ_UNITS_PER_SECOND),
    Row("hours", lambda s: s.hours, YEAR_HOURS, digits=1, grows=True),
    Row("loop turns, per worker", lambda s: s.turns),
    Row("history events, per worker", lambda s: s.history_events, HISTORY_EVENTS, grows=True),
    Row("bytes of a worker's state", lambda s: s.measured.state_bytes or 0, STATE_BYTES),
    Row("bytes of all reports", lambda s: s.report_bytes, STATE_BYTES),
    Row("parts", lambda s: s.parts),
    Row("manifest, MB", lambda s: s.manifest_mb, digits=1),
    Row("memory of Finish, MB", lambda s: s.finish_memory_mb, FINISH_MB, grows=True),
    Row("seconds of Finish", lambda s: s.finish_seconds, LAMBDA_SECONDS, grows=True),
]


def limits(results: Results) -> str:
    """Return every figure at four sizes, and the sizes at which limits are reached."""
    few, many = results.finish
    measured = results.tables[1][-1]

    def scale(keys: int, workers: int | None = None) -> Scale:
        return Scale(measured, (few, many), keys, workers)

    chosen, most = scale(BILLIONS), scale(BILLIONS, MAX_WORKERS)
    heads = ["2 million keys", "20 million", "10 billion", f"10 billion, {MAX_WORKERS:,} workers"]
    scales = [scale(2_000_000), scale(20_000_000), chosen, most]
    rows = [["", "limit", *heads]]
    rows += [[row.name, row.show_limit(), *map(row.show, scales)] for row in ROWS]
    met = [["billions of keys at which it is met", f"{chosen.workers} workers, as chosen", f"{MAX_WORKERS:,} workers"]]
    for row in ROWS:
        if row.grows:
            met.append([f"{row.name}: {row.show_limit()}", *(f"{row.met_at(scale):,.1f}" for scale in (chosen, most))])
    return f"{report.table(rows)}\n\n{report.table(met)}"


def put_in(document: str, results: Results) -> str:
    """Return the text of docs/scale.md with the figures between their marks."""
    blocks = {
        "ways": f"Measured on {results.measured}.\n\n{report.ways(results.tables[0])}\n\n{report.notes()}",
        "limits": limits(results),
    }
    for name, block in blocks.items():
        begin, rest = document.split(f"<!-- {name}:begin -->")
        _, end = rest.split(f"<!-- {name}:end -->")
        document = f"{begin}<!-- {name}:begin -->\n{block}\n<!-- {name}:end -->{end}"
    return document


def put_in_docs(results: Results) -> None:
    DOCUMENT.write_text(put_in(DOCUMENT.read_text(), results))


if __name__ == "__main__":
    put_in_docs(Results.load())
