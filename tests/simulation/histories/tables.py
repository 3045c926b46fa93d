"""The table of the schedules whose items, not collections, matter, and the application that writes to it."""

from collections.abc import Mapping
from typing import Any

from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Separator
from tests.fakes.attribute_value import Item
from tests.fakes.description import description
from tests.fakes.table import FakeTable
from tests.simulation.histories.application import Application
from tests.simulation.histories.client import definition
from tests.simulation.histories.law import Harm
from tests.simulation.histories.versions import Key, named
from tests.simulation.histories.world import History

OLD, NEW = "Old", "New"
TABLE = TableDescription.from_json(description(FakeTable(definition(OLD))))
KEYS = [(pk, "1") for pk in "012345"]
TEMPLATES = {"made": "{a}-{b}"}
SET, RENAME = {"set": TEMPLATES}, {"set": {"made": "{a}"}, "remove": ["a"]}
"""What retrofits and keepers are asked to do."""


def targets_of(asked: Mapping[str, Any]) -> Assignments:
    return Assignments.parse(asked["set"], Separator.REFUSE, asked.get("remove", ()))


def sources(world: History, *, deletes: bool = True) -> Application:
    """Return the application that changes what a target is made of, and the target itself."""

    def made(_: Key) -> Item:
        return {name: {"S": world.random.choice("xy")} for name in "ab" if world.random.random() < 0.9}

    def value(name: str) -> str | None:
        return world.random.choice("xyz") if name in "ab" else None

    table = world.tables[OLD]
    for key in KEYS[: world.random.randint(2, len(KEYS))]:
        table.write(key, {**named(key), **made(key), "note": {"S": f"first {key}"}})
    busy = world.random.choice([KEYS, KEYS[:1]])  # where others write, omissions of the product are hard to detect
    return Application(
        world.random, table, busy, made=made, sets=("a", "b", "made", "note"), value=value, deletes=deletes
    )


def is_right(item: Item | None, targets: Assignments) -> bool:
    """Tell whether an item needs no update, or can have none."""
    return not isinstance(targets.judge(item or {}), Update)


def told_of_targets(harm: Harm, targets: Assignments) -> str | None:
    """See docs/retrofit.md: nothing but the targets is written, to what the item's sources make.

    A rename loses no value: the new attribute has that of the old one.
    """
    if harm.before is None or harm.after is None or targets.judge(harm.after) is not None:
        return None
    if targets.removes:
        moved = harm.lost == {*targets.removes} and harm.after["made"] == harm.before["a"]
        return "an attribute was renamed" if moved else None
    return "the target was set" if harm.lost <= {*targets.names} else None
