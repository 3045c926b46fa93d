"""What a retrofit will do and cost, from a sample of the table's items. The plan uses it, and a dry run shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.attribute_value import to_json
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable, update_units
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Unmade
from skipscan.items.forecast import Expected, ItemForecast, Sampled, WriteUnits, walked_units, whole
from skipscan.retrofit.advice import advice
from skipscan.retrofit.plan import RetrofitPlan

SHOWN_ITEMS = 5


@dataclass(frozen=True)
class Forecast(ItemForecast):
    """`items`: of the whole table. `units`: of one update. `shares`: of the sample, by outcome."""

    shares: Mapping[str, float]
    changed: tuple[Item, ...]

    @classmethod
    def of(cls, assignments: Assignments, sample: Sampled, segments: int, description: TableDescription) -> Self:
        """Return the forecast for a table of so many segments."""
        table = WrittenTable.described(description)
        counts = dict.fromkeys(("written", "right", "lacking", "refused"), 0)
        changed, writes = [], []
        for item in sample.items:
            verdict = assignments.judge(item)
            if isinstance(verdict, Update):
                counts["written"] += 1
                changed.append({**item, **verdict.values})
                writes.append(update_units(table, item, changed[-1]))
            else:
                counts[verdict.problem if isinstance(verdict, Unmade) else "right"] += 1
        shares = {name: count / len(sample.items) if sample.items else 0.0 for name, count in counts.items()}
        found = whole(sample, segments, description)
        return cls(sample, *found, WriteUnits.of(writes), shares, tuple(changed[:SHOWN_ITEMS]))

    def to_json(
        self, plan: RetrofitPlan, description: TableDescription, *, recovery: bool | None, shows: bool
    ) -> dict[str, Any]:
        """Return the explanation of a plan. `shows`: include the values that its first items would get.

        `recovery`: whether the table has point-in-time recovery; `None` if unknown.
        """
        updates = self.items * self.shares["written"]
        # An index entry holds what the index projects, so the whole item is an upper bound.
        counting = len(plan.counted) * self.size_bytes * 0.5 / STEP_BYTES
        expected = Expected(
            writes=updates,
            read_units=plan.passes * walked_units(plan, self.size_bytes) + counting,
            write_units=updates * self.units.each if updates else 0.0,
        )
        return {
            "table": plan.reading.source.table,
            "set": dict(plan.templates),
            "separator": plan.separator,
            "items": self.items,
            "items_are": self.items_are,
            "sample": {
                "items": len(self.sample.items),
                "read_units": self.sample.read_units,
                **{name: round(share * len(self.sample.items)) for name, share in self.shares.items()},
            },
            "expected": {name: round(self.items * share) for name, share in self.shares.items()},
            "write_units_per_update": self.units.to_json(),
            **expected.to_json(plan),
            "count_indexes": {"indexes": list(plan.counted), "read_units_at_most": round(counting, 1)},
            "point_in_time_recovery": recovery,
            "indexes": list(plan.assignments.indexes),
            "first_items": [_shown(item, plan, shows=shows) for item in self.changed],
            "advice": advice(plan.assignments, self.sample.items, description),
        }


def _shown(item: Item, plan: RetrofitPlan, *, shows: bool) -> dict[str, Any]:
    """Return the resulting item: its key and targets, with their values or only with their types."""
    names: Sequence[str] = [*(attribute.name for attribute in plan.reading.source.key), *plan.assignments.names]
    return {name: to_json(item[name]) if shows else next(iter(item[name])) for name in names}
