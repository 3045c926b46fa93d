"""Delete the items that a run listed, each only as it was listed, or put them back.

The parts of the run are the plan, the record and the undo: they hold every item whole, with the types of its values.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.act.action import WritingAction
from skipscan.act.actions.put_item import Undo, UndoOf
from skipscan.act.item import ActedTable, delete_whole, put_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import ItemSteps
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable
from skipscan.errors import InputError
from skipscan.inputs.field import count, only
from skipscan.lines.formats import format_of
from skipscan.scan.take import Take
from skipscan.scan.taken import ITEM

WHOLE_ITEMS: dict[str, Any] = {"take": {"items": "all"}, "format": "dynamodb-jsonl"}
"""What a run must have in its input."""

MOST_DELETED = 10**12


class ListedAction(WritingAction):
    """An action on each item of a run, with the whole item as its key."""

    takes_items = True

    def most_units(self, table: WrittenTable, new: float) -> float:
        return table.most_delete_units

    is_idempotent = True


@dataclass(frozen=True)
class DeleteListed(ListedAction):
    """`max_deletes`: refuse a run that listed more items."""

    max_deletes: int | None

    name = "delete_listed"
    writes_are = "deletes"
    summary = "Delete the items that the run listed, each only if it is unchanged."
    permissions = ("dynamodb:GetItem", "dynamodb:DeleteItem")
    reads_items = True

    @classmethod
    def parse(cls, document: object) -> Self:
        given = only(document, ("max_deletes",), what="delete_listed", example='{"max_deletes": 100000}')
        return cls(count("delete_listed.max_deletes", given.get("max_deletes"), MOST_DELETED, "a job deletes"))

    def check_listed(self, items: int) -> None:
        """Raise `InputError` for more items than the job may delete."""
        if self.max_deletes is not None and items > self.max_deletes:
            rule = f"the run listed {items:,} items"
            raise InputError("delete_listed.max_deletes", self.max_deletes, rule, "look at them, then raise it")

    def warnings(self, table: TableDescription, *, has_recovery: bool | None) -> Iterator[str]:
        """Yield what else a delete reaches, and what could bring the items back."""
        if table.is_global:
            yield "the table is global: every delete is replicated to its other regions"
        if table.stream:
            yield "the table has a stream: whatever reads it receives every delete"
        if not has_recovery:
            yield (
                "point-in-time recovery is not on: the parts of the run are the only copy of what is deleted, as long "
                "as they are on S3"
            )

    effect = "Items that changed since they were listed stay, and so do all that the run did not list."
    units_are = "estimated from the sample, if every item is still there"
    repeat_means = "only items that are as they were listed are deleted"

    def steps(self, at: ActedTable, key: Item) -> ItemSteps:
        return delete_whole(at, key)


@dataclass(frozen=True)
class PutBack(UndoOf, ListedAction):
    """The undo of deletes, as Plan decides it. `job`: the one that deleted the items."""

    name = "put_back"
    writes_are = "puts"
    summary = "Put the items back that a job has deleted."
    permissions = ("dynamodb:PutItem",)

    @classmethod
    def parse(cls, document: object) -> Self:
        return cls(Undo.parse(document).job)

    effect = "Where an item has the same key by now, that one stays."
    units_are = "estimated from the sample, if no item is there; existing items are kept, but the write is billed"
    repeat_means = "nothing is overwritten; an item that was put back and deleted since is put back again"

    def steps(self, at: ActedTable, key: Item) -> ItemSteps:
        return put_item(at, key, overwrites=False)


def check_items(manifest: Mapping[str, Any], description: TableDescription, run: str) -> None:
    """Raise `InputError` unless the parts of a run have whole items of the table with the types of their values."""
    stored, index = format_of(manifest["format"]), manifest["index"]
    rule = ""
    if Take.of_words(manifest.get("take")).attributes != {ITEM: None}:
        rule = "it does not list whole items"
    elif not stored.keeps_types or stored.quote is not None:
        rule = f"it wrote its items as {stored.name}, which the job cannot read back"
    elif index is not None and description.index(index).projection != "ALL":
        rule = f'it listed index "{index}", which does not project whole items'
    if rule:
        way = f"list them with {WHOLE_ITEMS}".replace("'", '"')
        raise InputError("run", run, rule, f"{way} (skipscan run --items all --format {WHOLE_ITEMS['format']})")
