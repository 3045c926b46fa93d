"""What an act puts or deletes for a key, and its counts. Most conditions make a repeat harmless."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, is_same_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Conflict, Get, ItemSteps, Refused, Unless, Write, answered
from skipscan.items.mark import MARK
from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class ActCounts(Counts):
    """Counts of keys and requests.

    `keys`: done ones, each once; the sum of the counts up to `failed`. `put`, `deleted`, `sent` (to a function or a
    queue): done. `present`: an item exists that must not be changed. `absent`: no item to delete. `ended`: skipped,
    because the item collection has no item any more. `failed`: listed with the reason. `requests`: answered ones,
    retries included. `read_units`: of checks whether collections live. `write_units`: as DynamoDB reported them; those
    of failed conditions are computed, because DynamoDB does not report them. `throttles`: throttled requests, which
    were made again.
    """

    keys: int = 0
    put: int = 0
    present: int = 0
    deleted: int = 0
    absent: int = 0
    sent: int = 0
    ended: int = 0
    failed: int = 0
    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    throttles: int = 0

    @property
    def outcomes(self) -> Mapping[str, int]:
        return self.nonzero("put", "present", "deleted", "absent", "sent", "ended", "failed")

    @property
    def lines(self) -> int:
        return self.failed

    @property
    def units_done(self) -> int:
        return self.keys


PUT, DELETED = ActCounts(put=1), ActCounts(deleted=1)
PRESENT, ABSENT = ActCounts(present=1), ActCounts(absent=1)


@dataclass(frozen=True)
class ActedTable:
    """The table of an act. `key_names`: its key attributes. `mark`: of this job.

    `is_kept`: looks whether an item is now one of those that a run left out of its group, and which are to stay.
    """

    name: str
    key_names: tuple[str, ...]
    mark: str
    is_kept: Callable[[Item], ItemSteps]

    def key_of(self, item: Item) -> Item:
        return {name: item[name] for name in self.key_names}


def put_item(at: ActedTable, item: Item, *, overwrites: bool) -> ItemSteps:
    """Put an item where none exists; to overwrite, where none of this job's exists; return its counts, or `Refused`.

    An item with the job's mark is not overwritten: the application may have changed it since.
    """
    own = {"S": at.mark}
    expects = Unless(MARK, own) if overwrites else {at.key_names[0]: None}
    # The first answer of a process is lost: a read was made instead.
    answer = yield from answered(Write(at.name, at.key_of(item), put=item, expects=expects))
    if isinstance(answer, Conflict):
        # The job's own item exists: an earlier attempt put it, and crashed before it was counted.
        return PUT if (answer.item or {}).get(MARK) == own else PRESENT
    return answer if isinstance(answer, Refused) else PUT


def delete_item(at: ActedTable, key: Item, expected: Item, *, is_whole: bool = False) -> ItemSteps:
    """Delete the item with a key, if it has the expected values; return its counts, or `Refused`.

    `is_whole`: and if it has no others. A job put it, or a run listed it. With other attributes it now belongs to
    another writer, so it is read before. The delete has a condition on everything that the item had; none can name what
    is added after the read.
    """
    if len(expected) > EQUALITY_ATTRIBUTES:
        return Refused("TooManyAttributes")
    if is_whole:
        item = {**key, **expected}
        is_to_stay = yield from at.is_kept(item)  # first: the delete follows its read at once
        found = yield from answered(Get(at.name, key))
        if isinstance(found, Refused):  # its key is too long
            return found
        if not is_same_item(found, item):
            return PRESENT if found else ABSENT
        if is_to_stay:
            return Refused("Kept")
    answer = yield from answered(Write(at.name, key, expects=expected))
    if isinstance(answer, Conflict):
        return PRESENT if answer.item else ABSENT
    return answer if isinstance(answer, Refused) else DELETED


def delete_whole(at: ActedTable, item: Item) -> ItemSteps:
    """Delete an item that is still this one; see `delete_item`."""
    expected = {name: value for name, value in item.items() if name not in at.key_names}
    return delete_item(at, at.key_of(item), expected, is_whole=True)
