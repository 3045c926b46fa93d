"""How much a property tries: a fifth of what is asked for, and all of it in `make test-all`."""

import os

ALL = os.environ.get("SKIPSCAN_TESTS") == "all"
SHARE = 5


def examples(number: int) -> int:
    """Return how many examples, schedules or seeds to try, of so many."""
    return number if ALL else -(-number // SHARE)
