"""A retrofit compared with the post's loop: items per second, requests, units, and lost writes."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "What does it take to set an attribute on all items of a table?"
MEASURED = (
    "A retrofit, and the loop of the AWS Database Blog's post, over the same table on dynalite: alone, again with "
    "nothing left to do, and while an application changes items."
)
ITEMS = 2_000
POST = "the post's loop: tens of items, no condition"


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
    yield Standing.more(Kind.HERE, POST, "items a second", ours["items_per_second"], theirs["items_per_second"])
    yield Standing.less(Kind.COUNT, POST, "write units", ours["write_units"], theirs["write_units"])
    again = [way["again"]["write_units"] for way in (ours, theirs)]
    yield Standing.less(Kind.COUNT, POST, "write units, run again", *again)
    yield Standing.less(Kind.COUNT, POST, "changes overwritten", ours["writes_lost"], theirs["writes_lost"])
