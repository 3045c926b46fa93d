"""The kept results of a full run, a row a line."""

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.limit.figures import Row


def write(rows: Sequence[Row], path: Path) -> None:
    lines = ",\n".join(json.dumps(row.to_json()) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def read(path: Path) -> list[Row]:
    return [Row.from_json(document) for document in json.loads(path.read_text())]
