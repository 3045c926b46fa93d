"""What a page's walk waits for, and what its answer brings: shared by runs that take items and runs that count."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item
from skipscan.scan.take import COUNT, ITEM, LAST


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
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
