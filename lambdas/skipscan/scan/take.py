"""What a run brings of each item collection beside its partition key: attributes of its first item, its last, or both.

The first item that a walk meets of a collection is the collection's first. A walk begins at a segment's beginning, and
a segment holds whole collections. From there on a walk passes over an item unseen only by a skip, and a skip ends
behind the last item of a collection whose key, and so whose first item, is reported already. A page that begins within
a collection (after a skip that the engine ignored, or where no skip is possible) begins within the one reported last,
or behind items that were deleted while they were evaluated.

So a page shows a new collection from its beginning, and shows the last item of every collection but the one in which
the page ends. Only that one needs a Query.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from skipscan.dynamodb.source import Item, PartitionKey, Source

ALL = "all"

FIRST, LAST, READ = "first", "last", "read"
"""The members that a line has beside the partition key."""

ENDS = (FIRST, LAST)


class Taken(NamedTuple):
    """A new partition key, and by their members the items of its collection without it: `None` where there is none.

    `read`: when the newest of the items came, ISO 8601.
    """

    key: PartitionKey
    items: Mapping[str, Item | None]
    read: str


@dataclass(frozen=True)
class ItemSelection:
    """What is taken of each collection.

    `wanted`: by the line's member, the attributes beside partition key and sort key; `None` for all there are.
    """

    wanted: Mapping[str, tuple[str, ...] | None]

    @property
    def members(self) -> tuple[str, ...]:
        """What each line has beside the key."""
        return (*self.wanted, READ)

    def projected(self, source: Source) -> tuple[str, ...] | None:
        """Return what a page must bring; `None` for all attributes that the source has.

        It may continue behind each of its items, so it brings their whole start keys.
        """
        names = dict.fromkeys(attribute.name for attribute in source.key)
        for attributes in self.wanted.values():
            if attributes is None:
                return None
            names |= dict.fromkeys(attributes)
        return tuple(names)

    def to_json(self) -> dict[str, Any]:
        return {member: ALL if names is None else list(names) for member, names in self.wanted.items()}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        wanted = {
            member: None if document[member] == ALL else tuple(document[member])
            for member in ENDS
            if member in document
        }
        return cls(wanted)
