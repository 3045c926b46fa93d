"""Delete one item of each item collection."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from skipscan import form
from skipscan.act.action import WritingAction
from skipscan.act.item import ActedTable, delete_item
from skipscan.dynamodb.equality import check_equality
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.step import ItemSteps
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.write_units import WriteUnits, WrittenTable
from skipscan.errors import OMITTED, InputError, named
from skipscan.inputs.field import only
from skipscan.items.template import ItemTemplate


@dataclass(frozen=True)
class DeleteItem(WritingAction):
    """`condition`: delete only an item with these attribute values."""

    key: ItemTemplate
    condition: ItemTemplate | None = field(metadata={form.AS: "if"})

    name = "delete_item"
    writes_are = "deletes"
    summary = "Delete one item of each item collection."
    permissions = ("dynamodb:DeleteItem",)

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("key", "if"), what="delete_item", example='{"key": {"sk": "#static"}}')
        condition = ItemTemplate.parse(given["if"], "delete_item.if") if "if" in given else None
        return cls(ItemTemplate.parse(given.get("key"), "delete_item.key"), condition)

    def check(self, table: Source, keys: Sequence[KeyAttribute]) -> None:
        expected = self.key.check_sort_key("delete_item.key", table)
        for name in self.key.values:
            if name != expected:
                raise InputError(
                    f"delete_item.key.{name}",
                    OMITTED,
                    f'is not the table\'s sort key; "key" of {named("delete_item")} holds "{expected}" alone, its '
                    "partition key is filled in",
                    "leave it out",
                )
        self.key.check("delete_item.key", table.partition_key, keys)
        if self.condition:
            self.condition.check("delete_item.if", table.partition_key, ())
            check_equality(self.condition.values, "delete_item.if")

    def written(self, key: Item, mark: str) -> Item:
        return self.key.render(key)

    def units(self, table: WrittenTable, items: Sequence[Item]) -> WriteUnits:
        return WriteUnits({"table": 1.0}, largest=1.0)

    def most_units(self, table: WrittenTable, new: float) -> float:
        return table.most_delete_units

    @property
    def effect(self) -> str:
        return f"An item is deleted {'only if it meets the condition' if self.condition else 'whatever it contains'}."

    units_are = "at least: items above 1 KB cost their size, and each index that an item is in costs as well"

    @property
    def is_idempotent(self) -> bool:
        return self.condition is not None

    @property
    def repeat_means(self) -> str:
        if self.condition:
            return "only items that meet the condition are deleted"
        return "an item that the application has written at the same key since is deleted"

    def steps(self, at: ActedTable, key: Item) -> ItemSteps:
        expected = self.condition.render(key) if self.condition else {}
        return delete_item(at, {**key, **self.key.render(key)}, expected)
