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
    Harmless(
        "skipscan/pace/amounts.py: return all(amount <= left for amount, left in zip(self._all, room._all, "
        "strict=True)): True -> False",
        "Both have the same three amounts.",
    ),
    Harmless(
        'skipscan/pace/bill.py: each = {field.name.rstrip("_"): round(getattr(self, field.name), 6) for field in '
        "fields(self)}: \"_\" -> '_X'",
        "No field's name ends in X.",
    ),
    Harmless(
        'skipscan/pace/bill.py: return cls(**{field.name: document[field.name.rstrip("_")] for field in '
        "fields(cls)}): \"_\" -> '_X'",
        "No field's name ends in X, as above.",
    ),
    Harmless(
        "skipscan/pace/budget.py: return cls(room, (lambda: turn + second * (clock() - begun)) if room.dollars < inf "
        "else lambda: 0.0): 0.0 -> 1.0",
        "It is subtracted from unlimited dollars.",
    ),
    Harmless(
        "skipscan/pace/budget.py: return cls(room, (lambda: turn + second * (clock() - begun)) if room.dollars < inf "
        "else lambda: 0.0): room.dollars < inf -> (room.dollars <= inf)",
        "The cost of time is then subtracted from unlimited dollars.",
    ),
    Harmless(
        "skipscan/scan/segments.py: step = max(1, round(segments * GOLDEN)): segments * GOLDEN -> (segments / GOLDEN)",
        "1 / 0.618 is 1.618: a stride of one whole round more.",
    ),
    Harmless(
        "skipscan/scan/segments.py: GOLDEN = 0.6180339887498949: 0.6180339887498949 -> 1.2360679774997898",
        "Twice the golden ratio is as far from every simple fraction that the visits stay as far apart as they must.",
    ),
    Harmless(
        "skipscan/scan/segments.py: step = max(1, round(segments * GOLDEN)): 1 -> 2",
        "It matters for one or two segments, whose visits are the same with a stride of 2 or 3.",
    ),
    Harmless(
        "skipscan/scan/width.py: _since: float = 0.0: 0.0 -> 1.0",
        "It is set when a width's first pages have come, before anything reads it.",
    ),
    Harmless(
        "skipscan/scan/width.py: _busy_seconds: float = 0.0: 0.0 -> 1.0",
        "It is set when a width's first pages have come, before anything reads it.",
    ),
    Harmless(
        "skipscan/scan/width.py: _seen: float = 0.0: 0.0 -> 1.0",
        "No page is under way before the first call, so the time until then counts nothing.",
    ),
)
