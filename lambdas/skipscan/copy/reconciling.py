"""Makes both tables agree about one key; why that is correct beside any other writers is in `skipscan.copy`."""

from enum import StrEnum

from skipscan.copy.replica import Replica
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Get, ItemSteps, Refused, Write, answered

ROUNDS = 5
"""Writes of one key before giving up for now: others are changing it all the time."""


class Ending(StrEnum):
    """How work on a key ended."""

    RIGHT = "right"  # both tables agreed at the first look
    WRITTEN = "written"  # both agree now
    REFUSED = "refused"  # the new table does not accept the item
    CONTENDED = "contended"  # it kept changing


def both(replica: Replica, key: Item) -> ItemSteps:
    """Read the item in both tables; return it as the new table should have it, and as it has it."""
    source = yield from answered(Get(replica.source, key))
    expected = None if source is None else replica.transform(source)[0]
    return expected, (yield from answered(Get(replica.target, key)))


def reconcile(replica: Replica, key: Item) -> ItemSteps:
    """Make the new table agree; return the `Ending`."""
    for writes in range(ROUNDS + 1):
        expected, found = yield from both(replica, key)
        if is_same_item(found, expected):
            return Ending.WRITTEN if writes else Ending.RIGHT
        if writes < ROUNDS and isinstance((yield Write(replica.target, key, put=expected)), Refused):
            return Ending.REFUSED
    return Ending.CONTENDED
