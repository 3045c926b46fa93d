"""Delete the items that an earlier job put, and no others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from skipscan.act.action import ActionRequest, Delete, WritingAction, rendered_template, units_of_puts
from skipscan.dynamodb.equality import check_equality
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.write_units import WrittenTable
from skipscan.inputs.field import run_name
from skipscan.items.mark import MARK
from skipscan.items.template import ItemTemplate


@dataclass(frozen=True)
class UndoOf(ActionRequest):
    """An undo as the input names it: by the name of the job. Plan finds out what that job put."""

    job: str

    name = "undo"
    writes = True


@dataclass(frozen=True)
class Undo(WritingAction):
    """`job`: the one whose items are deleted. `item`: its template. `mark`: its mark, which no other job has."""

    job: str
    item: ItemTemplate
    mark: str

    name = "undo"
    summary = "Delete only the items that a job has put."
    metavar = "JOB"
    permissions = ("dynamodb:GetItem", "dynamodb:DeleteItem")
    reads_items = True

    @classmethod
    def parse(cls, document: Mapping[str, Any]) -> Self:
        return cls(document["job"], ItemTemplate.parse(document["item"], "undo.item"), document["mark"])

    @classmethod
    def requested(cls, document: object) -> UndoOf:
        return UndoOf(run_name("undo", document, "the name of the put_item job to undo"))

    def to_json(self) -> dict[str, Any]:
        return {"job": self.job, "item": self.item.document, "mark": self.mark}

    def check(self, table: Source, keys: Sequence[KeyAttribute]) -> None:
        # The sort key is part of the key, and the mark is compared separately.
        check_equality([name for name in self.item.values if name != table.sort_key[0].name] + [MARK], "undo")

    def written(self, key: Item, mark: str) -> Item:
        return {**rendered_template(self.item, key), MARK: {"S": self.mark}}

    def units(self, table: WrittenTable, items: Sequence[Item]) -> Mapping[str, float]:
        return units_of_puts(table, items)

    @property
    def units_are(self) -> str:
        return "estimated from the sample, if every item is still there"

    @property
    def is_idempotent(self) -> bool:
        return True

    @property
    def repeat_means(self) -> str:
        return "only items that the undone job has put, and that are unchanged, are deleted"

    def request(self, key: Item, sort_key: Sequence[str], mark: str) -> Delete:
        item = {**key, **self.written(key, mark)}
        place = {name: item[name] for name in (*key, *sort_key)}
        return Delete(place, {name: value for name, value in item.items() if name not in place}, whole=True)
