"""What the plan expected of the run beside what came."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.report.record import Record


@dataclass(frozen=True)
class Expected:
    """A figure: `told`, the estimate with its ends as they were, and `came`. The others are in parts of what came."""

    name: str
    told: tuple[float, float | None, float | None]
    came: float

    @property
    def estimate(self) -> float:
        return self.told[0] / self.came

    @property
    def low(self) -> float:
        return self.estimate if self.told[1] is None else max(self.told[1] / self.came, self.estimate / 100)

    @property
    def high(self) -> float:
        return self.estimate if self.told[2] is None else self.told[2] / self.came

    @property
    def held(self) -> bool | None:
        """Whether what came lies between the ends; `None` if there were none."""
        _, low, high = self.told
        return None if low is None or high is None else low <= self.came <= high


def comparison(record: Record) -> list[Expected]:
    """Return the figures of a complete run that a sample had estimated; none where no sample was taken."""
    told = (record.ending or {}).get("estimated")
    if told is None or not record.is_complete:
        return []
    return list(_rows(record, told))


def _rows(record: Record, told: Mapping[str, Any]) -> Iterator[Expected]:
    counts = record.counts
    for name, field, came in (
        ("keys", "keys", counts.keys),
        ("read units", "read_units", counts.read_units),
        ("requests", "requests", counts.requests),
    ):
        interval = told[field]
        if came and interval["estimate"]:
            yield Expected(name, (interval["estimate"], interval["low"], interval["high"]), came)
    minutes = told.get("minutes")
    if minutes and record.seconds:
        yield Expected("minutes", (minutes, None, None), record.seconds / 60)
