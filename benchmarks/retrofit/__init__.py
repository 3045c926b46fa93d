"""A retrofit compared with the post's loop: items per second, requests, units, and lost writes."""

from typing import Any

ITEMS = 5_000


def quick() -> dict[str, Any]:
    """Print the table and return its section of `build/bench.json`."""
    from benchmarks.retrofit.race import race  # noqa: PLC0415 (it starts an engine)
    from benchmarks.retrofit.report import show  # noqa: PLC0415

    figures = race(ITEMS)
    show(figures)
    return {"retrofit": figures}
