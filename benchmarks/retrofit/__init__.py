"""A retrofit compared with the post's loop: items per second, requests, units, and lost writes."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing

ITEMS = 5_000


def quick() -> dict[str, Any]:
    """Print the table and return its section of `build/bench.json`."""
    from benchmarks.retrofit.race import race  # noqa: PLC0415 (it starts an engine)
    from benchmarks.retrofit.report import show  # noqa: PLC0415

    figures = race(ITEMS)
    show(figures)
    return {"retrofit": figures}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the job stands beside the post's loop."""
    ours, theirs = figures["retrofit"]["ours"], figures["retrofit"]["naive"]
    for figure, compare in (("items_per_second", Standing.more), ("write_units", Standing.less)):
        yield compare("the post's loop", figure.replace("_", " "), ours[figure], theirs[figure])
