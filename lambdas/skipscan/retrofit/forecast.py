"""What a retrofit will do and cost, from a sample of the table's items. The plan uses it, and a dry run shows it.

And when no retrofit is needed: since November 2025 a global index may have several attributes as its keys.
DynamoDB fills such an index from the attributes as they are. A query by all parts of the partition key then needs no
concatenated attribute (developer guide, "Multi-attribute keys": up to four for the partition key and four for the sort
key).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.attribute_value import MOST_PARTITION_KEY_BYTES, to_json
from skipscan.dynamodb.page import STEP_BYTES
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import SourceKind, TableDescription
from skipscan.dynamodb.write_units import WriteUnits, WrittenTable, value_bytes
from skipscan.inputs.names import similar
from skipscan.items.assignments import Assignment, Assignments, Update
from skipscan.items.concatenation import SCALARS, Unmade
from skipscan.items.forecast import ItemForecast, Sampled, whole
from skipscan.retrofit.plan import RetrofitPlan

MOST_KEY_ATTRIBUTES = 4

NOT_IN_NAMES, MOST_NAME_CHARACTERS = re.compile(r"[^a-zA-Z0-9_.-]"), 255
"""An attribute may have any name, an index not (developer guide, "Naming rules and data types")."""


def advice(assignments: Assignments, items: Sequence[Item], description: TableDescription) -> list[dict[str, Any]]:
    """Return the indexes that would serve without a retrofit, one for each target that such an index can replace.

    `items`: a sample, for the types of the source attributes.
    """
    found = []
    for assignment in assignments.assignments:
        index = _index(assignment, items, description)
        if index is not None:
            found.append(
                {
                    "needless": assignment.name,
                    "because": (
                        f"a global index with {', '.join(assignment.value.sources)} as its partition key answers the "
                        f"same queries, and DynamoDB maintains it: you need no attribute {assignment.name}, no "
                        "retrofit and no keeper"
                    ),
                    "index": index,
                    "see": "developer guide, Global secondary indexes, Multi-attribute keys (since November 2025)",
                }
            )
    return found


def unfound(assignments: Assignments, items: Sequence[Item]) -> Iterator[str]:
    """Return a warning for each attribute to read or remove that no item of a sample has: it may be misspelt."""
    names = {name for item in items for name in item}
    for name in dict.fromkeys((*assignments.sources, *assignments.removes)):
        if items and name not in names:
            near = similar(name, names)
            yield f"No item of the sample has an attribute {name}{f'; did you mean {near[0]}?' if near else '.'}"


def _index(assignment: Assignment, items: Sequence[Item], description: TableDescription) -> dict[str, Any] | None:
    sources = assignment.value.sources
    template = assignment.value.template
    if not 1 <= len(sources) <= MOST_KEY_ATTRIBUTES or len(sources) != len(template.placeholders):
        return None
    if any(assignment.value.functions):
        return None  # an index holds the attributes as they are
    types = dict(description.attribute_types)
    for name in sources:
        kinds = {next(iter(item[name])) for item in items if name in item} or {types.get(name, "")}
        if len(kinds) != 1 or not kinds <= set(SCALARS):
            return None  # the index would omit an item with another type, or the item could not be written any more
        if not all(1 <= value_bytes(item[name]) <= MOST_PARTITION_KEY_BYTES for item in items if name in item):
            return None  # the same, with an empty or a longer value
        types[name] = kinds.pop()
    name, sort, projection = _existing_index(assignment, description)
    read_units, write_units = description.throughput.read_units, description.throughput.write_units
    provisioned = {"ReadCapacityUnits": read_units, "WriteCapacityUnits": write_units}
    return {
        "AttributeDefinitions": [
            {"AttributeName": n, "AttributeType": types[n]} for n in dict.fromkeys((*sources, *sort))
        ],
        "GlobalSecondaryIndexUpdates": [
            {
                "Create": {
                    "IndexName": NOT_IN_NAMES.sub("-", name)[:MOST_NAME_CHARACTERS],
                    "KeySchema": [
                        *({"AttributeName": n, "KeyType": "HASH"} for n in sources),
                        *({"AttributeName": n, "KeyType": "RANGE"} for n in sort if n not in sources),
                    ],
                    "Projection": projection,
                    **({"ProvisionedThroughput": provisioned} if read_units else {}),
                }
            }
        ],
    }


def _existing_index(
    assignment: Assignment, description: TableDescription
) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
    """Return a name, the sort keys and the projection of the index that has the target as its partition key."""
    for index in description.indexes:
        if index.kind is SourceKind.GLOBAL_INDEX and [attribute.name for attribute in index.partition_key] == [
            assignment.name
        ]:
            sort = tuple(attribute.name for attribute in index.sort_key)
            return f"{index.name}-keys", sort, index.projection_request
    return "by-" + "-".join(assignment.value.sources), (), {"ProjectionType": "ALL"}


SHOWN_ITEMS = 5


@dataclass(frozen=True)
class Forecast(ItemForecast):
    """`items`: of the whole table. `units`: of one update. `shares`: of the sample, by outcome."""

    shares: Mapping[str, float]
    changed: tuple[Item, ...]

    @classmethod
    def of(cls, assignments: Assignments, sample: Sampled, segments: int, description: TableDescription) -> Self:
        """Return the forecast for a table, from a sample. `segments`: of the plan."""
        table = WrittenTable.described(description)
        counts = dict.fromkeys(("written", "right", "lacking", "refused"), 0)
        changed, writes = [], []
        for item in sample.items:
            verdict = assignments.judge(item)
            if isinstance(verdict, Update):
                counts["written"] += 1
                kept = {name: value for name, value in item.items() if name not in verdict.removes}
                changed.append({**kept, **verdict.values})
                writes.append(table.units(item, changed[-1]))
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
        return {
            **self.explained(plan, writes=updates, more_read_units=counting, recovery=recovery),
            "set": dict(plan.templates),
            "remove": list(plan.removes),
            "separator": plan.separator,
            "sample": {
                "items": len(self.sample.items),
                "read_units": self.sample.read_units,
                **{name: round(share * len(self.sample.items)) for name, share in self.shares.items()},
            },
            "expected": {name: round(self.items * share) for name, share in self.shares.items()},
            "write_units_per_update": self.units.to_json(),
            "count_indexes": {"indexes": list(plan.counted), "read_units_at_most": round(counting, 1)},
            "indexes": list(plan.assignments.indexes),
            "first_items": [_shown(item, plan, shows=shows) for item in self.changed],
            "advice": advice(plan.assignments, self.sample.items, description),
        }


def _shown(item: Item, plan: RetrofitPlan, *, shows: bool) -> dict[str, Any]:
    """Return the resulting item: its key and targets, with their values or only with their types."""
    names: Sequence[str] = [*plan.source.key_names, *plan.assignments.names]
    return {name: to_json(item[name]) if shows else next(iter(item[name])) for name in names}
