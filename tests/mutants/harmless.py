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
    Harmless(
        "skipscan/scan/limit/policy.py: self.replan_at = 0.0: 0.0 -> 1.0",
        "It lets the policy plan at once after it has forgotten its pages. Those were 65 or more and cost half a read "
        "unit each, so their cost is above 1, too.",
    ),
    Harmless(
        "skipscan/scan/limit/item_size.py: yield 0.8 * min(STEP_BYTES * steps / evaluated for evaluated, steps, _ in "
        "self._remembered()): STEP_BYTES * steps -> (STEP_BYTES / steps)",
        "It is one of the places where a search starts. It differs only if the fullest page took several steps, and "
        "then the next place, the mean of such pages, is as near.",
    ),
    Harmless(
        "skipscan/scan/limit/item_size.py: if better <= best + 1e-9:: best + 1e-9 -> (best - 1e-09)",
        "A search whose neighbours are all less likely by more than a billionth ends as before. Otherwise the best of "
        "them is the same place, because its spread is at the bound, and the search stays there.",
    ),
    Harmless(
        "skipscan/scan/limit/key_rate.py: weight = NEAR_ITEMS if stretch < 4 else min(FAR_ITEMS, width): 4 -> 5",
        "The stretch from the fourth item on has two places, so its weight is two either way.",
    ),
)
