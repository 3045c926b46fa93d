"""What is scanned, a table or one of its indexes, and how to skip its item collections."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Self

from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue, is_maximum
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind, TableDescription

Item = Mapping[str, AttributeValue]
"""Attributes by name: an item of a page, or a LastEvaluatedKey."""

PartitionKey = Any
"""An item's partition key: one AttributeValue, or a tuple of them for an index with several."""


@dataclass(frozen=True)
class Source:
    """The keys of a table or index, in the words of a Scan request.

    `partition_key`: what is listed. `sort_key`: the sort keys that a skip sets to their maximum; none means
    that there is nothing to skip with. `kept`: the rest of a start key (a global index's start key also holds
    the table's own keys, which break ties between equal index keys).
    """

    table: str
    index: str | None
    kind: SourceKind
    partition_key: tuple[KeyAttribute, ...]
    sort_key: tuple[KeyAttribute, ...]
    kept: tuple[KeyAttribute, ...]

    @classmethod
    def described(cls, table: str, description: TableDescription, index: str | None) -> Self:
        """Return the source for a described table or its index; raise `TableError` for an unknown index."""
        if index is None:
            return cls(table, None, SourceKind.TABLE, description.partition_key, description.sort_key, ())
        found = description.index(index)
        if found.kind is SourceKind.LOCAL_INDEX:
            return cls(table, index, found.kind, found.partition_key, found.sort_key + description.sort_key, ())
        kept = tuple(attribute for attribute in description.key if attribute not in found.key)
        return cls(table, index, found.kind, found.partition_key, found.sort_key, kept)

    @property
    def key(self) -> tuple[KeyAttribute, ...]:
        """Return all attributes of a start key."""
        return self.partition_key + self.sort_key + self.kept

    @property
    def key_bytes(self) -> int:
        """Return the most bytes of a start key: partition keys have up to 2048, sort keys up to 1024 (quotas)."""
        return {SourceKind.TABLE: 3072, SourceKind.LOCAL_INDEX: 4096, SourceKind.GLOBAL_INDEX: 6144}[self.kind]

    @property
    def can_skip(self) -> bool:
        return bool(self.sort_key)

    @property
    def projected(self) -> tuple[str, ...]:
        """Return what a page must contain: the partition key, and the sort key if ties can occur."""
        seen = self.partition_key + (self.sort_key if self._has_ties else ())
        return tuple(attribute.name for attribute in seen)

    def past(self, key: Item) -> Item:
        """Return the start key behind the whole item collection of `key` (a LastEvaluatedKey)."""
        return {**key, **self._maxima}

    def ends(self, item: Item) -> bool:
        """Return whether an item may correctly follow a skip: it has the maximum itself, and other keys follow."""
        return self._has_ties and all(is_maximum(item[attribute.name]) for attribute in self.sort_key)

    def partition_key_of(self) -> Callable[[Item], PartitionKey]:
        """Return the function that extracts the partition key of an item."""
        return itemgetter(*(attribute.name for attribute in self.partition_key))

    def parts(self, key: PartitionKey) -> tuple[AttributeValue, ...]:
        """Return the values of a partition key, one for each of its attributes."""
        return key if len(self.partition_key) > 1 else (key,)

    @property
    def _has_ties(self) -> bool:
        """Return whether two items may have equal keys: a global index does not require unique ones."""
        return self.kind is SourceKind.GLOBAL_INDEX

    @cached_property
    def _maxima(self) -> dict[str, AttributeValue]:
        return {attribute.name: MAXIMUM[attribute.type] for attribute in self.sort_key}

    def to_json(self) -> dict[str, Any]:
        # Written out, because asdict takes twenty times as long, and every state is sealed with its plan.
        return {
            "table": self.table,
            "index": self.index,
            "kind": self.kind,
            "partition_key": [dict(vars(attribute)) for attribute in self.partition_key],
            "skipped": [dict(vars(attribute)) for attribute in self.sort_key],
            "kept": [dict(vars(attribute)) for attribute in self.kept],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        def keys(role: str) -> tuple[KeyAttribute, ...]:
            return tuple(KeyAttribute(**entry) for entry in document[role])

        return cls(
            table=document["table"],
            index=document["index"],
            kind=SourceKind(document["kind"]),
            partition_key=keys("partition_key"),
            sort_key=keys("skipped"),
            kept=keys("kept"),
        )
