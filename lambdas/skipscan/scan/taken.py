"""What a line brings of its group beside the key: attributes of its first item, its last, or both; each item; a count.

The first item that a walk meets of a collection is the collection's first. A walk begins at a segment's beginning, and
a segment holds whole collections. From there on a walk passes over an item unseen only by a skip, and a skip ends
behind the last item of a collection whose key, and so whose first item, is reported already. A page that begins within
a collection (after a skip that the engine ignored, or where no skip is possible) begins within the one reported last,
or behind items that were deleted while they were evaluated.

So a page shows a new collection from its beginning, and shows the last item of every collection but the one in which
the page ends. Only that one needs a Query.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple, Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.inputs.quantities import in_utc

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


class Counted(NamedTuple):
    """How many items of a group were counted, so far or to the end, and the read units that they took.

    `more`: it has more items than the run counts. `before_ties`: the items that have the sort key of the
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


def iso_time(seconds: float) -> str:
    """Return a time since 1970 as lines state it."""
    return in_utc(datetime.fromtimestamp(seconds, UTC))
