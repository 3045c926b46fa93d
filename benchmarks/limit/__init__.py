"""How near to the best possible is the choice of Limit? See benchmarks/README.md."""

from typing import Any


def quick() -> dict[str, Any]:
    """Return the ratios over the 28 shapes with 20,000 item collections, one seed."""
    from benchmarks.limit.figures import measure, summary  # noqa: PLC0415  (numpy takes its time)
    from benchmarks.limit.report import show  # noqa: PLC0415

    rows = measure(20_000, seed=1)
    show(rows)
    return {"limit": summary(rows)}
