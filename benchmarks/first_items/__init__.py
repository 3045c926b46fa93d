"""What do first and last items cost, compared with other ways to get them? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing

OURS = 1
"""The place of our way to get last items among the ways."""


def quick() -> dict[str, Any]:
    from benchmarks.first_items.blog import blog  # noqa: PLC0415 - boto3 is slow to import
    from benchmarks.first_items.demo import demo  # noqa: PLC0415
    from benchmarks.first_items.document import table  # noqa: PLC0415

    tables = {"demo": demo(rounds=1), "blog": blog(share=1 / 256)}
    for ways in tables.values():
        print(f"{table(ways)}\n")
    return {
        "first_items": {
            f"{name}_{number}_{figure}": getattr(way, figure)
            for name, ways in tables.items()
            for number, way in enumerate(ways)
            for figure in ("name", "read_units", "requests", "seconds", "dollars")
        }
    }


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the keys with their last items stand beside the ways that find these without Skipscan."""
    of = figures["first_items"]
    for table in ("demo", "blog"):
        peers = [number for number in range(OURS + 1, len(of)) if f"{table}_{number}_name" in of]
        for number in peers:
            for figure in ("read_units", "dollars"):
                if theirs := of[f"{table}_{number}_{figure}"]:
                    label = f"{table}: keys with last items, {figure.replace('_', ' ')}"
                    yield Standing.less(of[f"{table}_{number}_name"], label, of[f"{table}_{OURS}_{figure}"], theirs)
