"""How often a plan's 95 % intervals hold: random shapes are planned, and then listed for real with that plan."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from benchmarks.limit.ours import made
from benchmarks.limit.random_shapes import random_shapes
from benchmarks.limit.simulated import Simulated, SortKey, description
from benchmarks.limit.table import Integers, Table
from benchmarks.planned import planned

LEAST_KEYS, MOST_KEYS = 300, 20_000
UNKNOWN = 0.3
"""How often DescribeTable does not know the table's size."""

FIGURES = {"keys": "number", "read_units": "read units", "requests": "requests"}
"""The figures of a plan, and what they are called beside the kind of run."""


class Kind(NamedTuple):
    """A kind of run: its input, the lines that it writes, and the sort keys of its table, if it needs them."""

    requested: Mapping[str, Any]
    lines: int
    sort_key: SortKey | None = None


def _keys(lengths: Integers, _: Generator) -> Kind:
    return Kind({}, len(lengths))


def _level(lengths: Integers, chance: Generator) -> Kind:
    """Groups of so many items, of which the average collection has 1 to 20."""
    items = max(1, round(float(np.mean(lengths)) / _drawn(chance, 20)))
    return Kind({"delimiter": "/"}, int(np.sum(-(-lengths // items))), lambda n: f"{n // items:06}/{n % items:03}")


def _range(lengths: Integers, chance: Generator) -> Kind:
    """The collections that reach a place, most of which is within most, or within few."""
    since = _drawn(chance, 2 * float(np.mean(lengths)))
    return Kind({"since": _numbered(since)}, int(np.sum(lengths > since)), _numbered)


def _counts(lengths: Integers, chance: Generator) -> Kind:
    return Kind({"take": {"count": {"up_to": _drawn(chance, 1000)}}}, len(lengths))


def _drawn(chance: Generator, most: float) -> int:
    return round(float(np.exp(chance.uniform(0, np.log(max(most, 1))))))


def _numbered(number: int) -> str:
    return f"{number:06}"


KINDS: Mapping[str, Callable[[Integers, Generator], Kind]] = {
    "keys": _keys,
    "groups of a level": _level,
    "keys in a range": _range,
    "counts": _counts,
}


def _divided(table: Table, seed: int, sort_key: SortKey | None, segments: int) -> Simulated:
    return Simulated(table, segments, seed, sort_key)


def measure(shapes: int, draw: int) -> dict[str, Any]:
    """Return for each kind of run and figure of its plan how often the interval held, its width and the error."""
    found: dict[str, Any] = {}
    for name, kind in KINDS.items():
        found |= _measured(name, kind, shapes, draw)
    return found


def _measured(name: str, kind_of: Callable[[Integers, Generator], Kind], shapes: int, draw: int) -> dict[str, Any]:
    held: dict[str, list[bool]] = defaultdict(list)
    widths: dict[str, list[float]] = defaultdict(list)
    errors: dict[str, list[float]] = defaultdict(list)
    for number, shape in enumerate(random_shapes(draw, shapes)):
        chance = np.random.default_rng([draw, number, 9])
        keys = round(np.exp(chance.uniform(np.log(LEAST_KEYS), np.log(MOST_KEYS))))
        is_known, table, seed = bool(chance.random() >= UNKNOWN), shape.table(keys, draw), draw + number
        kind = kind_of(np.diff(table.starts), chance)
        described = description(table, is_known=is_known, sort_key_type="S" if kind.sort_key else "N")
        divided = partial(_divided, table, seed, kind.sort_key)
        first = planned({"dry_run": True, **kind.requested}, described, divided, f"{draw}-{number}")
        expected = first.explanation["choice"]["expected"]
        taken = made(first.plan, divided(first.plan.segments), kind.lines, seed).bill
        for figure, truth in zip(FIGURES, (kind.lines, taken.read_units, taken.requests), strict=True):
            interval = expected[figure]
            if interval["high"] is None:  # nobody knows an upper end
                continue
            held[figure].append(interval["low"] - 1e-6 <= truth <= interval["high"] + 1e-6)
            widths[figure].append(interval["high"] / max(interval["low"], 1e-9))
            errors[figure].append(abs(interval["estimate"] - truth) / max(truth, 1))
    return {
        f"{name}: {called}": {
            "tables": len(held[figure]),
            "held": round(fmean(held[figure]), 3),
            "high_by_low": round(median(widths[figure]), 2),
            "error": round(median(errors[figure]), 3),
        }
        for figure, called in FIGURES.items()
    }
