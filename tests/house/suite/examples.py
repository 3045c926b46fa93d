"""How much a property tries: everything in `make test-all`, a tenth in `make test` and `make check`."""

import os

ALL = os.environ.get("SKIPSCAN_TESTS") == "all"
PROPERTY_EXAMPLES = 60 if ALL else 12
"""For a property that states no number of its own."""


def examples(number: int) -> int:
    """Return how many examples, schedules or seeds to try, of so many."""
    return number if ALL else -(-number // 10)
