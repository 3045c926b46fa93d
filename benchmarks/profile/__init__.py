"""What a profile takes: memory, processor time beside that of parsing, and the whole bill."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing


def quick() -> dict[str, Any]:
    """Profile 50 MB of each shape, and print the table."""
    from benchmarks.profile.report import report  # noqa: PLC0415 (heavy)

    return {"profile": report(50_000_000)}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how counting the items stands beside parsing their JSON, which no profile can do without."""
    for shape, made in figures["profile"].items():
        label = f"microseconds of processor time an item, {shape}"
        yield Standing.less("parsing the same JSON", label, made["counting"], made["parsing"])
