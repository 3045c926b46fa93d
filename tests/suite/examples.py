"""How much a property tries: everything in `make test-all`, a fifth in `make test`, a tenth in `make check`."""

import os

LOOP = os.environ.get("SKIPSCAN_TESTS") or "test"
ALL = LOOP == "all"
SHARE = {"check": 10, "test": 5, "all": 1}[LOOP]
PROPERTY_EXAMPLES = {"check": 20, "test": 50, "all": 100}[LOOP]
"""For a property that states no number of its own."""


def examples(number: int) -> int:
    """Return how many examples, schedules or seeds to try, of so many."""
    return -(-number // SHARE)
