"""Read on in each group: count its items, or take them all.

A walk reads on in the group in which its page ended, and skips only what is behind the items that it takes. So every
item of a table is read at most once, and a page that goes beyond its group begins the next one. In a range the rest of
the group is read by a Query, which finds the range by the sort key; and so it is from the end of a group.

Items of an index can have equal sort keys. A Query need not have those in the Scan's order: DynamoDB Local has another
in a local index, and nobody has observed the service's. A Query that started behind one of them would lose or repeat
others. So it begins before the sort key of the page's last item, and the page's items of this sort key are left to it.

How far a group was read is part of the walk's cursor, and the cursor stands behind these items. So a batch ends
anywhere and loses nothing, and a group of any size is read at any rate.
"""

import marshal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Outside
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan
from skipscan.scan.take import Count
from skipscan.scan.taken import COUNT, ITEM, Counted, Lookup, Taken, iso_time
from skipscan.scan.walk import Found, Walk

Group = tuple[Sequence[Taken], Counted | None]
"""The lines that a group gives now, and what is read of it so far if it goes on."""


class GroupCounter:
    """The counts of one batch. `now`: returns the seconds since 1970."""

    member = COUNT

    def __init__(self, plan: Plan, now: Callable[[], float]) -> None:
        self._take = plan.take
        self._most = self._take.most_items
        # Pages of one group have its range alone, in the requested order.
        self._pages_are_backwards = plan.is_backwards
        self._has_range = plan.sort_range is not None and not plan.has_group_pages
        self._is_backwards = self._take.descends and not plan.has_group_pages
        self._waits_for_the_end = False
        self._groups = plan.groups
        self._step_units = plan.step_units
        self._now = now
        # The items read so far, and whether all were inside the range: `limit` doubles pages for so long.
        self._inside, self._is_inside = 0, True
        self.lengths = GroupLengths()

    def cursor(self, walk: Walk) -> Cursor:
        """Return the walk's position for the next batch."""
        return walk.cursor

    def is_held(self, walk: Walk) -> bool:
        """Return whether a line would be lost with this batch: none, because the cursor knows how far it came."""
        return False

    def lookup(self, walk: Walk) -> Lookup | None:
        """Return the Query that reads on in the walk's group, where pages do not."""
        counted, start_key = walk.counted, walk.cursor.start_key
        if counted is None or start_key is None or not self._queries(walk):
            return None
        # Backwards the first Query begins at the group's end; the walk's place is near the group's beginning.
        after = start_key if counted.items or not self._is_backwards else None
        key, among = self._groups.query_key(self._groups.of(start_key))
        if counted.before_ties:
            tied = self._groups.tied(start_key)
            # A condition in place of the start key: behind one of several equal sort keys a Query could lose others.
            among, after = tied if among is None else among.within(tied), None
        return Lookup(self.member, key, among, after, self._left(counted), self._is_backwards)

    def limit(self, walk: Walk, policy: LimitPolicy) -> int | None:
        """Return the Limit of the walk's next page: as many items as it wants of a group, or as fit into 4 KB."""
        if self._is_backwards and self._most is None and not self._has_range:
            return None  # all that a page shows is taken
        if self._queries(walk):
            # As long as no item was outside the range, all that a page shows is taken: double what was read.
            return max(policy.limit(), self._inside if self._most is None else 0)
        left = self._left(walk.counted or Counted())
        return None if left is None else max(left, policy.affordable(self._step_units))

    def observe(self, page: Page, found: Found, policy: LimitPolicy) -> None:
        """Learn from a page. One that begins within a group says nothing of the lengths of groups."""
        # In these two cases Queries read on in a group, so every page begins with a new one.
        if self._has_range or self._is_backwards:
            policy.observe(len(page.items), found.places, page.own_units)
        else:
            policy.weigh(len(page.items), page.own_units)

    def receive(self, walk: Walk, before: Cursor, found: Found, page: Page) -> Sequence[Any]:
        """Take a page's items; return the lines of the groups that ended, or of which no further items are taken."""
        share = page.own_units / len(page.items) if page.items else 0.0
        lines: list[Taken] = []
        # Once false, false for the rest of the batch: the policy then chooses all Limits.
        self._is_inside &= not any(isinstance(key, Outside) for key in found.keys)
        self._inside = self._inside + len(page.items) if self._is_inside else 0
        # Only now: `Walk.receive` needed it to know where the page started, and `before` still has it.
        walk.counted = None
        slices = list(self._slices(before, found, page))
        for number, (key, counted, items) in enumerate(slices, start=1):
            if isinstance(key, Outside):
                continue
            goes_on = number == len(slices) and self._goes_on(walk)
            if goes_on and self._waits_for_the_end:  # its end, where the lines begin, is not on this page
                walk.counted = counted
                continue
            kept = items
            if goes_on and self._wants_more(counted.and_(len(items), 0.0)):
                kept = self._before_ties(walk, items)
            # Held-back items were paid for with this page; a Query reads and counts them again.
            reached = counted.and_(len(kept), len(items) * share)
            read = kept[::-1] if self._is_backwards else kept
            given, walk.counted = self._read(walk, key, reached, read, goes_on=goes_on)
            # By identity: even if no item was held back, the Query begins at the start key's sort key.
            if walk.counted is not None and kept is not items:
                walk.counted = walk.counted._replace(before_ties=True)
            lines += given
        return lines

    def answer(self, walk: Walk, page: Page) -> Sequence[Any]:
        """Take the answer to a walk's Query; return the lines of its group."""
        last = page.last_evaluated_key
        reached = (walk.counted or Counted()).and_(page.evaluated, page.own_units)
        lines, counted = self._read(walk, self._key(walk), reached, page.items, goes_on=last is not None)
        # Not behind a group that is done: `Walk.start_key` skips its rest from any place in it.
        if counted is not None and last is not None:
            walk.go_to(last)
        walk.counted = counted
        return lines

    def _read(self, walk: Walk, key: PartitionKey, reached: Counted, items: Sequence[Item], *, goes_on: bool) -> Group:
        """Take in the next items of a group, with which so many are `reached`.

        Here its line comes when no further items are taken; none if it was emptied meanwhile.
        """
        if goes_on and self._wants_more(reached):
            return (), reached
        if not reached.items:
            return (), None
        bounded = reached.bounded(self._take.up_to if isinstance(self._take, Count) else None)
        self.lengths.add(bounded)
        return [Taken(key, {}, iso_time(self._now()), bounded)], None

    def _slices(
        self, before: Cursor, found: Found, page: Page
    ) -> Iterator[tuple[PartitionKey, Counted, Sequence[Item]]]:
        """Yield the groups of a page, each with what was read of it before, and with its items on the page."""
        ends = [*found.places, len(page.items)]
        # Without a count, what comes before the first new group belongs to one that has its line.
        if before.counted is not None and before.start_key is not None:
            yield self._groups.of(before.start_key), before.counted, page.items[: ends[0]]
        for key, (begin, end) in zip(found.keys, pairwise(ends), strict=True):
            yield key, Counted(), page.items[begin:end]

    def _before_ties(self, walk: Walk, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items of a group before those that a Query of an index may have in another order."""
        end = walk.cursor.start_key
        if self._is_backwards or not self._queries(walk) or self._groups.source.index is None or end is None:
            return items
        tied = self._groups.tied(end)
        return [item for item in items if tied.side(item[tied.attribute]) < 0]

    def _key(self, walk: Walk) -> PartitionKey:
        """Return the key of the group that a walk stands in."""
        start_key = walk.cursor.start_key
        if start_key is None:
            raise ValueError("a walk that has read no page stands in no group")
        return self._groups.of(start_key)

    def _queries(self, walk: Walk) -> bool:
        # Backwards always; in a range only while skips work, because other walks read every page anyway.
        return self._is_backwards or (self._has_range and walk.skipping)

    def _left(self, counted: Counted) -> int | None:
        """Return how many items of the group are left to take; `None`: all."""
        return None if self._most is None else self._most - counted.items

    def _wants_more(self, counted: Counted) -> bool:
        left = self._left(counted)
        return left is None or left > 0

    def _goes_on(self, walk: Walk) -> bool:
        """Return whether the last group of a page may have further items."""
        start_key = walk.cursor.start_key
        # Not reported: the page shows no item of the group in which it ended, so the one before is complete.
        if walk.finished or not walk.cursor.reported or start_key is None:
            return False
        return not self._groups.is_last(start_key, backwards=self._pages_are_backwards)


class OpenGroup(NamedTuple):
    """A group from its end on, in which a page ended. `among`: the sort keys that the page did not show.

    `packed`: the lines of what it showed, in their order, which come last. As bytes, as in `ItemReader`.
    """

    among: SortRange
    packed: bytes


class ItemCollector(GroupCounter):
    """The items of one batch, each a line as soon as it is read.

    `counted` in a cursor counts the items that were read, also those before the first line.
    From a group's end on, what a page showed of it waits for the Queries of the rest. A batch that ends meanwhile
    loses it, and the next one reads it again.
    """

    member = ITEM

    def __init__(self, plan: Plan, now: Callable[[], float]) -> None:
        super().__init__(plan, now)
        self._cut = self._take.cutter(plan.source)
        self._open: dict[Walk, OpenGroup] = {}
        self._waits_for_the_end = self._is_backwards

    def lookup(self, walk: Walk) -> Lookup | None:
        lookup, group = super().lookup(walk), self._open.get(walk)
        return lookup if lookup is None or group is None else lookup._replace(among=group.among)

    def receive(self, walk: Walk, before: Cursor, found: Found, page: Page) -> Sequence[Any]:
        lines = super().receive(walk, before, found, page)
        if self._is_backwards and walk.counted is not None:
            # Not empty: backwards no page reads on in a group, so the open group started on this page.
            seen = page.items[found.places[-1] :]
            shown, among = self._groups.rest(seen)
            held = [self._cut(ITEM, item) for item in reversed(seen[:shown])]
            self._open[walk] = OpenGroup(among, marshal.dumps((iso_time(self._now()), held)))
        return lines

    def _read(self, walk: Walk, key: PartitionKey, reached: Counted, items: Sequence[Item], *, goes_on: bool) -> Group:
        """Return a line for each of a group's next items that has one."""
        lines = self._lines(key, items, reached.items - len(items), iso_time(self._now()))
        if goes_on and self._wants_more(reached):
            return lines, Counted(reached.items)  # lines with items do not state read units
        group = self._open.pop(walk, None)
        read, held = marshal.loads(group.packed) if group else ("", [])  # noqa: S302 (our own, of this process)
        lines += self._lines(key, held, reached.items, read)
        if count := self._take.lines_of(reached.items + len(held)):
            self.lengths.add(Counted(count))
        return lines, None

    def _lines(self, key: PartitionKey, items: Sequence[Item], passed: int, read: str) -> list[Taken]:
        """Return the lines of those of a group's items that have one, behind `passed` others."""
        end = None if self._most is None else max(0, self._most - passed)
        chosen = items[max(0, self._take.beyond - passed) : end]
        return [Taken(key, {ITEM: self._cut(ITEM, item)}, read) for item in chosen]


class GroupLengths:
    """Takes in counted groups. It stays small however many there are, and contains no key values."""

    def __init__(self) -> None:
        self._whole: Counter[int] = Counter()
        self._cut: Counter[int] = Counter()
        self._most_units = 0.0

    def add(self, group: Counted) -> None:
        """Add a group that was counted to the end, or up to the requested number."""
        (self._cut if group.more else self._whole)[group.items] += 1
        self._most_units = max(self._most_units, group.read_units)

    def to_json(self) -> dict[str, Any]:
        return {"whole": _stepped(self._whole), "cut": _stepped(self._cut), "most_units": self._most_units}


def _stepped(lengths: Counter[int]) -> dict[str, int]:
    """Return how often a group had this length: exact below 64 items, else in 32 steps per doubling."""
    stepped: Counter[int] = Counter()
    for length, count in lengths.items():
        step = max(0, length.bit_length() - 6)
        stepped[length >> step << step] += count
    return {str(length): count for length, count in sorted(stepped.items())}
