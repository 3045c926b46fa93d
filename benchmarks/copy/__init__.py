"""A copy compared with the post's loop: items per second, requests, units, and errors."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing

ITEMS = 3_000


def quick() -> dict[str, Any]:
    """Print the table and return its section of `build/bench.json`."""
    from benchmarks.copy.race import race  # noqa: PLC0415 (it starts an engine)
    from benchmarks.copy.report import show  # noqa: PLC0415

    figures = race(ITEMS)
    show(figures)
    return {"copy": figures}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the job stands beside the post's loop."""
    ours, theirs = figures["copy"]["ours"], figures["copy"]["naive"]
    for figure, compare in (("items_per_second", Standing.more), ("write_units", Standing.less)):
        yield compare("the post's loop", figure.replace("_", " "), ours[figure], theirs[figure])
