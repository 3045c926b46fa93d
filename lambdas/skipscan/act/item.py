"""What an act puts or deletes for a key. Most conditions make a repeat harmless."""

from collections.abc import Callable

from skipscan.act.action import Delete, Put
from skipscan.act.task_source import ActCounts
from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, is_same_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Conflict, Get, ItemSteps, Refused, Unless, Write, answered
from skipscan.items.mark import MARK

PUT, DELETED = ActCounts(put=1), ActCounts(deleted=1)
PRESENT, ABSENT = ActCounts(present=1), ActCounts(absent=1)


def put_item(table: str, key: Item, put: Put, mark: str) -> ItemSteps:
    """Put an item where none exists; to overwrite, where none of this job's exists; return its counts, or `Refused`.

    An item with the job's mark is not overwritten: the application may have changed it since.
    """
    own = {"S": mark}
    expects = Unless(MARK, own) if put.overwrites else {next(iter(key)): None}
    # The first answer of a process is lost: a read was made instead.
    answer = yield from answered(Write(table, key, put=put.item, expects=expects))
    if isinstance(answer, Conflict):
        # The job's own item exists: an earlier attempt put it, and crashed before it was counted.
        return PUT if (answer.item or {}).get(MARK) == own else PRESENT
    return answer if isinstance(answer, Refused) else PUT


def delete_item(table: str, delete: Delete, is_kept: Callable[[Item], ItemSteps]) -> ItemSteps:
    """Delete the item with a key, if it has the expected values; return its counts, or `Refused`.

    A `whole` one was put by a job, or a run listed it. With other attributes it now belongs to another writer, so it is
    read before. The delete has a condition on everything that the item had; none can name what is added after the read.
    `is_kept`: looks whether the item is now one of those that a run left out of its group, and which are to stay.
    """
    if len(delete.expected) > EQUALITY_ATTRIBUTES:
        return Refused("TooManyAttributes")
    if delete.whole:
        item = {**delete.key, **delete.expected}
        is_to_stay = yield from is_kept(item)  # first: the delete follows its read at once
        found = yield from answered(Get(table, delete.key))
        if isinstance(found, Refused):  # its key is too long
            return found
        if not is_same_item(found, item):
            return PRESENT if found else ABSENT
        if is_to_stay:
            return Refused("Kept")
    answer = yield from answered(Write(table, delete.key, expects=delete.expected))
    if isinstance(answer, Conflict):
        return PRESENT if answer.item else ABSENT
    return answer if isinstance(answer, Refused) else DELETED
