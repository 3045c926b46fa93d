"""The race of docs/retrofit.md: `python -m benchmarks.retrofit.document` writes it from results.json."""

from collections.abc import Mapping
from typing import Any

from benchmarks.kept import Block
from benchmarks.retrofit.report import ROWS, both


def table(results: Mapping[str, Any]) -> str:
    return (
        f"Measured on {results['measured']} with {results['items']:,} items on dynalite, on a busy machine; on AWS "
        f"the write capacity sets the pace:\n\n{both(ROWS, results)}"
    )


RETROFIT = Block("retrofit", "docs/retrofit.md", "race", table)

if __name__ == "__main__":
    RETROFIT.renew()
