"""How often a plan's 95 % intervals hold: random shapes are planned, and then listed for real with that plan."""

from collections import defaultdict
from functools import partial
from statistics import fmean, median
from typing import Any

import numpy as np

from benchmarks.limit.ours import run
from benchmarks.limit.random_shapes import random_shapes
from benchmarks.limit.simulated import Simulated, description
from benchmarks.limit.table import Table
from benchmarks.planned import planned

LEAST_KEYS, MOST_KEYS = 300, 20_000
UNKNOWN = 0.3
"""How often DescribeTable does not know the table's size."""

FIGURES = ("keys", "read_units", "requests")


def _divided(table: Table, seed: int, segments: int) -> Simulated:
    return Simulated(table, segments, seed)


def measure(shapes: int, draw: int) -> dict[str, Any]:
    """Return for each figure of a plan's choice how often the interval held, its width and the error."""
    held: dict[str, list[bool]] = defaultdict(list)
    widths: dict[str, list[float]] = defaultdict(list)
    errors: dict[str, list[float]] = defaultdict(list)
    for number, shape in enumerate(random_shapes(draw, shapes)):
        chance = np.random.default_rng([draw, number, 9])
        keys = round(np.exp(chance.uniform(np.log(LEAST_KEYS), np.log(MOST_KEYS))))
        is_known, table, seed = bool(chance.random() >= UNKNOWN), shape.table(keys, draw), draw + number
        described = description(table, is_known=is_known)
        divided = partial(_divided, table, seed)
        first = planned({"dry_run": True}, described, divided, f"{draw}-{number}")
        expected = first.explanation["choice"]["expected"]
        taken = run(first.plan, table, seed).bill
        for name, truth in zip(FIGURES, (table.collections, taken.read_units, taken.requests), strict=True):
            interval = expected[name]
            if interval["high"] is None:  # nobody knows an upper end
                continue
            held[name].append(interval["low"] - 1e-6 <= truth <= interval["high"] + 1e-6)
            widths[name].append(interval["high"] / max(interval["low"], 1e-9))
            errors[name].append(abs(interval["estimate"] - truth) / truth)
    return {
        name: {
            "tables": len(held[name]),
            "held": round(fmean(held[name]), 3),
            "high_by_low": round(median(widths[name]), 2),
            "error": round(median(errors[name]), 3),
        }
        for name in FIGURES
    }
