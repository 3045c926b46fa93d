"""The writers' table of docs/scale.md: `python -m benchmarks.writers.document` writes it from results.json."""

from collections.abc import Mapping
from typing import Any

from benchmarks.kept import Block

REQUESTS = {
    "act put": "a PutItem with a condition",
    "retrofit": "an UpdateItem with a condition",
    "copy": "a PutItem with a condition",
    "BatchWriteItem": "a twenty-fifth of a request, no condition",
}


def table(results: Mapping[str, Any]) -> str:
    rows = ["| one worker | an item is | items a second | processor time an item |", "|---|---|---:|---:|"]
    for name, way in results["ways"].items():
        rows.append(f"| {name} | {REQUESTS[name]} | {way['rate']:,} | {way['cpu_milliseconds']:.2f} ms |")
    where = "on a busy machine with two processors, against a server that has its answers ready"
    return f"Measured on {results['measured']} {where}:\n\n" + "\n".join(rows)


WRITERS = Block("writers", "docs/scale.md", "writers", table)

if __name__ == "__main__":
    WRITERS.renew()
