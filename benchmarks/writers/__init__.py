"""How many items a second does one worker write, beside BatchWriteItem's bound? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing


def quick() -> dict[str, Any]:
    from benchmarks.writers.rates import measure, show  # noqa: PLC0415 - boto3 is slow to import

    figures = measure(2_000, rounds=3)
    show(figures)
    return {"writers": figures}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the put job stands beside BatchWriteItem."""
    ours, theirs = figures["writers"]["act put"], figures["writers"]["BatchWriteItem"]
    yield Standing.more("BatchWriteItem, 16 threads, no condition", "items a second", ours["rate"], theirs["rate"])
