"""The kept results of a full run, one row on each line, and the summary of each size."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.limit.figures import Row, summary

COLLECTIONS = (20_000, 2_000, 300)


def write(rows: Sequence[Row], path: Path) -> None:
    lines = ",\n".join(json.dumps(row.to_json()) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def read(path: Path) -> list[Row]:
    return [Row.from_json(document) for document in json.loads(path.read_text())]


def summaries(rows: Sequence[Row], counted: str = "cost") -> Mapping[int, Mapping[str, float]]:
    """Return the summary of each measured size, the largest first."""
    of = [row for row in rows if row.counted == counted]
    sizes = sorted({row.collections for row in of}, reverse=True)
    return {size: summary([row for row in of if row.collections == size]) for size in sizes}


def cell(said: Mapping[str, float], name: str) -> str:
    """Return a ratio as a table shows it, or an empty text if it was not measured."""
    return f"{said[name]:.3f}" if name in said else ""
