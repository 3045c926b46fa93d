"""A table or an index as Scan sees it: entries in order."""

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, TableDefinition
from tests.fakes.item_size import item_bytes
from tests.fakes.position import Order, Position


class Entry(NamedTuple):
    position: Position
    size_bytes: int
    item: Item


@dataclass
class View:
    """Holds an item only if the item has all key attributes, and of an item only what is projected."""

    definition: TableDefinition
    index: IndexDefinition | None = None
    entries: list[Entry] = field(default_factory=list)
    size_bytes: int = 0

    def __post_init__(self) -> None:
        self.order = Order(self.definition, self.index)
        self.key_attributes = self.definition.key_attributes(self.index)
        self.key_names = tuple(attribute.name for attribute in self.key_attributes)

    def add(self, item: Item) -> None:
        if entry := self._entry(item):
            insort(self.entries, entry)
            self.size_bytes += entry.size_bytes

    def add_all(self, items: Iterable[Item]) -> None:
        added = [entry for item in items if (entry := self._entry(item))]
        self.entries.extend(added)
        self.entries.sort()
        self.size_bytes += sum(entry.size_bytes for entry in added)

    def remove(self, item: Item) -> None:
        if entry := self._entry(item):
            del self.entries[self.first_at(entry.position)]
            self.size_bytes -= entry.size_bytes

    def first_at(self, position: Position) -> int:
        """The number of entries before the position."""
        return bisect_left(self.entries, (position,))

    def first_after(self, key: Item) -> int:
        """The number of entries up to and with the key, which need not be there."""
        position = self.order.position(key)
        at = self.first_at(position)
        return at + (at < len(self.entries) and self.entries[at].position == position)

    def key_of(self, item: Item) -> Item:
        return {name: dict(item[name]) for name in self.key_names}

    def partition_keys(self) -> list[Item]:
        """The distinct partition keys in the order of the scan: what a run must find."""
        names = [attribute.name for attribute in self.order.key.partition]
        found = {entry.position[1]: {name: entry.item[name] for name in names} for entry in self.entries}
        return list(found.values())

    def projection_of(self, item: Item) -> Item | None:
        """What is held of an item; None if it lacks a key attribute."""
        return None if any(name not in item for name in self.key_names) else self._projected(item)

    def _entry(self, item: Item) -> Entry | None:
        projected = self.projection_of(item)
        return Entry(self.order.position(item), item_bytes(projected), projected) if projected else None

    def _projected(self, item: Item) -> Item:
        if self.index is None or self.index.projection == "ALL":
            return item
        names = {*self.key_names, *self.index.non_key_attributes}
        return {name: value for name, value in item.items() if name in names}
