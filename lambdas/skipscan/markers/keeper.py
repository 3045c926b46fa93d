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

from enum import StrEnum

from skipscan.dynamodb.attribute_value import MOST_SORT_KEY_BYTES, AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import First, Get, ItemSteps, Refused, Write
from skipscan.dynamodb.write_units import value_bytes
from skipscan.markers.marker import Marker

ROUNDS = 5
"""Writes to one collection before giving up for now: others are changing it all the time."""


class MarkerOutcome(StrEnum):
    AGREES = "agrees"
    OCCUPIED = "occupied"  # another item has the marker's key, and is not changed
    UNMARKED = "unmarked"  # the collection ended, but its marker may not be ours: it is kept
    EXTENDED = "extended"  # the collection ended, but its marker has more attributes: it is kept
    REFUSED = "refused"  # DynamoDB refuses the marker of this collection, and would again: a key too long, or no room
    UNSETTLED = "unsettled"  # the collection kept changing: its event must be delivered again


def keep(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> ItemSteps:  # noqa: PLR0911 (one return an outcome)
    """Make a collection's marker agree with it; return the `MarkerOutcome`.

    `only_added`: every event says that an item other than the marker was added. Then an existing marker ends it, for
    one read unit however large the items are: if they are gone again, the events of that will follow.
    """
    name = marker.partition_key.name
    key = marker.key(partition_key)
    if value_bytes(key[marker.sort_key.name]) > MOST_SORT_KEY_BYTES:
        return MarkerOutcome.REFUSED
    get = Get(marker.table, key)
    if only_added and (found := (yield get)):
        return MarkerOutcome.AGREES if marker.is_marker(found) else MarkerOutcome.OCCUPIED
    for writes in range(ROUNDS + 1):
        items = yield First(marker.table, {name: partition_key}, tuple(marker.template.values), 2)
        has_items = any(not marker.lies_at(item) for item in items)
        at_key = next((item for item in items if marker.lies_at(item)), None)
        if len(items) == 2 and at_key is None:  # the marker may be behind the first two
            at_key = yield get
        if at_key and not marker.is_marker(at_key):
            return MarkerOutcome.OCCUPIED
        if has_items == bool(at_key):
            return MarkerOutcome.AGREES
        if writes == ROUNDS:
            break
        write = Write(marker.table, key, put=marker.item(partition_key), expects={name: None})
        if not has_items:
            seen = yield get
            if not seen:
                continue
            if left := _left(marker, seen):
                return left
            write = Write(marker.table, key, expects={n: value for n, value in seen.items() if n not in key})
        if isinstance((yield write), Refused):
            return MarkerOutcome.REFUSED
    return MarkerOutcome.UNSETTLED


def _left(marker: Marker, item: Item) -> MarkerOutcome | None:
    """Return why an item at the marker's key must not be deleted; `None` if deleting it is safe."""
    if not marker.is_marker(item):
        return MarkerOutcome.OCCUPIED
    if not marker.is_marked(item):
        return MarkerOutcome.UNMARKED
    return None if marker.is_bare(item) else MarkerOutcome.EXTENDED
