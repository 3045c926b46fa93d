"""Every version of every item of a table, and its writer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from tests.fakes.attribute_value import Item

Key = tuple[str, str]
"""Partition and sort key of an item; both are strings."""


@dataclass(frozen=True)
class Write:
    """A write of the product. `attempt`: whose it is. `looked`: when that attempt had last looked at the item.

    `looked_around`: the same, at its collection.
    """

    attempt: "Author"
    looked: int | None
    looked_around: int | None = None


class Author(Protocol):
    """One invocation. `place`: the worker and the batch that it works on, once that is known."""

    place: tuple[int, int] | None

    @property
    def was_committed(self) -> bool:
        """Tell whether its batch was committed before it began."""


class _Prepared:
    place: tuple[int, int] | None = None
    was_committed = False


PREPARED = _Prepared()
"""Whose the writes are that were there before the schedule began."""


@dataclass(frozen=True)
class Version:
    """`at`: its moment. `item`: `None` where it was deleted. `by`: `None` for the application.

    `theirs`: the attributes whose value is the application's.
    """

    at: int
    item: Item | None
    by: Write | None
    theirs: frozenset[str]


@dataclass
class Moments:
    """Moments: nothing happens at the same one."""

    _moments: Iterator[int] = field(default_factory=lambda: count(1))

    def moment(self) -> int:
        return next(self._moments)


class Table:
    """Items by key, with their versions, oldest first. `told`: receives every change, like a stream."""

    def __init__(self, moments: Moments) -> None:
        self._moments = moments
        self.items: dict[Key, Item] = {}
        self.versions: dict[Key, list[Version]] = {}
        self.told: Callable[[Key, str], None] = lambda key, event: None

    def write(self, key: Key, item: Item | None, by: Write | None = None, *, whole: bool = False) -> None:
        """Put an item, or delete the one that is there. `whole`: every attribute is its writer's, the same or not."""
        before = self.items.get(key)
        if item == before and not whole:
            return
        earlier = self.versions.setdefault(key, [])
        theirs = earlier[-1].theirs if earlier else frozenset()
        changed = {name for name, value in (item or {}).items() if whole or (before or {}).get(name) != value}
        kept = theirs & (item or {}).keys() - changed
        earlier.append(Version(self._moments.moment(), item, by, kept | changed if by is None else kept))
        if item is None:
            del self.items[key]
        else:
            self.items[key] = item
        if item != before:
            self.told(key, "INSERT" if before is None else "REMOVE" if item is None else "MODIFY")

    def at(self, key: Key, moment: int) -> Item | None:
        """Return an item as it was at a moment."""
        return next((version.item for version in reversed(self.versions.get(key, ())) if version.at <= moment), None)

    def changed_since(self, moment: int) -> list[Key]:
        return [key for key, versions in self.versions.items() if versions[-1].at > moment]

    def collection(self, partition_key: str) -> list[Key]:
        return sorted(key for key in self.items if key[0] == partition_key)
