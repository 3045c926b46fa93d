"""What a copy will do and cost, from a sample of the source's items. The plan uses it, and a dry run shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.copy.plan import CopyPlan
from skipscan.copy.transform import Transform
from skipscan.dynamodb.item_bytes import item_bytes
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable
from skipscan.items.forecast import Expected, Sampled, walked_units

REPLICATED_READ_UNITS = 6.0
"""The read units of one replicated change: two reads of both tables, and a late one, for items of up to 4 KB."""


@dataclass(frozen=True)
class CopyForecast:
    """`items`: of the whole source. `units`: of one put, by index.

    `most_units`: of the most expensive put in the sample. `unset`: items of the sample, by reason.
    """

    items: int
    items_are: str
    size_bytes: float
    sampled: int
    sample_read_units: float
    units: Mapping[str, float]
    most_units: float
    unset: Mapping[str, int]

    @classmethod
    def of(
        cls,
        transform: Transform,
        sample: Sampled,
        segments: int,
        description: TableDescription,
        target: TableDescription,
    ) -> Self:
        """Return the forecast for the described tables."""
        table = WrittenTable.described(target)
        units: dict[str, float] = {}
        unset: dict[str, int] = {}
        size, most_units = 0, 1.0
        for item in sample.items:
            made = transform.of(item)
            size += item_bytes(item)
            if made.reason:
                unset[made.reason] = unset.get(made.reason, 0) + 1
            of_one = table.put_units(made.item)
            most_units = max(most_units, sum(of_one.values()))
            for index, count in of_one.items():
                units[index or "table"] = units.get(index or "table", 0.0) + count
        sampled = len(sample.items)
        if sample.ended and sample.segments == segments:
            items, items_are = sampled, "counted"
        else:
            items, items_are = description.items, "as DescribeTable says, up to six hours old"
        mean_bytes = size / sampled if sampled else 0.0
        return cls(
            items=items,
            items_are=items_are,
            size_bytes=description.size_bytes or items * mean_bytes,
            sampled=sampled,
            sample_read_units=sample.read_units,
            units={name: count / sampled for name, count in units.items()},
            most_units=most_units,
            unset=unset,
        )

    @property
    def put_units(self) -> float:
        """Return the write units of one put, all indexes included; 1 if the sample has no item."""
        return sum(self.units.values()) or 1.0

    @property
    def item_bytes(self) -> float:
        return self.size_bytes / self.items if self.items else 0.0

    def to_json(self, plan: CopyPlan, *, recovery: bool | None) -> dict[str, Any]:
        """Return the explanation of a plan. `recovery`: the target's point-in-time recovery; `None` if unknown."""
        puts = 0 if plan.compare_only else self.items
        compared = (plan.passes - (not plan.compare_only)) * plan.compared_share * self.items
        expected = Expected(
            writes=puts,
            read_units=plan.passes * walked_units(plan, self.size_bytes) + 2 * compared,
            write_units=puts * self.put_units if puts else 0.0,
        )
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
            **expected.to_json(plan),
            "each_later_change": {"write_units": round(self.put_units, 3), "read_units": REPLICATED_READ_UNITS},
            "compared_share": plan.compared_share,
            "compare_only": plan.compare_only,
            "point_in_time_recovery": recovery,
        }
