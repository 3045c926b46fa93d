"""A copy compared with the post's loop: items per second, requests, units, and errors."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "What does it take to copy a table while an application writes to it?"
MEASURED = (
    "A copy with its replicator, and the loop of the AWS Database Blog's post with a replicator that obeys the "
    "stream, over the same table on dynalite."
)
ITEMS = 1_500
POST = "the post's loop: tens of items, no condition"


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
    yield Standing.more(Kind.HERE, POST, "items a second", ours["items_per_second"], theirs["items_per_second"])
    yield Standing.less(Kind.COUNT, POST, "write units", ours["write_units"], theirs["write_units"])
    lost, undone = "changed items that the new table lacks", "deleted items that the new table has"
    yield Standing.less(Kind.COUNT, POST, lost, ours["changes_lost"], theirs["changes_lost"])
    yield Standing.less(Kind.COUNT, POST, undone, ours["deletes_undone"], theirs["deletes_undone"])
