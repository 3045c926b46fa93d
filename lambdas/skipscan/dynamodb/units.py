"""What a page can cost at most, whatever its items are."""

STEP_BYTES = 4096
"""What half a read unit reads, a whole one strongly consistent (developer guide, "Read consistency")."""

ITEM_STEPS = 100
"""Of 4 KB, that the largest item takes: 400 KB (developer guide, "Quotas")."""

PAGE_STEPS = 256
"""Of 4 KB, after which a page ends: 1 MB. Whether the item that exceeds it still counts is nowhere said: it may."""


def most_page_units(step_units: float, limit: int | None = None) -> float:
    """Return the most read units of a page of so many items; `None`: of a page without a Limit.

    `step_units`: of 4 KB. One step more, for a page that crosses a partition is rounded up in both (Alternator's
    test_returnconsumedcapacity.py, seen on the service).
    """
    steps = PAGE_STEPS + ITEM_STEPS if limit is None else min(PAGE_STEPS + ITEM_STEPS, limit * ITEM_STEPS)
    return (steps + 1) * step_units
