"""What a copy will do and cost, from a sample of the source's items. The plan uses it, and a dry run shows it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Self

from skipscan.copy.plan import UNEVEN, CopyPlan
from skipscan.copy.replica import Transform
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable
from skipscan.items.forecast import Expected, ItemForecast, Sampled, WriteUnits, walked_units, whole

REPLICATED_READ_UNITS = 6.0
"""The read units of one replicated change: two reads of both tables, and a late one, for items of up to 4 KB."""


@dataclass(frozen=True)
class CopyForecast(ItemForecast):
    """`items`: of the whole source. `units`: of one put. `unset`: items of the sample, by reason."""

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
        table, made = WrittenTable.described(target), [transform.of(item) for item in sample.items]
        units = WriteUnits.of([table.put_units(each.item) for each in made])
        unset = Counter(each.reason for each in made if each.reason)
        return cls(sample, *whole(sample, segments, description), units, unset)

    def to_json(self, plan: CopyPlan, *, recovery: bool | None) -> dict[str, Any]:
        """Return the explanation of a plan. `recovery`: the target's point-in-time recovery; `None` if unknown."""
        puts = 0 if plan.compare_only else self.items
        compared = (plan.passes - (not plan.compare_only)) * plan.compared_share * self.items
        look_units = max(1, ceil(self.item_bytes / STEP_BYTES))
        expected = Expected(
            writes=puts,
            read_units=plan.passes * walked_units(plan, self.size_bytes) + 2 * compared * look_units,
            write_units=puts * self.units.each if puts else 0.0,
        )
        return {
            "table": plan.reading.source.table,
            "to": plan.replica.target,
            "set": dict(plan.replica.templates),
            "items": self.items,
            "items_are": self.items_are,
            "sample": {
                "items": len(self.sample.items),
                "read_units": self.sample.read_units,
                "unset": sum(self.unset.values()),
                "unset_because": dict(self.unset),
            },
            "write_units_per_put": self.units.to_json(),
            **expected.to_json(plan),
            "each_later_change": {"write_units": round(self.units.each, 3), "read_units": REPLICATED_READ_UNITS},
            "compared_share": plan.compared_share,
            "compared_keys_at_most": round(UNEVEN * plan.compare_items),
            "compare_only": plan.compare_only,
            "point_in_time_recovery": recovery,
        }
