"""How fast does a job put its items, compared with handwritten loops? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Standing


def quick() -> dict[str, Any]:
    from benchmarks.act.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report()


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the put job stands beside handwritten loops."""
    ways = figures["act"]
    for name, peer in {"one_by_one": "PutItem in a loop", "batches_of_25": "BatchWriteItem in a loop"}.items():
        rates = ways["job"]["items_per_second"], ways[name]["items_per_second"]
        yield Standing.more(peer, "items a second, 5 ms away", *rates)
