"""The writers' table of docs/scale.md: `python -m benchmarks.writers.document` writes it from results.json."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.kept import with_block
from benchmarks.writers.rates import Figures

RESULTS = Path(__file__).with_name("results.json")
DOCUMENT = Path(__file__).parents[2] / "docs/scale.md"
BEGIN, END = "<!-- writers:begin -->\n", "<!-- writers:end -->"
REQUESTS = {
    "act put": "a PutItem with a condition",
    "retrofit": "an UpdateItem with a condition",
    "copy": "a PutItem with a condition",
    "BatchWriteItem": "a twenty-fifth of a request, no condition",
}


def save(figures: Figures) -> None:
    document = {"measured": f"{datetime.now(UTC):%Y-%m-%d}", "ways": figures}
    RESULTS.write_text(json.dumps(document, indent=2) + "\n")


def table(results: dict[str, Any]) -> str:
    rows = ["| one worker | an item is | items a second | processor time an item |", "|---|---|---:|---:|"]
    for name, way in results["ways"].items():
        rows.append(f"| {name} | {REQUESTS[name]} | {way['rate']:,} | {way['cpu_milliseconds']:.2f} ms |")
    where = "on a busy machine with two processors, against a server that has its answers ready"
    return f"Measured on {results['measured']} {where}:\n\n" + "\n".join(rows)


def put_in(document: str) -> str:
    """Return the text of the page with the figures between their marks."""
    return with_block(document, BEGIN, END, f"{table(json.loads(RESULTS.read_text()))}\n")


def put_in_docs() -> None:
    DOCUMENT.write_text(put_in(DOCUMENT.read_text()))


if __name__ == "__main__":
    put_in_docs()
