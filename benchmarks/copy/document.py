"""The race of docs/copy.md: `python -m benchmarks.copy.document` writes it from results.json."""

from collections.abc import Mapping
from typing import Any

from benchmarks.copy.report import ROWS
from benchmarks.kept import Block
from benchmarks.retrofit.report import both


def table(results: Mapping[str, Any]) -> str:
    return (
        f"Measured on {results['measured']} with {results['items']:,} items on dynalite, on a busy machine; on AWS "
        f"the write capacity sets the pace:\n\n{both(ROWS, results)}"
    )


COPY = Block("copy", "docs/copy.md", "race", table)

if __name__ == "__main__":
    COPY.renew()
