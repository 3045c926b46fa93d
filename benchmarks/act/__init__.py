"""How fast does a job put its items, compared with handwritten loops? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "How fast does one worker put an item for each key of a list?"
MEASURED = (
    "A put job, whose requests have a condition each, and loops that people write by hand in one thread, 5 ms away "
    "from the same dynalite, in turns."
)


def quick() -> dict[str, Any]:
    from benchmarks.act.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report()


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the put job stands beside handwritten loops."""
    ways = figures["act"]
    peers = {"one_by_one": "PutItem in a loop, condition", "batches_of_25": "BatchWriteItem in a loop, no condition"}
    for name, peer in peers.items():
        rates = ways["job"]["items_per_second"], ways[name]["items_per_second"]
        yield Standing.more(Kind.HERE, peer, "items a second", *rates)
        units = ways["job"]["write_units"], ways[name]["write_units"]
        yield Standing.less(Kind.COUNT, peer, "write units for 1,000 items", *units)
