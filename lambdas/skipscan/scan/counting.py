"""Count the items of each group: from the pages of Scan, and in a range by Queries.

A walk reads on in the group in which its page ended, and skips only what is behind the items to be counted. So every
item is read at most once, and a page that goes beyond its group counts the next one. In a range the rest of the group
is counted by a Query, which finds the range by the sort key.

A count that has not ended is part of the walk's cursor, and the cursor stands behind the items counted. So a batch ends
anywhere and loses nothing, and a group of any size is counted at any rate.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.scan.cursor import Cursor
from skipscan.scan.limit.policy import LimitPolicy
from skipscan.scan.lookup import Lines, Lookup, iso_time
from skipscan.scan.plan import Plan
from skipscan.scan.take import COUNT, Counted, Taken
from skipscan.scan.walk import Found, Walk


class GroupCounter:
    """The counts of one batch. `now`: returns the seconds since 1970."""

    def __init__(self, plan: Plan, now: Callable[[], float]) -> None:
        self._up_to = plan.take.count.up_to if plan.take and plan.take.count else None
        self._range = plan.sort_range
        self._group_of = plan.source.group_of()
        self._step_units = plan.step_units
        self._now = now

    @property
    def most_items(self) -> int:
        """How many items of a group are counted at most, with the one that shows that there are more; 0: all."""
        return self._up_to + 1 if self._up_to else 0

    def cursor(self, walk: Walk) -> Cursor:
        """Return the walk's position for the next batch."""
        return walk.cursor

    def is_held(self, walk: Walk) -> bool:
        """Return whether a line would be lost with this batch: none, because a count is in the cursor."""
        return False

    def lookup(self, walk: Walk) -> Lookup | None:
        """Return the Query that counts on in the walk's group, if there is a range to be found in it."""
        counted, start_key = walk.counted, walk.cursor.start_key
        if counted is None or start_key is None or not self._queries(walk):
            return None
        is_inside = self._range is not None and self._range.holds(start_key[self._range.attribute])
        after = start_key if is_inside else None
        return Lookup(COUNT, self._group_of(start_key), after, self._left(counted))

    def limit(self, walk: Walk, policy: LimitPolicy) -> int | None:
        """Return the Limit of the walk's next page: as many items as it wants of a group, or as fit into 4 KB."""
        if self._queries(walk):
            return policy.limit()
        left = self._left(walk.counted or Counted())
        return left and max(left, policy.affordable(self._step_units))

    def observe(self, page: Page, found: Found, policy: LimitPolicy) -> None:
        """Learn from a page. One that begins within a group says nothing of the lengths of groups."""
        if self._range is not None:
            policy.observe(len(page.items), found.places, page.read_units)
        else:
            policy.weigh(len(page.items), page.read_units)

    def receive(self, walk: Walk, before: Cursor, found: Found, page: Page) -> Lines:
        """Count a page's items; return the lines of the groups that ended, or whose further items are not wanted."""
        share = page.read_units / len(page.items) if page.items else 0.0
        ends = [*found.places, len(page.items)]
        groups: list[tuple[PartitionKey, Counted]] = []
        if before.counted is not None and before.start_key is not None:
            groups.append((self._group_of(before.start_key), self._more(before.counted, page.items[: ends[0]], share)))
        for key, (begin, end) in zip(found.keys, pairwise(ends), strict=True):
            groups.append((key, self._more(Counted(), page.items[begin:end], share)))
        walk.counted = None
        if groups and self._goes_on(walk, groups[-1][1]):
            walk.counted = groups.pop()[1]
        return self._lines(groups)

    def answer(self, walk: Walk, page: Page) -> Lines:
        """Take the answer to a walk's Query; return the line of its group if no further items are wanted."""
        key = self._key(walk)
        counted = (walk.counted or Counted()).and_(page.counted, page.read_units)
        if page.last_evaluated_key is not None and self._wants_more(counted):
            walk.go_to(page.last_evaluated_key)
            walk.counted = counted
            return Lines(())
        walk.counted = None
        return self._lines([(key, counted)])

    def _key(self, walk: Walk) -> PartitionKey:
        """Return the key of the group that a walk stands in."""
        start_key = walk.cursor.start_key
        if start_key is None:
            raise ValueError("a walk that has read no page stands in no group")
        return self._group_of(start_key)

    def _queries(self, walk: Walk) -> bool:
        return self._range is not None and walk.skipping

    def _left(self, counted: Counted) -> int | None:
        """Return how many items are to be counted yet; `None`: all. One too many shows that the group has more."""
        return None if self._up_to is None else self._up_to + 1 - counted.items

    def _wants_more(self, counted: Counted) -> bool:
        left = self._left(counted)
        return left is None or left > 0

    def _more(self, counted: Counted, items: Sequence[Item], share: float) -> Counted:
        """Return a count with the items of a page, each of which took its `share` of the page's read units."""
        bounds = self._range
        found = len(items) if bounds is None else sum(bounds.holds(item[bounds.attribute]) for item in items)
        return counted.and_(found, found * share)

    def _goes_on(self, walk: Walk, last: Counted) -> bool:
        """Return whether the last group of a page may have further items that are to be counted."""
        cursor, bounds = walk.cursor, self._range
        if walk.finished or not cursor.reported or cursor.start_key is None or not self._wants_more(last):
            return False
        return bounds is None or not bounds.ends_before(cursor.start_key[bounds.attribute])

    def _lines(self, groups: Sequence[tuple[PartitionKey, Counted]]) -> Lines:
        """Return the lines of groups; in a range there may be none of their items."""
        read = iso_time(self._now())
        return Lines([Taken(key, {}, read, counted.bounded(self._up_to)) for key, counted in groups if counted.items])
