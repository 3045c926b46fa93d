"""What a run lists of a source: its item collections or the groups within them, and how a walk skips their rest.

With a range, the items outside it are groups, too, which have no line: those of an item collection before the range,
and those behind it. So a walk skips in one way whatever it need not read: the rest of the group in which its page ends.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue, successor
from skipscan.dynamodb.sort_range import SortRange, ordered
from skipscan.dynamodb.source import Item, PartitionKey, Source
from skipscan.dynamodb.table_description import SourceKind


class Outside(NamedTuple):
    """The items of an item collection before the range (-1), or behind it (1)."""

    collection: tuple[AttributeValue, ...]
    side: int


class Groups:
    """The groups of a source, in a range of sort keys if there is one.

    `of`: returns the key of an item's group, or that it is `Outside`. With a prefix as range, a level begins behind it.
    """

    def __init__(self, source: Source, sort_range: SortRange | None = None) -> None:
        self.source = source
        self._range = sort_range
        self._level = source.level
        self._sort_key = source.sort_key[0].name if source.sort_key else ""
        prefix = sort_range.prefix if sort_range else None
        self._begin = len(next(iter(prefix.values()))) if prefix else 0
        self.has_several = self._level is not None or sort_range is not None
        self.of = self._function()

    @property
    def projected(self) -> tuple[str, ...]:
        """Return what a page must contain: the partition key, and the sort key if it decides or ties can occur."""
        source = self.source
        seen = source.partition_key + (source.sort_key if source.has_ties or self.has_several else ())
        return tuple(attribute.name for attribute in seen)

    def past(self, key: Item) -> Item:
        """Return the start key behind the whole group of `key` (a LastEvaluatedKey)."""
        if not self.has_several:
            return {**key, **self._maxima}
        end = self._end(key[self._sort_key])
        return {**key, **self._maxima, **({} if end is None else {self._sort_key: end})}

    def tied(self, key: Item) -> SortRange:
        """Return the sort keys from that of `key` on."""
        return SortRange(self._sort_key, since=key[self._sort_key])

    def ends(self, item: Item) -> bool:
        """Return whether an item may correctly follow a skip: it has the start key's sort key, and other keys follow.

        In a global index, many items can have the same sort key. If that is a group of its own, no start key is behind
        it, and the pages go through it.
        """
        past = self.past(item)
        return self.source.has_ties and all(
            ordered(item[attribute.name]) == ordered(past[attribute.name]) for attribute in self.source.sort_key
        )

    def is_last(self, item: Item, *, backwards: bool = False) -> bool:
        """Return whether no further item can be in the group of an item."""
        return self.is_end(item, self._range_of(self.of(item)), backwards=backwards)

    def is_end(self, item: Item, among: SortRange | None, *, backwards: bool = False) -> bool:
        """Return whether no item of a collection and a range can follow an item, as a Query reads them."""
        if self.source.has_ties:
            return False
        end = None if among is None else among.least if backwards else among.greatest
        if backwards and (end is None or len(self.source.sort_key) > 1):
            return False  # in a local index items with an equal sort key can follow
        last = self._maxima if end is None else {**self._maxima, self._sort_key: end}
        return all(ordered(item[name]) == ordered(value) for name, value in last.items())

    def is_past(self, key: Item) -> bool:
        """Return whether no group of an item collection to be read can follow a start key."""
        return self.is_end(key, self._range) or (self._range is not None and self._range.side(key[self._sort_key]) > 0)

    def rest(self, items: Sequence[Item]) -> tuple[int, SortRange]:
        """Return the range of a group behind the `items` that a page showed of it, and how many of these are before.

        Where several items can have the sort key of the last one, the range begins with it: which of them a page
        showed, no condition can say. So it does behind a sort key of the greatest length, which has no successor.
        """
        last = items[-1][self._sort_key]
        among, before = self._range_of(self.of(items[-1])), len(items)
        since = successor(last) if self.source.kind is SourceKind.TABLE else None
        if since is None:
            since = last
            before = sum(ordered(item[self._sort_key]) < ordered(last) for item in items)
        return before, SortRange(self._sort_key, since=since).within(among)

    def is_before(self, item: Item, key: Item) -> bool:
        """Return whether an item is before `key` in its item collection, where that has several groups."""
        if not self.has_several or any(item[each.name] != key[each.name] for each in self.source.partition_key):
            return False
        return bool(ordered(item[self._sort_key]) < ordered(key[self._sort_key]))

    def collection_of(self, group: PartitionKey) -> tuple[AttributeValue, ...]:
        """Return the values of the partition key of a group."""
        if isinstance(group, Outside):
            return group.collection
        values: tuple[AttributeValue, ...] = group[:-1] if self._level else self.source.parts(group)
        return values

    def query_key(self, group: PartitionKey) -> tuple[tuple[AttributeValue, ...], SortRange | None]:
        """Return what a Query finds the items of a group by: its partition key and its sort keys."""
        return self.collection_of(group), self._range_of(group)

    def _range_of(self, group: PartitionKey) -> SortRange | None:
        """Return the sort keys of a group; `None` for those of a whole item collection."""
        if self._level is None:
            return self._range
        prefix = group[-1]
        found = SortRange(self._sort_key, since=prefix, until=self._level.past(prefix, self._begin))
        return found.within(self._range)

    def listed(self, groups: Sequence[PartitionKey]) -> Sequence[PartitionKey]:
        """Return the groups that have lines."""
        if self._range is None:
            return groups
        return [group for group in groups if not isinstance(group, Outside)]

    def _end(self, sort_key: AttributeValue) -> AttributeValue | None:
        """Return the greatest sort key of a group, or outside the range; `None` for the greatest of the collection."""
        side = 0 if self._range is None else self._range.side(sort_key)
        if side < 0 and self._range is not None:
            return self._range.before
        if side or self._level is None:
            return None
        end = self._level.past(sort_key, self._begin)
        return None if self._range is not None and self._range.is_end(end) else end

    def _function(self) -> Callable[[Item], PartitionKey]:
        source, bounds, name = self.source, self._range, self._sort_key
        key_of, of = source.partition_key_of(), self._in_range()
        if bounds is None:
            return of

        def among(item: Item) -> PartitionKey:
            side = bounds.side(item[name])
            return Outside(source.parts(key_of(item)), side) if side else of(item)

        return among

    def _in_range(self) -> Callable[[Item], PartitionKey]:
        level, name, begin = self._level, self._sort_key, self._begin
        key_of = self.source.partition_key_of()
        if level is None:
            return key_of
        if len(self.source.partition_key) > 1:
            return lambda item: (*key_of(item), level.prefix_of(item[name], begin))
        return lambda item: (key_of(item), level.prefix_of(item[name], begin))

    @cached_property
    def _maxima(self) -> dict[str, AttributeValue]:
        return {attribute.name: MAXIMUM[attribute.type] for attribute in self.source.sort_key}
