"""The items that a batch takes along with the keys of its pages, and the Queries for those that no page shows.

The line of a page's last group is held back, with the walk's position before that group, until its Queries are
answered. Until then the walk requests nothing else. So a batch that ends in between loses this line and nothing
more: the next batch reads the collection's beginning again, and no line is written twice.

A line is held as bytes: as objects of Python deeply nested items take up to a hundred times the bytes that DynamoDB
counts, and every walk may hold one.
"""

import marshal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Outside
from skipscan.scan.limit import LimitPolicy
from skipscan.scan.plan import Plan
from skipscan.scan.taken import LAST, Lookup, Taken, iso_time
from skipscan.scan.walk import Found, Walk

LOOKUP_SECONDS = 10.0
"""For so long after its end a batch still makes the Queries that pages are held for; else they are read again."""


@dataclass
class OpenLine:
    """The line of the collection in which a page ends; it waits for its `lookups`.

    `cursor`: the walk's position before the collection. `answers`: the items that Queries found, by member, each
    packed.
    """

    cursor: Cursor
    packed: bytes
    lookups: list[Lookup]
    answers: dict[str, bytes] = field(default_factory=dict)

    def line(self, read: str) -> Taken:
        """Return the line when all Queries are answered. `read`: when the last answer came."""
        line = Taken(*marshal.loads(self.packed))  # noqa: S302 (our own, of this process)
        found = {member: marshal.loads(item) for member, item in self.answers.items()}  # noqa: S302 (the same)
        return Taken(line.key, {**line.items, **found}, read)


class ItemReader:
    """The pages of one batch. `now`: returns the seconds since 1970."""

    def __init__(self, plan: Plan, now: Callable[[], float]) -> None:
        self._take = plan.take
        self._groups = plan.groups
        self._now = now
        self._key = plan.source.key_names
        self._sort_key = tuple(attribute.name for attribute in plan.source.sort_key)
        self._cut = self._take.cutter(plan.source)
        self._plan = plan
        self._held: dict[Walk, OpenLine] = {}

    def cursor(self, walk: Walk) -> Cursor:
        """Return the walk's position for the next batch."""
        held = self._held.get(walk)
        return walk.cursor if held is None else held.cursor

    def lookup(self, walk: Walk) -> Lookup | None:
        """Return the Query that the walk waits for, if any."""
        held = self._held.get(walk)
        return None if held is None else held.lookups[0]

    def is_held(self, walk: Walk) -> bool:
        """Return whether a line waits for the answer, and is lost with this batch."""
        return walk in self._held

    def limit(self, walk: Walk, policy: LimitPolicy) -> int | None:
        """Return the Limit of the walk's next page."""
        if self._plan.has_group_pages:  # a longer page that takes no more may show the end, which saves its Query
            return policy.affordable(self._plan.step_units) if self._plan.page_lookups else 1
        return policy.limit()

    def observe(self, page: Page, found: Found, policy: LimitPolicy) -> None:
        """Learn from a page, which started with a group."""
        if self._plan.has_group_pages:
            policy.weigh(len(page.items), page.own_units)
        else:
            policy.observe(len(page.items), found.places, page.own_units)

    def receive(self, walk: Walk, before: Cursor, found: Found, page: Page) -> Sequence[Any]:
        """Take a page's keys; return the lines to be written now: the last one only if it needs no Query."""
        if not self._take.attributes or not found.keys:
            return self._groups.listed(found.keys)
        read, last = iso_time(self._now()), len(found.places) - 1
        lines = []
        for number, (key, place) in enumerate(zip(found.keys, found.places, strict=True)):
            if isinstance(key, Outside):
                continue
            seen = page.items[place:] if number == last else page.items[place : found.places[number + 1]]
            is_whole = number < last or walk.finished or not self._sort_key or self._groups.is_last(seen[-1])
            ends = {member: self._end(member, seen, is_whole=is_whole) for member in self._take.attributes}
            line = Taken(key, {member: item and self._cut(member, item) for member, item in ends.items()}, read)
            lookups = [Lookup(member, *self._groups.query_key(key)) for member, item in ends.items() if item is None]
            if lookups:
                self._held[walk] = OpenLine(self._before(walk, before, page, place), _packed(tuple(line)), lookups)
            else:
                lines.append(line)
        return lines

    def answer(self, walk: Walk, page: Page) -> Sequence[Any]:
        """Take the answer to a walk's Query; return the line that it completes, if any."""
        held = self._held[walk]
        lookup = held.lookups.pop(0)
        if not page.items and page.last_evaluated_key is not None:
            held.lookups.insert(0, lookup._replace(start_key=page.last_evaluated_key))
            return ()
        item = self._cut(lookup.member, page.items[0]) if page.items else None
        held.answers[lookup.member] = _packed(item)
        if held.lookups:
            return ()
        del self._held[walk]
        return [held.line(iso_time(self._now()))]

    def _before(self, walk: Walk, before: Cursor, page: Page, place: int) -> Cursor:
        """Return the walk's position before the collection that begins at this place of a page.

        `before`: the position before the page. Of every collection until there the key is reported.
        """
        if not place:
            return before
        start_key = {name: page.items[place - 1][name] for name in self._key}
        return Cursor(walk.segment, start_key, reported=True, skipping=walk.skipping)

    def _end(self, member: str, seen: Sequence[Item], *, is_whole: bool) -> Item | None:
        """Return the first or last item of a group; `None` if the page does not show it.

        `seen`: the items from the group's beginning; all of it if `is_whole`.
        """
        if member != LAST or self._plan.is_backwards:
            return seen[0]
        return seen[-1] if is_whole else None


def _packed(content: Any) -> bytes:
    """Return lists, mappings, texts and bytes in the form of `marshal`, which takes least time and room."""
    return marshal.dumps(content)
