"""The table of decision 0037: `python -m benchmarks.finished_run.document` writes it from results.json."""

from collections.abc import Mapping
from typing import Any

from benchmarks.kept import Block

WORKS = {"diff": "`diff`", "text": "`download`", "csv": "`--format csv`", "parquet": "`--format parquet`"}


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


FINISHED_RUN = Block("finished_run", "docs/decisions/0037-piles-and-plain-keys.md", "finished-run", table)

if __name__ == "__main__":
    FINISHED_RUN.renew()
