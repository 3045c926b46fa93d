"""What a run lists of a source: its item collections or the groups within them, and how a walk skips their rest."""

from collections.abc import Callable
from functools import cached_property

from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue, is_maximum
from skipscan.dynamodb.source import Item, PartitionKey, Source


class Groups:
    """The groups of a source. `of`: returns the key of an item's group."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._level = source.level
        self.of = self._function()

    @property
    def projected(self) -> tuple[str, ...]:
        """Return what a page must contain: the partition key, and the sort key if it has prefixes or ties can occur."""
        source = self.source
        seen = source.partition_key + (source.sort_key if source.has_ties or self._level else ())
        return tuple(attribute.name for attribute in seen)

    def past(self, key: Item) -> Item:
        """Return the start key behind the whole group of `key` (a LastEvaluatedKey)."""
        if self._level is None:
            return {**key, **self._maxima}
        first = self.source.sort_key[0].name
        return {**key, **self._maxima, first: self._level.past(key[first])}

    def ends(self, item: Item) -> bool:
        """Return whether an item may correctly follow a skip: it has the start key's sort key, and other keys follow.

        In a global index, many items can have the same sort key. If that is a group of its own, no start key is behind
        it, and the pages go through it.
        """
        past = self.past(item)
        return self.source.has_ties and all(
            item[attribute.name] == past[attribute.name] or is_maximum(item[attribute.name])
            for attribute in self.source.sort_key
        )

    def is_before(self, item: Item, key: Item) -> bool:
        """Return whether an item is before `key` in its item collection, where that has several groups."""
        if self._level is None or any(item[each.name] != key[each.name] for each in self.source.partition_key):
            return False
        first = self.source.sort_key[0]
        return bool(item[first.name][first.type] < key[first.name][first.type])  # as UTF-8, so as by code points

    def collection_of(self, group: PartitionKey) -> PartitionKey:
        """Return the partition key of a group."""
        return group if self._level is None else group[:-1]

    def _function(self) -> Callable[[Item], PartitionKey]:
        key_of, level = self.source.partition_key_of(), self._level
        if level is None:
            return key_of
        first = self.source.sort_key[0].name
        if len(self.source.partition_key) > 1:
            return lambda item: (*key_of(item), level.prefix_of(item[first]))
        return lambda item: (key_of(item), level.prefix_of(item[first]))

    @cached_property
    def _maxima(self) -> dict[str, AttributeValue]:
        return {attribute.name: MAXIMUM[attribute.type] for attribute in self.source.sort_key}
