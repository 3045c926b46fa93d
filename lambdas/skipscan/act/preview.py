"""What a job will write and cost, from a sample of the run's keys. The plan uses it, and a dry run shows it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Self

from skipscan import form
from skipscan.act.action import Action
from skipscan.act.actions.put_item import UndoOf
from skipscan.act.plan import ActPlan
from skipscan.dynamodb.attribute_value import to_json
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits, WrittenTable, item_bytes
from skipscan.items.estimate import WORKER_WRITES, job_estimate
from skipscan.items.job import THREADS

SHOWN_ITEMS = 5
LOOK_UNITS_ARE = "at least: a check reads a collection's first item, one unit for each 4 KB"
OLD_HOURS = 24.0
"""The age of a run from which a check of each collection is advised."""


@dataclass(frozen=True)
class Preview:
    """`items`: the sample, whole items to put, or else keys. `units`: write units of a key.

    `shown`: the first of the sample; of items that the run listed their keys.
    """

    items: tuple[Item, ...]
    units: WriteUnits
    item_bytes: float
    shown: tuple[Item, ...]

    @classmethod
    def of(cls, action: Action, mark: str, sample: Sequence[Item], description: TableDescription) -> Self:
        """Return the preview of an action on a sample of keys.

        A put or undone item counts as if none existed before. For a delete by key only the minimum of one unit is
        known.
        """
        table = WrittenTable.described(description)
        items = tuple({**key, **action.written(key, mark)} for key in sample)
        sizes = [item_bytes(item) for item in items]
        names = {attribute.name for attribute in description.key} if action.takes_items else None
        shown = tuple({name: item[name] for name in item if not names or name in names} for item in items[:SHOWN_ITEMS])
        return cls(items, action.units(table, items), sum(sizes) / len(sizes) if sizes else 0.0, shown)

    def to_json(self, plan: ActPlan, *, recovery: bool | None) -> dict[str, Any]:
        """Return the explanation of the plan, without the items' values.

        `recovery`: whether the table has point-in-time recovery; `None` if unknown.
        """
        total = sum(self.units.mean.values()) * plan.keys
        looks: float = plan.keys if plan.looks else 0
        read_units = looks * (max(1.0, self.step_units) if plan.action.reads_items else 1.0)
        if plan.kept and self.items:
            groups = plan.keys * len({repr(plan.kept.look(item)) for item in self.items}) / len(self.items)
            # At those to keep of a group: one for each request under way when it begins, as none has an answer yet.
            at_kept = min(plan.keys, groups * THREADS)
            looks += at_kept
            read_units += at_kept * max(1, ceil(plan.kept.items * self.item_bytes / STEP_BYTES))
        reads_are = plan.action.units_are if plan.action.reads_items else LOOK_UNITS_ARE
        estimated = job_estimate(read_units, total, self._seconds(plan), plan.workers, plan.prices)
        return {
            "action": plan.action.name,
            "table": plan.table,
            "run": plan.run,
            "keys": plan.keys,
            "requests": ceil(_requests(plan) + looks),
            "first_items": [{name: next(iter(value)) for name, value in item.items()} for item in self.shown],
            "sampled_keys": len(self.items),
            "item_bytes": round(self.item_bytes, 1),
            "write_units_per_key": self.units.to_json(),
            "write_units": round(total, 1),
            "write_units_are": plan.action.units_are,
            "skip_ended": plan.skips_ended,
            **({"read_units": round(read_units, 1), "read_units_are": reads_are} if looks else {}),
            "dollars": estimated["dollars"],
            "prices": form.write(plan.prices),
            "minutes": estimated["minutes"],
            "workers": plan.workers,
            "idempotent": plan.action.is_idempotent,
            "repeated_keys_per_worker": min(plan.repeated_keys, plan.keys),
            "repeat_means": plan.action.repeat_means,
            "max_units_per_second": plan.max_units_per_second,
            "max_write_units": plan.max_write_units,
            "max_dollars": plan.max_dollars,
            "overrun": plan.limits.overrun,
            **({"point_in_time_recovery": recovery} if plan.action.writes else {}),
        }

    def first_items(self) -> list[dict[str, Any]]:
        """Return the first items with their values, in DynamoDB JSON."""
        return [{name: to_json(value) for name, value in item.items()} for item in self.shown]

    @property
    def step_units(self) -> float:
        """Return the read units of a strongly consistent read of one of the items: a unit for each 4 KB."""
        return sum(ceil(item_bytes(item) / STEP_BYTES) for item in self.items) / max(1, len(self.items))

    def _seconds(self, plan: ActPlan) -> float:
        bound = plan.keys * plan.key_units / plan.max_units_per_second if plan.max_units_per_second else 0.0
        seconds = _requests(plan) / plan.action.requests_per_second
        if plan.looks:
            seconds += plan.keys / WORKER_WRITES
        return max(seconds / plan.workers, bound)


def act_advice(plan: ActPlan, run_hours: float) -> list[str]:
    """Return warnings about the job for a person. `run_hours`: the age of the run."""
    if run_hours < OLD_HOURS or plan.skips_ended or plan.action.takes_items or isinstance(plan.action, UndoOf):
        return []
    return [
        f"the run is {run_hours:,.0f} hours old: the job also acts on item collections that your application has "
        'deleted since. Set "skip_ended": true (--skip-ended) to check each collection first, for one read unit a key, '
        "or list the table again"
    ]


def reading_advice(explanation: Mapping[str, Any], gentle: float | None) -> Iterator[str]:
    """Yield a warning about the rate of reads, which follows that of the writes. `gentle`: the rate of other jobs."""
    rate = explanation.get("read_units", 0.0) / max(1.0, 60 * explanation["minutes"])
    if gentle is not None and rate > gentle:
        yield (
            f"the job also reads some {rate:,.0f} read units a second, more than a quarter of the table's capacity: "
            "give a lower max_write_units_per_second"
        )


def _requests(plan: ActPlan) -> float:
    return plan.keys / (plan.action.keys_together * plan.action.tasks_together)
