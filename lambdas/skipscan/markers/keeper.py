"""The keeper: after a change of an item collection, make its marker agree with it. No boto3 here: the caller acts.

The keeper does not trust what an event says of the collection: the event may be old, late or repeated. It reads the
collection, and reads it again after every write of its own, until marker and items agree.

This suffices for any order of events, with duplicates, retries, crashes, and several keepers at once: every change of a
collection has an event, including a keeper's own write, and the handler of that event reads after the change. So the
read for the last change sees the final state. If marker and items disagreed then, a write would follow, and that write
would be the last change. The second read gives the same result without the keeper's own events, as long as no keeper
crashes, and without waiting for the stream.

The keeper deletes only what it or a job of its environment put, unchanged: directly before the delete it reads the
whole marker, and the delete has a condition on everything that was read. No condition can name an attribute that did
not exist, so an attribute that is added between that read and the delete is deleted, too.
"""

from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Refused
from skipscan.markers.marker import Marker

ROUNDS = 5
"""Writes to one collection before giving up for now: others are changing it all the time."""


class KeeperRead(Enum):
    """A strongly consistent read; the caller answers with the items."""

    READ_MARKER = "GetItem of the marker's key, all attributes"
    READ_ITEMS = "Query of the collection's first two items: their keys and marks"


class PutMarker(Enum):
    """A write. The caller answers with no items, whether it was made or its condition failed, or with `Refused`."""

    PUT_MARKER = "PutItem of the marker, unless an item exists at its key"


@dataclass(frozen=True)
class DeleteMarker:
    """DeleteItem of the marker's key if every attribute is as it was read. The caller answers as to `PutMarker`."""

    seen: Item


KeeperStep = KeeperRead | PutMarker | DeleteMarker


class MarkerOutcome(Enum):
    AGREES = "agrees"
    OCCUPIED = "occupied"  # another item has the marker's key, and is not changed
    UNMARKED = "unmarked"  # the collection ended, but its marker may not be ours: it is kept
    EXTENDED = "extended"  # the collection ended, but its marker has more attributes: it is kept
    REFUSED = "refused"  # DynamoDB refuses the marker of this collection, and would again: a key too long, or no room
    UNSETTLED = "unsettled"  # the collection kept changing: its event must be delivered again


Keeping = Generator[KeeperStep, Any, MarkerOutcome]


def keep(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    """Return the steps that make a collection's marker agree with it.

    `only_added`: every event says that an item other than the marker was added. Then an existing marker settles it, for
    one read unit however large the items are: if they are gone again, the events of that will follow.
    """
    if only_added:
        found = yield KeeperRead.READ_MARKER
        if found:
            return MarkerOutcome.AGREES if marker.is_marker(found[0]) else MarkerOutcome.OCCUPIED
    for writes in range(ROUNDS + 1):
        items = yield KeeperRead.READ_ITEMS
        has_items = any(not marker.lies_at(item) for item in items)
        at_key = [item for item in items if marker.lies_at(item)]
        if len(items) == 2 and not at_key:  # the marker may be behind the first two
            at_key = list((yield KeeperRead.READ_MARKER))
        if at_key and not marker.is_marker(at_key[0]):
            return MarkerOutcome.OCCUPIED
        if has_items == bool(at_key):
            return MarkerOutcome.AGREES
        if writes == ROUNDS:
            break
        answer = None
        if has_items:
            answer = yield PutMarker.PUT_MARKER
        elif seen := (yield KeeperRead.READ_MARKER):
            if left := _left(marker, seen[0]):
                return left
            answer = yield DeleteMarker(seen[0])
        if isinstance(answer, Refused):
            return MarkerOutcome.REFUSED
    return MarkerOutcome.UNSETTLED


def _left(marker: Marker, item: Item) -> MarkerOutcome | None:
    """Return why an item at the marker's key must not be deleted; `None` if deleting it is safe."""
    if not marker.is_marker(item):
        return MarkerOutcome.OCCUPIED
    if not marker.is_marked(item):
        return MarkerOutcome.UNMARKED
    return None if marker.is_bare(item) else MarkerOutcome.EXTENDED
