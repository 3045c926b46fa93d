"""The plan of a retrofit, made once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skipscan import form
from skipscan.dynamodb.capacity import served_write_units
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, TableError
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.items.assignments import Assignment, Assignments, KeyRole
from skipscan.items.concatenation import Separator
from skipscan.items.plan import ItemPlan, reading_of, write_rate
from skipscan.pace.limits import choose_workers
from skipscan.retrofit.input import RetrofitInput


@dataclass(frozen=True)
class RetrofitPlan(ItemPlan):
    """The decisions of a retrofit. `templates`: by target. `roles`: the types that indexes require of a target.

    `removes`: the attributes to remove. `counted`: the indexes whose entries are counted at the end, each with the
    types of its key attributes.
    """

    templates: Mapping[str, str]
    removes: tuple[str, ...]
    separator: Separator
    roles: Mapping[str, tuple[KeyRole, ...]]
    counted: Mapping[str, Mapping[str, str]]

    @cached_property
    def assignments(self) -> Assignments:
        parsed = Assignments.parse(self.templates, self.separator, self.removes)
        known = tuple(Assignment(t.name, t.value, self.roles.get(t.name, ())) for t in parsed.assignments)
        return replace(parsed, assignments=known)

    @property
    def projected(self) -> tuple[str, ...]:
        """Return the attributes that a page must contain: of the key, and what is read, set or removed."""
        indexed = (name for types in self.counted.values() for name in types)
        return tuple(dict.fromkeys((*self.source.key_names, *self.assignments.attributes, *indexed)))

    def entries(self, item: Item) -> int:
        """Return how many counted indexes must contain an item: those whose keys it has, with the right types."""
        return sum(all(kind in item.get(name, ()) for name, kind in types.items()) for types in self.counted.values())

    @property
    def passes(self) -> int:
        return 2 if self.verify else 1

    @property
    def stated(self) -> dict[str, Any]:
        return {
            "table": self.reading.source.table,
            "identity": form.write(self.identity),
            "set": dict(self.templates),
            "remove": list(self.removes),
            "separator": self.separator,
            "verify": self.verify,
        }


def retrofit_plan(retrofit_input: RetrofitInput, description: TableDescription, prices: Prices) -> RetrofitPlan:
    """Return the plan for the described table.

    Raises `InputError` for targets that the table's keys or indexes forbid, `TableError` for a table in a state that
    does not allow work.
    """
    requested = (retrofit_input.templates, retrofit_input.separator, retrofit_input.remove)
    assignments = Assignments.parse(*requested).described(description)
    rate = write_rate(retrofit_input, description)
    served = rate or served_write_units(description)
    workers = choose_workers(retrofit_input.workers, retrofit_input.segments or MAX_SEGMENTS, served)
    return RetrofitPlan(
        reading=reading_of(
            retrofit_input,
            description,
            description,
            prices,
            workers=workers,
            consistent_read=retrofit_input.consistent_read,
        ),
        templates=retrofit_input.templates,
        removes=retrofit_input.remove,
        separator=retrofit_input.separator,
        roles={assignment.name: assignment.roles for assignment in assignments.assignments},
        counted=index_keys(description, assignments.indexes) if retrofit_input.count_indexes else {},
        verify=retrofit_input.verify,
        units_per_write=1.0,
        most_units_per_write=1.0,
        max_write_units_per_second=rate,
        max_write_units=retrofit_input.max_write_units,
        sampled_units=0.0,
    )


def index_keys(description: TableDescription, indexes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the key attributes of these indexes of a table, with their types."""
    return {name: {key.name: key.type for key in description.index(name).key} for name in indexes}


def resumed_plan(
    earlier: RetrofitPlan, retrofit_input: RetrofitInput, description: TableDescription, prices: Prices
) -> RetrofitPlan:
    """Return the plan for a resumed retrofit: the fixed plan with the rates and budgets of this input.

    Raises `TableError` if the keys of the table, or of the indexes on a target, have changed.
    """
    roles = {assignment.name: assignment.roles for assignment in earlier.assignments.described(description).assignments}
    if roles != earlier.roles:
        raise TableError(
            f'table "{retrofit_input.table}"',
            OMITTED,
            f"has other indexes on {', '.join(roles)} than when the retrofit started",
            "start a new one; items that are already correct cost no write",
        )
    return earlier.resumed(retrofit_input, description, description, prices)
