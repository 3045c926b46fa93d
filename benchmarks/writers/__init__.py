"""How many items a second does one worker write, beside BatchWriteItem's bound? See benchmarks/README.md."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.standing import Kind, Standing

QUESTION = "How many items a second can one worker write, if the table is never slow?"
MEASURED = (
    "One worker of each job against a server that has its answers ready, so the worker's processor time is the bound. "
    "Items of a job are conditional requests of their own, because a retry must not undo what an application wrote "
    "meanwhile."
)


def quick() -> dict[str, Any]:
    from benchmarks.writers.rates import measure, show  # noqa: PLC0415 - boto3 is slow to import

    figures = measure(2_000, rounds=3)
    show(figures)
    return {"writers": figures}


def standing(figures: Mapping[str, Any]) -> Iterator[Standing]:
    """Return how the jobs stand beside BatchWriteItem."""
    *jobs, (_, theirs) = figures["writers"].items()
    peer = "BatchWriteItem by hand: boto3, 16 threads, no condition"
    for name, ours in jobs:
        yield Standing.more(Kind.HERE, peer, f"items a second, {name}", ours["rate"], theirs["rate"])
