"""The skip scan itself, as a pump: `start_key` says where the next page begins, `receive` takes that page.

No boto3 here, no clock, no loop: the caller scans, and may stop between any two pages.
"""

from typing import NamedTuple

from skipscan.dynamodb.page import Page, Progression
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.taken import Counted


class Found(NamedTuple):
    """The keys of new groups, and the place in their page of the first item of each."""

    keys: list[PartitionKey]
    places: list[int]


class Walk:
    """One segment, walked from a cursor to its end.

    After every page the walk skips the rest of the group (an item collection, or the items within it that share a
    prefix) in which the page ended, if the source can be skipped: it is free, and never reads more than reading on. A
    page that nevertheless begins in the group just skipped, or before it in its item collection, shows an engine that
    does not honour made-up start keys: the walk then stops skipping, continues from LastEvaluatedKey as it is, and
    drops repeats, so that the keys stay right on any engine.
    """

    def __init__(self, groups: Groups, cursor: Cursor) -> None:
        self._groups = groups
        self.segment = cursor.segment
        self._last = cursor.start_key
        self._reported = cursor.reported
        self.skipping = cursor.skipping and groups.source.can_skip
        self._progression = Progression()
        self.counted: Counted | None = cursor.counted
        """The items so far of the group in which the last page ended; while it is counted, the walk reads on in it."""
        self.finished = False
        # Not in the cursor: `skipping` is, and the batch that saw the ignored skip has counted it.
        self.skip_ignored = False
        """Whether this walk found that the engine ignores its skips."""

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.segment, self._last, self._reported, self.skipping, self.counted)

    @property
    def start_key(self) -> Item | None:
        """The ExclusiveStartKey of the next page."""
        # Behind a group whose key was not reported yet, a skip would lose the key.
        if self._last is not None and self._reported and self.skipping and self.counted is None:
            return self._groups.past(self._last)
        return self._last

    def refuse_skip(self) -> bool:
        """Stop skipping because the engine will not take `start_key`; return whether that changes the start key."""
        # A start key that the engine itself returned is refused for another reason, and would be again.
        was_made_up = self.start_key != self._last
        if was_made_up:
            self.skipping, self.skip_ignored = False, True
        return was_made_up

    def go_to(self, last_evaluated_key: Item) -> None:
        """Go on at a place further behind in the group in which the last page ended, which a Query came to."""
        self._progression.check(last_evaluated_key)
        self._last = last_evaluated_key

    def receive(self, page: Page) -> Found:
        """Take the page that started at `start_key`; return the keys of groups that were not seen before."""
        # Still this page's start key: a walk has one request under way, and only its answer moves it.
        group_of, start_key = self._groups.of, self.start_key
        last = self._last if self._reported else None  # else the page may begin in a group that has no line yet
        seen = None if last is None else group_of(last)
        if last is not None and self.skipping and self.counted is None:
            # Where a page without items ended tells as much.
            first = page.items[0] if page.items else page.last_evaluated_key
            if first is not None and self._groups.is_before(first, last):
                # Its groups were reported, and it may end before this place: read on from here, by a true start key.
                self.skipping, self.skip_ignored = False, True
                return Found([], [])
            # An item in the skipped group: the engine started before the start key.
            # With `ends`: keys of an index may repeat (developer guide, "Using Global Secondary Indexes in DynamoDB").
            if page.items and group_of(page.items[0]) == seen and not self._groups.ends(page.items[0]):
                self.skipping, self.skip_ignored = False, True
        found = Found([], [])
        for place, item in enumerate(page.items):
            key = group_of(item)
            # The group before is enough: a collection's items are adjacent (API reference, KeySchemaElement).
            if key != seen:
                found.keys.append(key)
                found.places.append(place)
                seen = key
        # Before the walk moves: if this raises, the batch is committed without this page.
        self._progression.check(page.last_evaluated_key)
        # A page without items can end at its start, a made-up key: only a true one is read on from by any engine.
        if page.items or page.last_evaluated_key != start_key:
            self._last = page.last_evaluated_key
        # `None` also after the page of an empty segment, which started and ended at `None`.
        if self._last is None:
            self.finished = True
        else:
            # A page without items may have a LastEvaluatedKey: of a group whose key was not reported yet.
            self._reported = seen is not None and group_of(self._last) == seen
        return found
