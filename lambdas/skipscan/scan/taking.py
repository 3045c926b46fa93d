"""The items that a batch takes along with the keys of its pages, and the Queries for those that no page shows.

A page is held back, with its walk's position before it, until the Queries for its last collection are answered.
Until then the walk requests nothing else. So a batch that ends in between loses the page and nothing more: the next
batch reads it again, and no line is written twice.

A page is held as bytes: as objects of Python a deeply nested one takes up to a hundred times the bytes that DynamoDB
counts, and every walk may hold one.
"""

import marshal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, PartitionKey
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import Plan
from skipscan.scan.take import LAST, ItemSelection, Taken
from skipscan.scan.walk import Found, Walk

LOOKUP_SECONDS = 10.0
"""For so long after its end a batch still makes the Queries that pages are held for; else they are read again."""


class Lookup(NamedTuple):
    """A Query for one item of a collection. `start_key`: where it continues after an answer without items."""

    member: str
    key: PartitionKey
    start_key: Item | None = None

    @property
    def is_backwards(self) -> bool:
        return self.member == LAST


@dataclass
class Held:
    """A page's lines; the last line waits for its `lookups`. `cursor`: the walk's position before the page.

    `answers`: the items that Queries found, by member, each packed.
    """

    cursor: Cursor
    packed: bytes
    lookups: list[Lookup]
    answers: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, cursor: Cursor, lines: Sequence[Taken], lookups: list[Lookup]) -> Self:
        return cls(cursor, _packed([tuple(line) for line in lines]), lookups)

    def lines(self, read: str) -> list[Taken]:
        """Return the lines when all Queries are answered. `read`: when the last answer came."""
        *lines, last = (Taken(*line) for line in marshal.loads(self.packed))  # noqa: S302 (our own, of this process)
        found = {member: marshal.loads(item) for member, item in self.answers.items()}  # noqa: S302 (the same)
        return [*lines, Taken(last.key, {**last.items, **found}, read)]


class Lines(NamedTuple):
    """Lines to be written. `ended`: how many of them lack a last item, because the collection was emptied meanwhile."""

    lines: Sequence[Any]
    ended: int = 0


class ItemReader:
    """The pages of one batch. `now`: returns the seconds since 1970."""

    def __init__(self, plan: Plan, now: Callable[[], float]) -> None:
        self._take = plan.take or ItemSelection({})
        self._now = now
        self._partition_key = {attribute.name for attribute in plan.source.partition_key}
        self._sort_key = tuple(attribute.name for attribute in plan.source.sort_key)
        self._held: dict[Walk, Held] = {}

    def cursor(self, walk: Walk) -> Cursor:
        """Return the walk's position for the next batch."""
        held = self._held.get(walk)
        return walk.cursor if held is None else held.cursor

    def lookup(self, walk: Walk) -> Lookup | None:
        """Return the Query that the walk waits for, if any."""
        held = self._held.get(walk)
        return None if held is None else held.lookups[0]

    def receive(self, walk: Walk, before: Cursor, found: Found, page: Page) -> Lines:
        """Take a page's keys; return the lines to be written now: none if a Query must be made first."""
        if not self._take.wanted or not found.keys:
            return Lines(found.keys)
        read, last = self._time(), len(found.places) - 1
        lines, lookups = [], []
        for number, (key, place) in enumerate(zip(found.keys, found.places, strict=True)):
            is_whole = number < last or walk.finished or not self._sort_key
            seen = page.items[place:] if number == last else page.items[place : found.places[number + 1]]
            items: dict[str, Item | None] = {}
            for member in self._take.wanted:
                item, is_known = self._end(member, seen, is_whole=is_whole)
                items[member] = item and self._cut(member, item)
                if not is_known:
                    lookups.append(Lookup(member, key))
            lines.append(Taken(key, items, read))
        if lookups:
            self._held[walk] = Held.of(before, lines, lookups)
            return Lines(())
        return Lines(lines)

    def answer(self, walk: Walk, page: Page) -> Lines:
        """Take the answer to a walk's Query; return the lines that it completes."""
        held = self._held[walk]
        lookup = held.lookups.pop(0)
        if not page.items and page.last_evaluated_key is not None:
            held.lookups.insert(0, lookup._replace(start_key=page.last_evaluated_key))
            return Lines(())
        item = self._cut(lookup.member, page.items[0]) if page.items else None
        held.answers[lookup.member] = _packed(item)
        if held.lookups:
            return Lines(())
        del self._held[walk]
        # Of sort keys with a prefix there may never have been any.
        return Lines(held.lines(self._time()), int(item is None and self._take.within is None))

    def _time(self) -> str:
        """Return the time as lines state it."""
        return datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="milliseconds")

    def _end(self, member: str, seen: Sequence[Item], *, is_whole: bool) -> tuple[Item | None, bool]:
        """Return the first or last item of those seen of a collection, and whether it is that of the collection.

        `seen`: from the collection's beginning; all of it if `is_whole`.
        """
        within = self._take.within
        among = seen if within is None else list(_within(seen, self._sort_key[0], within))
        if member != LAST:
            if among:
                return among[0], True
            return None, is_whole or self._is_past(seen)
        if is_whole or self._is_past(seen):
            return (among[-1] if among else None), True
        return None, False

    def _is_past(self, seen: Sequence[Item]) -> bool:
        """Return whether items follow after all sort keys with the prefix."""
        within = self._take.within
        if within is None:
            return False
        last = seen[-1][self._sort_key[0]]["S"]
        # Python orders texts by code points, and so as DynamoDB does, by their UTF-8 bytes.
        return not last.startswith(within) and last > within

    def _cut(self, member: str, item: Item) -> Item:
        """Return what a line holds of an item: a page brings what the other member wants, too."""
        names = self._take.wanted[member]
        if names is None:
            return {name: value for name, value in item.items() if name not in self._partition_key}
        wanted = dict.fromkeys((*self._sort_key, *names))
        return {name: item[name] for name in wanted if name in item and name not in self._partition_key}


def _within(items: Sequence[Item], sort_key: str, prefix: str) -> Iterator[Item]:
    return (item for item in items if item[sort_key]["S"].startswith(prefix))


def _packed(content: Any) -> bytes:
    """Return lists, mappings, texts and bytes in the form of `marshal`, which takes least time and room."""
    return marshal.dumps(content)
