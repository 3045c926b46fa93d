"""What each special rule of the Limit is worth: `python -m benchmarks.limit.without [RULE…]`.

Each rule is taken out in turn; all else is as in `python -m benchmarks.limit`. The figures are costs in units of the
best fixed Limit's, as geometric means over groups of shapes.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import chain
from typing import Any
from unittest.mock import patch

from benchmarks.limit.changing import CHANGING
from benchmarks.limit.figures import NAMED_SHAPES, measure
from benchmarks.limit.more_shapes import NAMED
from benchmarks.limit.random_shapes import RANDOM, random_shapes
from benchmarks.limit.results import summaries
from benchmarks.limit.shapes import CORE
from skipscan.scan.limit import item_size, key_rate, policy
from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.limit.policy import LimitPolicy

SIZES, SEEDS, RANDOM_SHAPES, DRAW = (2_000, 300), (1, 2), 40, 7
MEANS = {f"{size:,} {group}": (size, group) for size in SIZES for group in (CORE, NAMED, CHANGING, RANDOM)}
ALL_RULES = "(all rules)"
NEVER = 1e18


@contextmanager
def _nothing_hides() -> Any:
    with ExitStack() as changed:
        for module in (policy, item_size):
            changed.enter_context(patch.object(module, "HIDDEN", NEVER))
        yield


WITHOUT: Mapping[str, Callable[[], AbstractContextManager[Any]]] = {
    "TIE": lambda: patch.object(policy, "TIE", 1.0),
    "WORTH": lambda: patch.object(policy, "WORTH", 1.0),
    "_longer": lambda: patch.object(LimitPolicy, "_longer", LimitPolicy._least_tried),
    "_far": lambda: patch.object(LimitPolicy, "_far", lambda policy, best: None),
    "_charge": lambda: patch.object(LimitPolicy, "_charge", lambda policy, evaluated, cost: None),
    "TRUSTED_PAGES": lambda: patch.object(policy, "TRUSTED_PAGES", NEVER),
    "_is_surprised": lambda: patch.object(LimitPolicy, "_is_surprised", lambda policy, cost, due: False),
    "HIDDEN": _nothing_hides,
    "DOUBLING": lambda: patch.object(ItemSize, "_compared", lambda size: (1.0,)),
    "OWN_STEPS": lambda: patch.object(item_size, "OWN_STEPS", NEVER),
    "OUTLIER": lambda: patch.object(item_size, "OUTLIER", NEVER),
    "STRETCHES_BEFORE": lambda: patch.object(key_rate, "STRETCHES_BEFORE", 1),
}
"""What takes a rule out, by the rule's name in `scan/limit`."""


def measured(rule: str) -> Mapping[str, float]:
    """Return the geometric means of the ratios without a rule, by the names in `MEANS`."""
    with WITHOUT.get(rule, nullcontext)():
        rows = chain.from_iterable(
            measure(size, seed, [*NAMED_SHAPES, *random_shapes(DRAW + seed, RANDOM_SHAPES)])
            for size in SIZES
            for seed in SEEDS
        )
        said = summaries(list(rows))
    return {name: said[size][f"{group}: ours / best fixed, geometric mean"] for name, (size, group) in MEANS.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.limit.without")
    parser.add_argument("rules", nargs="*", choices=[*WITHOUT, []], help="names of rules; all if there is none")
    asked = parser.parse_args()
    sys.stdout.write(f"| without | {' | '.join(MEANS)} |\n|---|{'---:|' * len(MEANS)}\n")
    for rule in (ALL_RULES, *(asked.rules or WITHOUT)):
        sys.stdout.write(f"| {rule} | {' | '.join(f'{ratio:.3f}' for ratio in measured(rule).values())} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
