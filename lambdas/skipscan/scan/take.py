"""What a run brings of each group beside its key: attributes of its first item, its last, or both; or how many it has.

The first item that a walk meets of a collection is the collection's first. A walk begins at a segment's beginning, and
a segment holds whole collections. From there on a walk passes over an item unseen only by a skip, and a skip ends
behind the last item of a collection whose key, and so whose first item, is reported already. A page that begins within
a collection (after a skip that the engine ignored, or where no skip is possible) begins within the one reported last,
or behind items that were deleted while they were evaluated.

So a page shows a new collection from its beginning, and shows the last item of every collection but the one in which
the page ends. Only that one needs a Query.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from skipscan import form
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, PartitionKey, Source
from skipscan.inputs.quantities import in_utc

ALL = "all"

FIRST, LAST, READ = "first", "last", "read"
"""The members that a line with items has beside the partition key."""

COUNT, MORE, READ_UNITS = "count", "more", "read_units"
"""The members that a line with a count has."""

ITEM = "item"
"""The member of a line with one of all items."""

ENDS = (FIRST, LAST)
COUNTED = (COUNT, MORE, READ_UNITS)

LINES = ((FIRST,), (LAST,), ENDS, (ITEM,), COUNTED)
"""The members that lines can have together, beside the key and the time."""

TYPES = {FIRST: "M", LAST: "M", ITEM: "M", COUNT: "N", MORE: "BOOL", READ_UNITS: "N", READ: "S"}
"""The DynamoDB type of each member; an item that does not exist is NULL."""

UP_TO = "up_to"
ITEMS, MOST, ORDER, DESCENDING = "items", "most", "order", "descending"
"""Words of the field `take`."""


class Counted(NamedTuple):
    """How many items of a group were counted, so far or to the end, and the read units that they took.

    `more`: it has more items than the run was asked to count. `before_ties`: the items that have the sort key of the
    place at which the count stands are not in it, and a Query begins with them.
    """

    items: int = 0
    read_units: float = 0.0
    more: bool = False
    before_ties: bool = False

    def and_(self, items: int, read_units: float) -> "Counted":
        return Counted(self.items + items, self.read_units + read_units)

    def bounded(self, up_to: int | None) -> "Counted":
        """Return the count as a line has it."""
        more = up_to is not None and self.items > up_to
        return Counted(min(self.items, up_to or self.items), round(self.read_units, 4), more)


class Taken(NamedTuple):
    """A new partition key, and by their members the items of its collection without it: `None` where there is none.

    `read`: when the newest of the items came, ISO 8601. `counted`: instead of items.
    """

    key: PartitionKey
    items: Mapping[str, Item | None]
    read: str
    counted: Counted | None = None

    @property
    def members(self) -> Mapping[str, AttributeValue]:
        """Return what a line has beside the key, as values of DynamoDB."""
        found: dict[str, AttributeValue] = {
            member: {"NULL": True} if item is None else {"M": item} for member, item in self.items.items()
        }
        if (counted := self.counted) is not None:
            found |= {
                COUNT: {"N": str(counted.items)},
                MORE: {"BOOL": counted.more},
                READ_UNITS: {"N": f"{counted.read_units:.12g}"},
            }
        return {**found, READ: {"S": self.read}}

    @classmethod
    def of(cls, key: PartitionKey, members: Mapping[str, AttributeValue]) -> Self:
        """Return what was taken, from the values that a line has beside the key."""
        counted = None
        if COUNT in members:
            counted = Counted(int(members[COUNT]["N"]), float(members[READ_UNITS]["N"]), members[MORE]["BOOL"])
        items = {end: members[end].get("M") for end in (*ENDS, ITEM) if end in members}
        return cls(key, items, members[READ]["S"], counted)


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


class Lookup(NamedTuple):
    """A Query in a group: for one item, or to count items.

    `key`: the values of its partition key. `among`: its sort keys; `None` for those of the whole item collection.
    `start_key`: where it continues after an answer without items, or behind the items counted. `limit`: the most items
    to evaluate; `None` requests a full page. `descends`: from the greatest sort key on.
    """

    member: str
    key: tuple[AttributeValue, ...]
    among: SortRange | None = None
    start_key: Item | None = None
    limit: int | None = 1
    descends: bool = False

    @property
    def is_backwards(self) -> bool:
        return self.descends or self.member == LAST

    @property
    def reads_on(self) -> bool:
        """Whether it is one of the pages of a group, and not one item that a page waits for."""
        return self.member in {COUNT, ITEM}

    @property
    def counts(self) -> bool:
        return self.member == COUNT


class Lines(NamedTuple):
    """Lines to be written. `ended`: how many of them lack a last item, because the collection was emptied meanwhile."""

    lines: Sequence[Any]
    ended: int = 0


def iso_time(seconds: float) -> str:
    """Return a time since 1970 as lines state it."""
    return in_utc(datetime.fromtimestamp(seconds, UTC))
