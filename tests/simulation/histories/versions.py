"""Every version of every item of a table, and its writer."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.table import FakeTable
from tests.simulation.world.attempt import Attempt

Key = tuple[str, str]
"""Partition and sort key of an item; both are strings."""


def key_of(item: Mapping[str, Any]) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def named(key: Key) -> Item:
    return {"pk": {"S": key[0]}, "sk": {"S": key[1]}}


@dataclass(frozen=True)
class Write:
    """A write of the product. `attempt`: whose it is; nobody's of `PREPARED`.

    `looked`: when that attempt had last looked at the item. `looked_around`: the same, at its collection.
    """

    attempt: Attempt | None
    looked: int | None
    looked_around: int | None = None


PREPARED = Write(None, None)
"""Of all that was written before the schedule began."""


@dataclass(frozen=True)
class Version:
    """`at`: its moment. `item`: `None` where it was deleted. `by`: `None` for the application.

    `theirs`: the attributes whose value is the application's.
    """

    at: int
    item: Item | None
    by: Write | None
    theirs: frozenset[str]


class Table:
    """A table's items with their versions, oldest first. `told`: receives every change, like a stream.

    `moments`: nothing happens at the same one.
    """

    def __init__(self, table: FakeTable, moments: Iterator[int]) -> None:
        self._table, self._moments = table, moments
        self.versions: dict[Key, list[Version]] = {}
        self.told: Callable[[Key, str], None] = lambda key, event: None

    def write(self, key: Key, item: Item | None, by: Write | None = None, *, whole: bool = False) -> None:
        """Put an item, or delete the one that is there. `whole`: every attribute is its writer's, the same or not."""
        self._show(key, item)
        self.note(key, by, whole=whole)

    def note(self, key: Key, by: Write | None, *, whole: bool = False) -> None:
        """Keep the version of an item that has been written."""
        item, before = self._table.get(named(key)), self.item(key)
        if item == before and not whole:
            return
        earlier = self.versions.setdefault(key, [])
        theirs = earlier[-1].theirs if earlier else frozenset()
        changed = {name for name, value in (item or {}).items() if whole or (before or {}).get(name) != value}
        kept = theirs & (item or {}).keys() - changed
        earlier.append(Version(next(self._moments), item, by, kept | changed if by is None else kept))
        if item != before:
            self.told(key, "INSERT" if before is None else "REMOVE" if item is None else "MODIFY")

    @contextmanager
    def aged(self, age: Callable[[int], int]) -> Iterator[None]:
        """Let readers see older versions of the items. `age`: how many versions old one of so many is."""
        shown = {key: versions[-1 - age(len(versions))] for key, versions in self.versions.items()}
        older = {key: version for key, version in shown.items() if version is not self.versions[key][-1]}
        for key, version in older.items():
            self._show(key, version.item)
        yield
        for key in older:
            self._show(key, self.item(key))

    def _show(self, key: Key, item: Item | None) -> None:
        if item is None:
            self._table.delete(named(key))
        else:
            self._table.put(item)

    def item(self, key: Key) -> Item | None:
        return self.versions[key][-1].item if key in self.versions else None

    def items(self) -> dict[Key, Item]:
        return {key: item for key in self.versions if (item := self.item(key)) is not None}

    def at(self, key: Key, moment: int) -> Item | None:
        """Return an item as it was at a moment."""
        return next((version.item for version in reversed(self.versions.get(key, ())) if version.at <= moment), None)

    def changed_since(self, moment: int) -> list[Key]:
        return [key for key, versions in self.versions.items() if versions[-1].at > moment]

    def collection(self, partition_key: str) -> list[Key]:
        return sorted(key for key in self.items() if key[0] == partition_key)
