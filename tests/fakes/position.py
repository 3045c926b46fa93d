"""The position of an item in a table or index: the order of Scan."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tests.fakes.attribute_value import Item, Orderable, orderable
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition

HASH_SPACE = 2**64

Position = tuple[Any, ...]
"""(hash, partition key, sort key, tie breaker): compares with < as Scan walks."""


@dataclass(frozen=True)
class Order:
    """The order of a table, or of one of its indexes.

    Equal keys of a local index ascend by the table's sort key; those of a global index have no order that a client
    could know, here a hash of the table's key.
    """

    definition: TableDefinition
    index: IndexDefinition | None

    @property
    def key(self) -> KeySchema:
        return self.index.key if self.index else self.definition.key

    def collection(self, item: Item) -> Position:
        """The position before everything in the item's collection."""
        partition = _values(item, self.key.partition)
        return (_hash(partition), partition)

    def position(self, item: Item) -> Position:
        return (*self.collection(item), _values(item, self.key.sort), self._tie_breaker(item))

    def _tie_breaker(self, item: Item) -> Position:
        base = self.definition.key
        if self.index is None:
            return ()
        if self.index.kind == "local":
            return _values(item, base.sort)
        values = _values(item, base.attributes)
        return (_hash(values), values)


def segment_start(segment: int, total_segments: int) -> Position:
    """The position at which a segment begins: each is an equal range of the hash space."""
    return (-(-HASH_SPACE * segment // total_segments),)


def _values(item: Item, attributes: tuple[KeyAttribute, ...]) -> tuple[Orderable, ...]:
    return tuple(orderable(item[attribute.name]) for attribute in attributes)


@lru_cache(maxsize=1 << 16)
def _hash(values: tuple[Orderable, ...]) -> int:
    digest = hashlib.md5(b"Outliers", usedforsecurity=False)
    for value in values:
        digest.update(value if isinstance(value, bytes) else str(value).encode())
    return int.from_bytes(digest.digest()[:8], "big")
