"""What a run brings of each item collection beside its partition key: attributes of the collection's first item.

The first item that a walk meets of a collection is the collection's first. A walk begins at a segment's beginning, and
a segment holds whole collections. From there on a walk passes over an item unseen only by a skip, and a skip ends
behind the last item of a collection whose key, and so whose first item, is reported already. A page that begins within
a collection (after a skip that the engine ignored, or where no skip is possible) begins within the one reported last,
or behind items that were deleted while they were evaluated.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from skipscan.dynamodb.source import Item, PartitionKey, Source

ALL = "all"

FIRST, READ = "first", "read"
"""The members that a line has beside the partition key."""


class Taken(NamedTuple):
    """A new partition key, and its collection's first item without it. `read`: when the page came, ISO 8601."""

    key: PartitionKey
    item: Item
    read: str


@dataclass(frozen=True)
class Take:
    """`first`: the attributes of a first item, beside its partition key and sort key; `None` for all there are."""

    first: tuple[str, ...] | None

    def projected(self, source: Source) -> tuple[str, ...] | None:
        """Return what a page must bring; `None` for all attributes that the source has."""
        if self.first is None:
            return None
        sort_key = (attribute.name for attribute in source.sort_key)
        return tuple(dict.fromkeys((*source.projected, *sort_key, *self.first)))

    def to_json(self) -> dict[str, Any]:
        return {"first": ALL if self.first is None else list(self.first)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(None if document["first"] == ALL else tuple(document["first"]))
