"""The keeper: after a change of an item collection, make its marker agree with it. No boto3 here: the caller acts.

It never trusts what an event says of the collection, which may be old, late or told twice. It looks at the collection
as it is, and looks again after every write of its own, until marker and items agree.

Why that suffices, in any order of events, with duplicates, retries, crashes, and any number of keepers at once: every
change of a collection has an event, a keeper's own write too, and whoever handles the event looks after the change.
So the look for the last change sees things as they stay; if they disagreed, it would be followed by a write, and that
would be the last change. The second look makes the same hold without the keeper's own events as long as none crashes,
and mends at once what would otherwise wait for the stream.
"""

from collections.abc import Generator, Sequence
from enum import Enum

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.markers.marker import Marker

ROUNDS = 5
"""Writes to one collection before giving up on it for now: somebody else is changing it all the time."""


class Step(Enum):
    """What the caller is to do next. It answers with the items read, and with none after a write."""

    READ_MARKER = "GetItem of the marker's key"
    READ_ITEMS = "Query of the collection's first two items"  # both strongly consistent
    PUT_MARKER = "PutItem of the marker unless there is an item at its key"
    DELETE_MARKER = "DeleteItem of the marker's key if a marker lies there"


class Outcome(Enum):
    AGREES = "agrees"
    OCCUPIED = "occupied"  # somebody's item lies at the marker's key, and is left alone
    UNSETTLED = "unsettled"  # the collection changed all the while: its event must be delivered again


Keeping = Generator[Step, Sequence[Item], Outcome]


def keep(marker: Marker, partition_key: AttributeValue, *, only_added: bool) -> Keeping:
    """Return the steps that make a collection's marker agree with it.

    `only_added`: every event says that an item other than the marker was added. Then a marker that is there settles
    it for one read unit however large the items are: should they be gone again, the events of that are to come.
    """
    if only_added:
        found = yield Step.READ_MARKER
        if found:
            return Outcome.AGREES if marker.is_marker(found[0]) else Outcome.OCCUPIED
    for writes in range(ROUNDS + 1):
        items = yield Step.READ_ITEMS
        has_items = any(not marker.lies_at(item) for item in items)
        at_key = [item for item in items if marker.lies_at(item)]
        if len(items) == 2 and not at_key:  # the marker may lie behind the first two
            at_key = list((yield Step.READ_MARKER))
        if at_key and not marker.is_marker(at_key[0]):
            return Outcome.OCCUPIED
        if has_items == bool(at_key):
            return Outcome.AGREES
        if writes < ROUNDS:
            yield Step.PUT_MARKER if has_items else Step.DELETE_MARKER
    return Outcome.UNSETTLED
