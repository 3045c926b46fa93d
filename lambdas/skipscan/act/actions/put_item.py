"""Put an item into each item collection, or delete the items that an earlier job put."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from skipscan.act.action import ActionRequest, WritingAction
from skipscan.act.item import ActedTable, delete_whole, put_item
from skipscan.dynamodb.equality import check_equality
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.step import ItemSteps
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.write_units import WrittenTable
from skipscan.inputs.field import flag, only, run_name
from skipscan.items.mark import MARK
from skipscan.items.template import ItemTemplate


@dataclass(frozen=True)
class PutItem(WritingAction):
    """`overwrite`: even where an item with that key exists."""

    item: ItemTemplate
    overwrite: bool

    name = "put_item"
    writes_are = "puts"
    summary = "Put an item into each item collection."
    permissions = ("dynamodb:PutItem",)

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("item", "overwrite"), what="put_item", example='{"item": {"sk": "#static"}}')
        template = ItemTemplate.parse(given.get("item"), "put_item.item")
        return cls(template, flag("put_item.overwrite", given.get("overwrite", False)))

    def check(self, table: Source, keys: Sequence[KeyAttribute]) -> None:
        self.item.check_marked("put_item.item", table)
        self.item.check("put_item.item", table.partition_key, keys)

    def written(self, key: Item, mark: str) -> Item:
        return {**self.item.render(key), MARK: {"S": mark}}

    def most_units(self, table: WrittenTable, new: float) -> float:
        # The existing item's entries are deleted, and the new one's put.
        return table.most_delete_units + new if self.overwrite else super().most_units(table, new)

    @property
    def effect(self) -> str:
        return f"Items with the same key are {'overwritten' if self.overwrite else 'kept'}."

    @property
    def units_are(self) -> str:
        if self.overwrite:
            return "estimated from the sample, assuming that no item exists; replacing a larger item costs its size"
        return (
            "estimated from the sample, assuming that no item exists; existing items are kept, but the write is billed"
        )

    @property
    def is_idempotent(self) -> bool:
        return not self.overwrite

    @property
    def repeat_means(self) -> str:
        if self.overwrite:
            return (
                "items with this job's mark are kept; items that the application has written at the same key since "
                "are overwritten, and items that it has deleted are put again"
            )
        return "nothing is overwritten; an item of this job that the application has deleted since is put again"

    def steps(self, at: ActedTable, key: Item) -> ItemSteps:
        return put_item(at, {**key, **self.written(key, at.mark)}, overwrites=self.overwrite)


@dataclass(frozen=True)
class UndoOf(ActionRequest):
    """An undo as the input names it: by the name of the job. Plan finds out what that job put."""

    job: str

    name = "undo"
    writes = True
    writes_are = "deletes"

    @property
    def effect(self) -> str:
        return f"Items of act {self.job} that nobody has changed are deleted."


@dataclass(frozen=True)
class Undo(UndoOf, WritingAction):
    """`job`: the one whose items are deleted. `item`: its template. `mark`: its mark, which no other job has."""

    item: ItemTemplate
    mark: str

    summary = "Delete only the items that a job has put."
    metavar = "JOB"
    permissions = ("dynamodb:GetItem", "dynamodb:DeleteItem")
    reads_items = True

    @classmethod
    def parse(cls, document: object) -> UndoOf:
        return UndoOf(run_name("undo", document, "the name of the put_item or delete_listed job to undo"))

    def check(self, table: Source, keys: Sequence[KeyAttribute]) -> None:
        # The sort key is part of the key, and the mark is compared separately.
        check_equality([name for name in self.item.values if name != table.sort_key[0].name] + [MARK], "undo")

    def written(self, key: Item, mark: str) -> Item:
        return {**self.item.render(key), MARK: {"S": self.mark}}

    units_are = "estimated from the sample, if every item is still there"
    is_idempotent = True
    repeat_means = "only items that the undone job has put, and that are unchanged, are deleted"

    def steps(self, at: ActedTable, key: Item) -> ItemSteps:
        return delete_whole(at, {**key, **self.written(key, at.mark)})
