"""Random changes of the core that survive and should: nobody who uses the product can see them.

Each has its reason. `python -m tests.mutants` tries them like all others; one that a test notices must leave this list.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Harmless:
    """`name`: of the change, as `Variation.name` states it. `reason`: why nobody can see it."""

    name: str
    reason: str


HARMLESS = (
    Harmless(
        'skipscan/pace/backoff.py: CAPACITY = "capacity"  # throttled: the capacity of table or account is used up, '
        "all walks wait: \"capacity\" -> 'capacityX'",
        "The members of Fault are compared with each other; their values are neither stored nor shown.",
    ),
)
