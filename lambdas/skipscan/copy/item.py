"""What a copy does with one item of a page, compares of one key and counts, and how its replicator reconciles a key.

Why that is correct beside any other writers is in `skipscan.copy`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from skipscan.copy.replica import Replica
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import LOST, WRITTEN, Get, ItemSteps, Refused, Wait, Write, answered
from skipscan.items.progress import REFUSAL, ItemCounts, ItemResult


class HandOver(NamedTuple):
    """A step: a message to the replicator, delivered at once, to look at the key now."""

    key: Item


class CopyOutcome(StrEnum):
    """The result for an item of a page."""

    COPIED = "copied"
    PRESENT = "present"  # the new table already had the same item
    DIFFERING = "differing"  # the new table had another item; the replicator looks
    REFUSED = "refused"  # the new table does not accept the item
    COUNTED = "counted"  # by a verification, which compares a sample only
    SAME = "same"
    MISSING = "missing"  # only the old table has it
    SURPLUS = "surplus"  # only the new table has it
    DIFFERENT = "different"


def copy_item(replica: Replica, key: Item, item: Item) -> ItemSteps:
    """Put one item of a page where none exists; return the `ItemResult`.

    An existing one came from a change that is younger than the page, or from an earlier attempt. If it differs, the
    copy does not decide, because the page may be old: the replicator gets the key.
    """
    made, reason = replica.transform(item)
    put, may_be_put = Write(replica.target, key, put=made, expects={next(iter(key)): None}), False
    while (answer := (yield put)) is LOST:
        may_be_put = True
    if isinstance(answer, Refused):
        return ItemResult(key, CopyOutcome.REFUSED, REFUSAL)
    if answer is WRITTEN:
        return ItemResult(key, CopyOutcome.COPIED, reason)
    # Some engines do not return the existing item; then only the replicator can compare it.
    if answer.item is not None and is_same_item(answer.item, made):
        return ItemResult(key, CopyOutcome.COPIED if may_be_put else CopyOutcome.PRESENT, reason)
    yield from answered(HandOver(key))
    return ItemResult(key, CopyOutcome.DIFFERING, reason)


PAUSE_SECONDS = 5.0

REASONS = {
    CopyOutcome.MISSING: "it is in the source and not in the target",
    CopyOutcome.SURPLUS: "it is in the target and not in the source",
    CopyOutcome.DIFFERENT: "the target item differs from the transformed source item",
}


def compare(replica: Replica, key: Item, *, counts_only: bool) -> ItemSteps:
    """Read one key in both tables, and again after a pause before it counts as a difference; return the `ItemResult`.

    A replicator is some seconds behind; what it has not done yet is no difference. `counts_only`: the item is counted
    but not compared.
    """
    if counts_only:
        return ItemResult(key, CopyOutcome.COUNTED)
    expected, found = yield from both(replica, key)
    if not is_same_item(found, expected):
        yield Wait(PAUSE_SECONDS)
        expected, found = yield from both(replica, key)
    if is_same_item(found, expected):
        return ItemResult(key, CopyOutcome.SAME)
    outcome = CopyOutcome.MISSING if found is None else CopyOutcome.DIFFERENT
    if expected is None:
        outcome = CopyOutcome.SURPLUS
    return ItemResult(key, outcome, REASONS[outcome])


@dataclass(frozen=True)
class CopyCounts(ItemCounts):
    """Each of the `items` is one of `copied`, `present`, `differing` and `refused`.

    `unset`: items copied without the attributes that were to be set. `source_items`, `target_items`: counted by a
    verification; it compared `compared` of them and found `missing`, `surplus` and `different` ones. `listed`: lines in
    the parts.
    """

    copied: int = 0
    present: int = 0
    differing: int = 0
    refused: int = 0
    unset: int = 0
    source_items: int = 0
    target_items: int = 0
    compared: int = 0
    missing: int = 0
    surplus: int = 0
    different: int = 0
    listed: int = 0

    @property
    def outcomes(self) -> Mapping[str, int]:
        copied = self.nonzero("copied", "present", "differing", "refused", "unset")
        found = {name: vars(self)[name] for name in ("compared", "missing", "surplus", "different")}
        return copied | (found if self.compared else {})

    @property
    def lines(self) -> int:
        return self.listed

    @property
    def units_done(self) -> int:
        return self.items + self.source_items + self.target_items


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
