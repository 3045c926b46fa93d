"""The table of decision 0037: `python -m benchmarks.finished_run.document` writes it from results.json."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.kept import with_block

RESULTS = Path(__file__).with_name("results.json")
DOCUMENT = Path(__file__).parents[2] / "docs/decisions/0037-piles-and-plain-keys.md"
BEGIN, END = "<!-- finished-run:begin -->\n", "<!-- finished-run:end -->"
WORKS = {"diff": "`diff`", "text": "`download`", "csv": "`--format csv`", "parquet": "`--format parquet`"}


def save(figures: Mapping[str, Any]) -> None:
    RESULTS.write_text(json.dumps({"measured": f"{datetime.now(UTC):%Y-%m-%d}", **figures}, indent=2) + "\n")


def table(results: Mapping[str, Any]) -> str:
    """Return the works, each with the processor time and the peak memory of every program."""
    programs = list(results["beside"]["diff"])
    rows = [f"| {results['keys']:,} keys | {' | '.join(programs)} | of DuckDB's time |", f"|---|{'---:|' * 4}"]
    for work, taken in results["beside"].items():
        cells = (f"{each['cpu_seconds']:.1f} s, {each['peak_mb']:,} MB" for each in taken.values())
        ratio = taken["skipscan"]["cpu_seconds"] / taken["duckdb"]["cpu_seconds"]
        rows.append(f"| {WORKS[work]} | {' | '.join(cells)} | {ratio:.1f} |")
    return f"Measured on {results['measured']}: processor time and peak memory of the whole program.\n\n" + "\n".join(
        rows
    )


def put_in(document: str) -> str:
    """Return the text of the page with the figures between their marks."""
    return with_block(document, BEGIN, END, f"{table(json.loads(RESULTS.read_text()))}\n")


def put_in_docs() -> None:
    DOCUMENT.write_text(put_in(DOCUMENT.read_text()))


if __name__ == "__main__":
    put_in_docs()
