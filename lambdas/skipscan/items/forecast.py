"""What the forecasts of all jobs over a table's items have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from skipscan.dynamodb.prices import Price, Prices
from skipscan.dynamodb.source import Item
from skipscan.items.plan import ItemPlan

WORKER_WRITES = 1_000.0
"""A second, by a Lambda of one vCPU with 16 requests under way: assumed, not measured on AWS."""

WORKER_GB = 1769 / 1024
TURN_SECONDS, START_SECONDS = 240.0, 5.0


@dataclass(frozen=True)
class Sampled:
    """Whole items of a few random segments. `segments`: how many were read; `ended`: all of them to their end."""

    items: tuple[Item, ...]
    segments: int
    ended: bool
    read_units: float


@dataclass(frozen=True)
class Expected:
    """What a job is expected to write and consume. `reads_cost`, `writes_cost`: whether the units are paid for."""

    writes: float
    read_units: float
    write_units: float
    reads_cost: bool
    writes_cost: bool

    def to_json(self, plan: ItemPlan, prices: Prices) -> dict[str, Any]:
        """Return units, dollars and minutes, as a dry run shows them."""
        seconds = self._seconds(plan)
        turns = plan.workers * max(1, ceil(seconds / TURN_SECONDS))
        dollars = {
            "write_units": prices.write_units.of(self.write_units) if self.writes_cost else 0.0,
            "read_units": prices.read_units.of(self.read_units) if self.reads_cost else 0.0,
            "lambda": prices.lambda_gb_seconds.of(seconds * plan.workers * WORKER_GB),
            "step_functions": prices.transitions.of(8 + plan.workers + 2 * turns),
        }
        return {
            "write_units": round(self.write_units, 1),
            "read_units": round(self.read_units, 1),
            "dollars": {"total": round(sum(dollars.values()), 6)} | {n: round(d, 6) for n, d in dollars.items()},
            "prices": {"write_units": _stated(prices.write_units), "read_units": _stated(prices.read_units)},
            "minutes": round((START_SECONDS + seconds) / 60, 1),
            "workers": plan.workers,
            "segments": plan.reading.segments,
            "verify": plan.verify,
            "max_read_units_per_second": plan.reading.max_read_units_per_second,
            "max_write_units_per_second": plan.max_write_units_per_second,
        }

    def _seconds(self, plan: ItemPlan) -> float:
        times = [self.writes / (WORKER_WRITES * plan.workers)]
        if plan.max_write_units_per_second:
            times.append(self.write_units / plan.max_write_units_per_second)
        if plan.reading.max_read_units_per_second:
            times.append(self.read_units / plan.reading.max_read_units_per_second)
        return max(times)


def walked_units(plan: ItemPlan, size_bytes: float) -> float:
    """Return the read units of walking so many bytes once over all segments."""
    return max(size_bytes * plan.reading.step_units / 4096, plan.reading.segments * plan.reading.step_units)


def _stated(price: Price) -> Mapping[str, Any]:
    return {"dollars_per_million": price.dollars_per_million, "as_of": price.as_of, "source": price.source}
