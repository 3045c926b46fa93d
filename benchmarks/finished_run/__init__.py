"""What a finished run takes until it is compared and in other formats, beside DuckDB and pyarrow."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "What does it take to compare two runs, and to convert one?"
MEASURED = (
    "The commands diff and download over runs in folders, and programs with DuckDB and pyarrow that write the same "
    "keys in the same order: each whole program, from its start to its end."
)
QUICK_KEYS = 500_000
LABELS = {"diff": "diff of twice", "text": "download of", "csv": "csv of", "parquet": "Parquet of"}
PEERS = {"duckdb": "DuckDB", "pyarrow": "pyarrow"}


def quick() -> dict[str, Any]:
    from benchmarks.finished_run.report import compared  # noqa: PLC0415 - boto3 is slow to import

    return {"finished_run": compared(QUICK_KEYS)}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the commands stand beside DuckDB and pyarrow doing the same."""
    of = figures["finished_run"]
    for work, programs in of["beside"].items():
        (_, ours), *peers = programs.items()
        for peer, taken in peers:
            for figure, shown in (("cpu_seconds", "seconds of processor time"), ("peak_mb", "MB of memory at most")):
                label = f"{LABELS[work]} {of['keys']:,} keys, {shown}"
                yield Standing.less(Kind.HERE, PEERS[peer], label, ours[figure], taken[figure])
