"""The plan of a copy, made once, and a forecast of its work and cost from a sample, which a dry run shows."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Self

from skipscan import form
from skipscan.copy.input import MOST_COMPARE_ITEMS, CopyInput
from skipscan.copy.replica import PUT_SECONDS, Replica, Side
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription, TableIdentity
from skipscan.dynamodb.write_units import WriteUnits, WrittenTable
from skipscan.inputs.fields import ItemInput
from skipscan.items.forecast import ItemForecast, Sampled, whole
from skipscan.items.plan import ItemPlan, reading_of, write_rate
from skipscan.listing.plan import average_page
from skipscan.pace.bill import Amounts

UNEVEN = 2.0
"""How many times its part of the keys a worker may compare: its segments may hold more items than those of others."""

VERIFYING = (Side.TARGET, Side.SOURCE)
"""The tables that a verification walks, after the copy's own walk of the source."""


@dataclass(frozen=True)
class CopyPlan(ItemPlan):
    """The decisions of a copy. The target is walked in the same way as the source.

    `target`: the table that is written. `compared_share`: of the keys that a verification compares, by the items that
    the plan knows of. `compare_only`: verify only. `compare_items`: about how many keys of each table are compared.
    """

    replica: Replica
    target: TableIdentity
    compared_share: float
    compare_only: bool = False
    compare_items: int = MOST_COMPARE_ITEMS

    @property
    def tables(self) -> dict[str, TableIdentity]:
        return {**super().tables, self.replica.target: self.target}

    longest_batch_seconds = PUT_SECONDS

    @property
    def passes(self) -> int:
        """Return the number of passes: one copies, and one in each table verifies."""
        return (not self.compare_only) + (len(VERIFYING) if self.verify else 0)

    @property
    def stated(self) -> dict[str, Any]:
        return {
            "table": self.reading.source.table,
            "identity": form.write(self.identity),
            "to": self.replica.target,
            "target": form.write(self.target),
            "set": dict(self.replica.templates),
            "separator": self.replica.separator,
            "verify": self.verify,
            "compared_share": self.compared_share,
            "compare_only": self.compare_only,
        }

    @property
    def average(self) -> Amounts:
        return average_page(self.reading) if self.compare_only else super().average

    def resumed(
        self, item_input: ItemInput, described: TableDescription, written: TableDescription, prices: Prices
    ) -> Self:
        return super().resumed(item_input, described, written, prices).at_its_rate()

    def at_its_rate(self) -> Self:
        """Return the plan, without a write rate if it writes nothing: the rate bounds the pages of the first pass."""
        return replace(self, max_write_units_per_second=None) if self.compare_only else self

    def verified_side(self, number: int) -> Side | None:
        """Return the table that a pass verifies; `None` for the pass that copies."""
        verifying = number - (not self.compare_only)
        return VERIFYING[verifying] if verifying >= 0 else None

    def over(self, items: int) -> Self:
        """Return the plan for a table of about `items` items."""
        return replace(self, compared_share=min(1.0, self.compare_items / items) if items else 1.0)

    def share_of(self, worker: int, counted: int) -> float:
        """Return the share of keys that a worker compares, once its segments have `counted` items.

        DescribeTable's ItemCount is hours old (API reference, TableDescription), so the planned share may be far too
        large. It stays until the worker would compare more keys than its maximum.
        """
        is_known = counted * self.compared_share > self.most_compared(worker)
        return self.most_compared(worker) / UNEVEN / counted if is_known else self.compared_share

    def most_compared(self, worker: int) -> float:
        """Return how many keys of each table a worker may compare."""
        return UNEVEN * self.compare_items * self.segments_of(worker) / self.reading.segments


def copy_plan(
    copy_input: CopyInput,
    replica: Replica,
    description: TableDescription,
    target: TableDescription,
    prices: Prices,
) -> CopyPlan:
    """Return the plan for the described tables.

    Raises `TableError` for a table that cannot be read in its state.
    """
    decided = CopyPlan(
        reading=reading_of(copy_input, description, target, prices, workers=copy_input.workers),
        replica=replica,
        target=target.identity,
        verify=copy_input.verify,
        compared_share=1.0,
        units_per_write=1.0,
        most_units_per_write=1.0,
        compare_only=copy_input.compare_only,
        compare_items=copy_input.compare_items,
        max_write_units_per_second=write_rate(copy_input, target),
        max_write_units=copy_input.max_write_units,
        sampled_units=0.0,
    )
    return decided.at_its_rate().over(description.items)


REPLICATED_READ_UNITS = 6.0
"""The read units of one replicated change: two reads of both tables, and a late one, for items of up to 4 KB."""


@dataclass(frozen=True)
class CopyForecast(ItemForecast):
    """`items`: of the whole source. `units`: of one put. `unset`: items of the sample, by reason."""

    unset: Mapping[str, int]

    @classmethod
    def of(
        cls,
        replica: Replica,
        sample: Sampled,
        segments: int,
        description: TableDescription,
        target: TableDescription,
    ) -> Self:
        """Return the forecast for the described tables."""
        table = WrittenTable.described(target)
        made = [replica.transform(item) for item in sample.items]
        units = WriteUnits.of([table.units({}, item) for item, _ in made])
        unset = Counter(reason for _, reason in made if reason)
        return cls(sample, *whole(sample, segments, description), units, unset)

    def to_json(self, plan: CopyPlan, *, recovery: bool | None) -> dict[str, Any]:
        """Return the explanation of a plan. `recovery`: the target's point-in-time recovery; `None` if unknown."""
        puts = 0 if plan.compare_only else self.items
        compared = (plan.passes - (not plan.compare_only)) * plan.compared_share * self.items
        look_units = max(1, ceil(self.item_bytes / STEP_BYTES))
        return {
            **self.explained(plan, writes=puts, more_read_units=2 * compared * look_units, recovery=recovery),
            "to": plan.replica.target,
            "set": dict(plan.replica.templates),
            "sample": {
                "items": len(self.sample.items),
                "read_units": self.sample.read_units,
                "unset": sum(self.unset.values()),
                "unset_because": dict(self.unset),
            },
            "write_units_per_put": self.units.to_json(),
            "each_later_change": {"write_units": round(self.units.each, 3), "read_units": REPLICATED_READ_UNITS},
            "compared_share": plan.compared_share,
            "compared_keys_at_most": round(UNEVEN * plan.compare_items),
            "compare_only": plan.compare_only,
        }
