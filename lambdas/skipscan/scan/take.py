"""What a run takes of each group beside its key: attributes of its first item, its last, or both; each; or a count."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from skipscan import form
from skipscan.dynamodb.source import Item, Source
from skipscan.scan.taken import COUNT, COUNTED, FIRST, ITEM, LAST, READ

ALL = "all"

UP_TO = "up_to"
ITEMS, MOST, ORDER, DESCENDING = "items", "most", "order", "descending"
"""Words of the field `take`."""


def has_item_lines(document: Mapping[str, Any]) -> bool:
    """Return whether each item is a line of its own, by the plan.json or the manifest of a run."""
    return ITEMS in (document.get("take") or {})


@dataclass(frozen=True)
class Count:
    """The items of each group are counted. `up_to`: no further than to know that a group has more; `None`: all."""

    up_to: int | None = field(default=None, metadata=form.LEFT_OUT)


@dataclass(frozen=True)
class Each:
    """Each item of a group has a line. `most`: of a group at most so many. `descends`: the greatest sort keys first."""

    most: int | None
    descends: bool


@dataclass(frozen=True)
class ItemSelection:
    """What is taken of each group.

    `wanted`: by the line's member, the attributes beside partition key and sort key; `None` for all there are.
    `count`: instead of items. `each`: how the member `item` is wanted.
    """

    wanted: Mapping[str, tuple[str, ...] | None]
    count: Count | None = None
    each: Each | None = None

    @property
    def most_items(self) -> int | None:
        """How many items of a group are read at most, with the one that shows that there are more; `None`: all."""
        if self.count is not None:
            return None if self.count.up_to is None else self.count.up_to + 1
        return self.each.most if self.each else None

    @property
    def is_of_all(self) -> bool:
        """Whether all items are read, in the order in which pages have them."""
        return (self.count or self.each) is not None and self.most_items is None and not self.is_backwards

    @property
    def is_backwards(self) -> bool:
        return self.each is not None and self.each.descends

    @property
    def members(self) -> tuple[str, ...]:
        """What each line has beside the key."""
        return (*self.wanted, *(COUNTED if self.count else ()), READ)

    def projected(self, source: Source) -> tuple[str, ...] | None:
        """Return what a page must bring; `None` for all attributes that the source has.

        It may continue behind each of its items, so it brings their whole start keys.
        """
        names = dict.fromkeys(attribute.name for attribute in source.key)
        if self.count is not None:
            return tuple(names)
        for attributes in self.wanted.values():
            if attributes is None:
                return None
            names |= dict.fromkeys(attributes)
        return tuple(names)

    def cutter(self, source: Source) -> Callable[[str, Item], Item]:
        """Return the function that cuts an item to what a member holds: a page brings what other members want, too."""
        partition_key = {attribute.name for attribute in source.partition_key}
        sort_key = tuple(attribute.name for attribute in source.sort_key)

        def cut(member: str, item: Item) -> Item:
            names = self.wanted[member]
            if names is None:
                return {name: value for name, value in item.items() if name not in partition_key}
            wanted = dict.fromkeys((*sort_key, *names))
            return {name: item[name] for name in wanted if name in item and name not in partition_key}

        return cut

    def __str__(self) -> str:
        if self.count is not None:
            return "the number of items" + ("" if self.count.up_to is None else f", up to {self.count.up_to:,}")
        each = "each item" if self.most_items is None else f"at most {self.most_items:,} items"
        members = {member: each if member == ITEM else f"the {member} item" for member in self.wanted}
        taken = [
            f"{members[member]} with {'all attributes' if names is None else ', '.join(names) or 'its keys'}"
            for member, names in self.wanted.items()
        ]
        return f"{'; '.join(taken)}{', in descending order' if self.is_backwards else ''}"

    def to_json(self) -> dict[str, Any]:
        items = {
            ITEMS if member == ITEM else member: ALL if names is None else list(names)
            for member, names in self.wanted.items()
        }
        if self.each is not None:
            most = {MOST: self.each.most} if self.each.most else {}
            return {**items, **most, **({ORDER: DESCENDING} if self.each.descends else {})}
        return {**items, COUNT: form.write(self.count)} if self.count else items

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        wanted = {
            member: None if document[name] == ALL else form.read(tuple[str, ...], document[name])
            for name, member in ((FIRST, FIRST), (LAST, LAST), (ITEMS, ITEM))
            if name in document
        }
        count = form.read(Count, document[COUNT]) if COUNT in document else None
        most = form.read(int, document[MOST]) if MOST in document else None
        taken = cls(wanted, count, Each(most, ORDER in document) if ITEM in wanted else None)
        if not (wanted or count) or taken.to_json() != document:
            raise ValueError("it takes something else")
        return taken
