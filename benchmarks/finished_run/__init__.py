"""What a finished run takes until it is compared and in other formats, beside DuckDB and pyarrow."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing

QUICK_KEYS = 1_000_000


def quick() -> dict[str, Any]:
    from benchmarks.finished_run.report import report  # noqa: PLC0415 - boto3 is slow to import

    return {"finished_run": report(QUICK_KEYS)}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the commands stand beside DuckDB and pyarrow doing the same."""
    of = figures["finished_run"]
    for work, programs in of["beside"].items():
        (_, ours), *peers = programs.items()
        for peer, taken in peers:
            for figure, shown in (("cpu_seconds", "seconds of processor time"), ("peak_mb", "MB at most")):
                yield Standing.less(peer, f"{work} of {of['keys']:,} keys, {shown}", ours[figure], taken[figure])
