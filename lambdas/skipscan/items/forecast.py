"""What the forecasts of retrofit and copy share."""

from dataclasses import dataclass
from typing import Any

from skipscan import form
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits, item_bytes
from skipscan.items.estimate import WORKER_WRITES, job_estimate
from skipscan.items.plan import ItemPlan
from skipscan.sample.clusters import total


@dataclass(frozen=True)
class Sampled:
    """Whole items of a few random segments. `segments`: how many were read; `ended`: all of them to their end.

    `counts`: the items of each.
    """

    items: tuple[Item, ...]
    segments: int
    ended: bool
    read_units: float
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class ItemForecast:
    """A table as far as a sample and DescribeTable show it. `items_are`: where the number of items comes from."""

    sample: Sampled
    items: int
    items_are: str
    size_bytes: float
    units: WriteUnits

    def explained(
        self, plan: ItemPlan, *, writes: float, more_read_units: float, recovery: bool | None
    ) -> dict[str, Any]:
        """Return what every such job shows: the table's size, units, dollars and minutes of so many writes.

        `more_read_units`: beside the plan's walks. `recovery`: whether the written table has point-in-time recovery;
        `None` if unknown.
        """
        reading = plan.reading
        walk = max(self.size_bytes * reading.step_units / STEP_BYTES, reading.segments * reading.step_units)
        read_units = plan.passes * walk + more_read_units
        write_units = writes * self.units.each if writes else 0.0
        seconds = writes / (WORKER_WRITES * plan.workers)
        for units, rate in (
            (write_units, plan.max_write_units_per_second),
            (read_units, reading.max_read_units_per_second),
        ):
            seconds = max(seconds, units / rate if rate else 0.0)
        return {
            "table": plan.table,
            "items": self.items,
            "items_are": self.items_are,
            "write_units": round(write_units, 1),
            "read_units": round(read_units, 1),
            **job_estimate(read_units, write_units, seconds, plan.workers, plan.prices),
            "prices": form.write(plan.prices),
            "workers": plan.workers,
            "overrun": plan.limits.overrun,
            "segments": reading.segments,
            "verify": plan.verify,
            "max_read_units_per_second": reading.max_read_units_per_second,
            "max_write_units_per_second": plan.max_write_units_per_second,
            "point_in_time_recovery": recovery,
        }

    @property
    def item_bytes(self) -> float:
        return self.size_bytes / self.items if self.items else 0.0


def whole(sample: Sampled, segments: int, description: TableDescription) -> tuple[int, str, float]:
    """Return how many items a table of so many segments has, where the number comes from, and how many bytes."""
    items, items_are = _items(sample, segments, description.items)
    mean_bytes = sum(map(item_bytes, sample.items)) / len(sample.items) if sample.items else 0.0
    return items, items_are, description.size_bytes or items * mean_bytes


def _items(sample: Sampled, segments: int, described: int) -> tuple[int, str]:
    sampled = len(sample.items)
    if sample.ended and sample.segments == segments:
        return sampled, "counted"
    if described:
        return max(described, sampled), "as DescribeTable says, up to six hours old"
    found = total(sample.counts, segments)
    at_least = "" if sample.ended else "at least, "
    ends = f": {found.low:,.0f} to {found.high:,.0f}" if sample.ended and found.is_bounded else ""
    return round(sampled * segments / max(sample.segments, 1)), f"{at_least}estimated from the sample{ends}"
