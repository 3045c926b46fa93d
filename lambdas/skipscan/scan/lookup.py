"""What a page's walk waits for, and what its answer brings: shared by runs that take items and runs that count."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.scan.take import COUNT, LAST


class Lookup(NamedTuple):
    """A Query in a collection: for one item, or to count items.

    `start_key`: where it continues after an answer without items, or behind the items counted. `limit`: the most items
    to evaluate; `None` requests a full page.
    """

    member: str
    key: PartitionKey
    start_key: Item | None = None
    limit: int | None = 1

    @property
    def is_backwards(self) -> bool:
        return self.member == LAST

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
