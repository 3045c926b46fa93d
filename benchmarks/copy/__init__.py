"""A copy compared with the post's loop: items per second, requests, units, and errors."""

from typing import Any

ITEMS = 3_000


def quick() -> dict[str, Any]:
    """Print the table and return its section of `build/bench.json`."""
    from benchmarks.copy.race import race  # noqa: PLC0415 (it starts an engine)
    from benchmarks.copy.report import show  # noqa: PLC0415

    figures = race(ITEMS)
    show(figures)
    return {"copy": figures}
