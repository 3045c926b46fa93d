"""How often do an estimate's intervals contain the true figure? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing

PROMISED = 0.95


def quick() -> dict[str, Any]:
    """Print and return the coverage over 40 tables of at most 10,000 keys."""
    from benchmarks.estimate.coverage import coverage, show  # noqa: PLC0415  (numpy takes its time)

    rows = coverage(range(7000, 7040), most_keys=10_000)
    show(rows)
    return {"estimate": {name: row._asdict() for name, row in rows.items() if name.endswith("(all)")}}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how often intervals hold beside the promise of a plan."""
    for name, row in figures["estimate"].items():
        yield Standing.more(
            "95 % promised", f"intervals that hold, {name.removesuffix(' (all)')}", row["held"], PROMISED
        )
