"""What a copy will do and cost, from a sample of the source's items: the plan rests on it, a dry run shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Self

from skipscan.copy.plan import CopyPlan
from skipscan.copy.transform import Transform
from skipscan.item_bytes import item_bytes
from skipscan.prices import Price, Prices
from skipscan.retrofit.forecast import START_SECONDS, TURN_SECONDS, WORKER_GB, WORKER_WRITES, Sampled
from skipscan.write_units import WrittenTable

REPLICATED_READ_UNITS = 6.0
"""Of a change that is followed: two looks of both tables, and a late one; for items of 4 KB at most."""


@dataclass(frozen=True)
class CopyForecast:
    """`items`: of the whole source. `units`: of one put, by index. `unset_share`: of the sample, by reason."""

    items: int
    items_are: str
    size_bytes: float
    sampled: int
    sample_read_units: float
    units: Mapping[str, float]
    unset: Mapping[str, int]

    @classmethod
    def of(
        cls,
        transform: Transform,
        sample: Sampled,
        segments: int,
        description: Mapping[str, Any],
        target: Mapping[str, Any],
    ) -> Self:
        """Return the forecast for tables that DescribeTable describes so (its `Table` documents)."""
        table = WrittenTable.described(target)
        units: dict[str, float] = {}
        unset: dict[str, int] = {}
        size = 0
        for item in sample.items:
            made = transform.of(item)
            size += item_bytes(item)
            if made.reason:
                unset[made.reason] = unset.get(made.reason, 0) + 1
            for index, count in table.put_units(made.item).items():
                units[index or "table"] = units.get(index or "table", 0.0) + count
        sampled = len(sample.items)
        if sample.ended and sample.segments == segments:
            items, items_are = sampled, "counted"
        else:
            items, items_are = description.get("ItemCount", 0), "as DescribeTable says, up to six hours old"
        mean_bytes = size / sampled if sampled else 0.0
        return cls(
            items=items,
            items_are=items_are,
            size_bytes=description.get("TableSizeBytes") or items * mean_bytes,
            sampled=sampled,
            sample_read_units=sample.read_units,
            units={name: count / sampled for name, count in units.items()},
            unset=unset,
        )

    @property
    def put_units(self) -> float:
        """The write units of one put, all indexes included; 1 if the sample has no item."""
        return sum(self.units.values()) or 1.0

    @property
    def item_bytes(self) -> float:
        return self.size_bytes / self.items if self.items else 0.0

    def to_json(
        self, plan: CopyPlan, target: Mapping[str, Any], prices: Prices, *, recovery: bool | None
    ) -> dict[str, Any]:
        """Return the explanation of a plan. `recovery`: the target's point-in-time recovery, `None` if not known."""
        is_on_demand = target.get("BillingModeSummary", {}).get("BillingMode") == "PAY_PER_REQUEST"
        write_units = self.items * self.put_units if self.items else 0.0
        walked = max(self.size_bytes * plan.reading.step_units / 4096, plan.reading.segments * plan.reading.step_units)
        compared = (plan.passes - 1) * plan.compared_share * self.items
        read_units = plan.passes * walked + 2 * compared
        seconds = self._seconds(plan, read_units, write_units)
        turns = plan.workers * max(1, ceil(seconds / TURN_SECONDS))
        dollars = {
            "write_units": prices.write_units.of(write_units) if is_on_demand else 0.0,
            "read_units": prices.read_units.of(read_units),
            "lambda": prices.lambda_gb_seconds.of(seconds * plan.workers * WORKER_GB),
            "step_functions": prices.transitions.of(8 + plan.workers + 2 * turns),
        }
        return {
            "table": plan.reading.source.table,
            "to": plan.replica.target,
            "set": dict(plan.replica.templates),
            "items": self.items,
            "items_are": self.items_are,
            "sample": {
                "items": self.sampled,
                "read_units": self.sample_read_units,
                "unset": sum(self.unset.values()),
                "unset_because": dict(self.unset),
            },
            "write_units_per_put": {name: round(units, 3) for name, units in self.units.items()},
            "write_units": round(write_units, 1),
            "read_units": round(read_units, 1),
            "each_later_change": {"write_units": round(self.put_units, 3), "read_units": REPLICATED_READ_UNITS},
            "dollars": {"total": round(sum(dollars.values()), 6)} | {n: round(d, 6) for n, d in dollars.items()},
            "prices": {"write_units": _stated(prices.write_units), "read_units": _stated(prices.read_units)},
            "minutes": round((START_SECONDS + seconds) / 60, 1),
            "workers": plan.workers,
            "segments": plan.reading.segments,
            "verify": plan.verify,
            "compared_share": plan.compared_share,
            "max_read_units_per_second": plan.reading.max_read_units_per_second,
            "max_write_units_per_second": plan.max_write_units_per_second,
            "point_in_time_recovery": recovery,
        }

    def _seconds(self, plan: CopyPlan, read_units: float, write_units: float) -> float:
        times = [self.items / (WORKER_WRITES * plan.workers)]
        if plan.max_write_units_per_second:
            times.append(write_units / plan.max_write_units_per_second)
        if plan.reading.max_read_units_per_second:
            times.append(read_units / plan.reading.max_read_units_per_second)
        return max(times)


def _stated(price: Price) -> dict[str, Any]:
    return {"dollars_per_million": price.dollars_per_million, "as_of": price.as_of, "source": price.source}
