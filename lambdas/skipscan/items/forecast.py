"""What the forecasts of retrofit and copy share."""

from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.estimate.worker import WORKER_WRITES, job_estimate
from skipscan.items.plan import ItemPlan
from skipscan.pace.shares import overrun_stated


@dataclass(frozen=True)
class Sampled:
    """Whole items of a few random segments. `segments`: how many were read; `ended`: all of them to their end."""

    items: tuple[Item, ...]
    segments: int
    ended: bool
    read_units: float


@dataclass(frozen=True)
class Expected:
    """What a job is expected to write and consume."""

    writes: float
    read_units: float
    write_units: float

    def to_json(self, plan: ItemPlan) -> dict[str, Any]:
        """Return units, dollars and minutes, as a dry run shows them."""
        estimated = job_estimate(self.read_units, self.write_units, self._seconds(plan), plan.workers, plan.prices)
        return {
            "write_units": round(self.write_units, 1),
            "read_units": round(self.read_units, 1),
            "dollars": estimated["dollars"],
            "prices": plan.prices.to_json(),
            "minutes": estimated["minutes"],
            "workers": plan.workers,
            "overrun": overrun_stated(plan),
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
    """Return the read units of one walk over so many bytes in all segments."""
    return max(size_bytes * plan.reading.step_units / STEP_BYTES, plan.reading.segments * plan.reading.step_units)
