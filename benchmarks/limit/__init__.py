"""Measure how close the choice of the Limit is to the best possible one. See benchmarks/README.md."""

from typing import Any

QUICK_COLLECTIONS, QUICK_RANDOM = 300, 40


def quick() -> dict[str, Any]:
    """Return the ratios over all named shapes and random ones with 300 item collections, one seed."""
    from benchmarks.limit.__main__ import rows  # noqa: PLC0415  (numpy takes its time)
    from benchmarks.limit.report import show  # noqa: PLC0415
    from benchmarks.limit.results import summaries  # noqa: PLC0415

    measured = rows([QUICK_COLLECTIONS], [1], QUICK_RANDOM, draw=1)
    show(measured)
    return {"limit": summaries(measured)[QUICK_COLLECTIONS]}
