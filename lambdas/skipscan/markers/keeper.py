"""The keeper: after a change of an item collection, make its marker agree with it. No boto3 here: the caller acts.

It never trusts what an event says of the collection, which may be old, late or told twice. It looks at the collection
as it is, and looks again after every write of its own, until marker and items agree.

Why that suffices, in any order of events, with duplicates, retries, crashes, and any number of keepers at once: every
change of a collection has an event, a keeper's own write too, and whoever handles the event looks after the change.
So the look for the last change sees things as they stay; if they disagreed, it would be followed by a write, and that
would be the last change. The second look makes the same hold without the keeper's own events as long as none crashes,
and mends at once what would otherwise wait for the stream.

It deletes only what it or a job of its environment put, as it was put: directly before, it looks at the whole marker,
and the delete is conditional on everything that it saw. No condition can name an attribute that was not there, so one
that somebody adds to a marker between that look and the delete goes with it.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.markers.marker import Marker

ROUNDS = 5
"""Writes to one collection before giving up on it for now: somebody else is changing it all the time."""


class Look(Enum):
    """A request that reads, strongly consistent; the caller answers with the items."""

    READ_MARKER = "GetItem of the marker's key, whole"
    READ_ITEMS = "Query of the collection's first two items: their keys, and what tells a marker"


class Put(Enum):
    """A request that writes; the caller answers with no items, whether it was made or its condition failed."""

    PUT_MARKER = "PutItem of the marker unless there is an item at its key"


@dataclass(frozen=True)
class Delete:
    """DeleteItem of the marker's key if every attribute is as it was seen. The caller answers with no items."""

    seen: Item


Step = Look | Put | Delete


class MarkerOutcome(Enum):
    AGREES = "agrees"
    OCCUPIED = "occupied"  # somebody's item lies at the marker's key, and is left alone
    UNMARKED = "unmarked"  # the collection ended, and its marker is not known to be ours: it is left alone
    EXTENDED = "extended"  # the collection ended, and somebody added attributes to its marker: it is left alone
    UNSETTLED = "unsettled"  # the collection changed all the while: its event must be delivered again


Keeping = Generator[Step, Sequence[Item], MarkerOutcome]


def keep(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    """Return the steps that make a collection's marker agree with it.

    `only_added`: every event says that an item other than the marker was added. Then a marker that is there settles
    it for one read unit however large the items are: should they be gone again, the events of that are to come.
    """
    if only_added:
        found = yield Look.READ_MARKER
        if found:
            return MarkerOutcome.AGREES if marker.is_marker(found[0]) else MarkerOutcome.OCCUPIED
    for writes in range(ROUNDS + 1):
        items = yield Look.READ_ITEMS
        has_items = any(not marker.lies_at(item) for item in items)
        at_key = [item for item in items if marker.lies_at(item)]
        if len(items) == 2 and not at_key:  # the marker may lie behind the first two
            at_key = list((yield Look.READ_MARKER))
        if at_key and not marker.is_marker(at_key[0]):
            return MarkerOutcome.OCCUPIED
        if has_items == bool(at_key):
            return MarkerOutcome.AGREES
        if writes == ROUNDS:
            break
        if has_items:
            yield Put.PUT_MARKER
        elif seen := (yield Look.READ_MARKER):
            if left := _left(marker, seen[0]):
                return left
            yield Delete(seen[0])
    return MarkerOutcome.UNSETTLED


def _left(marker: Marker, item: Item) -> MarkerOutcome | None:
    """Return why an item at the marker's key is not to be deleted; `None` if it is."""
    if not marker.is_marker(item):
        return MarkerOutcome.OCCUPIED
    if not marker.is_marked(item):
        return MarkerOutcome.UNMARKED
    return None if marker.is_bare(item) else MarkerOutcome.EXTENDED
