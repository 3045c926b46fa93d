"""What is scanned: a table or one of its indexes, in whole item collections or in groups within them.

The items of such a group have sort keys with a common prefix, as in S3's ListObjectsV2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Self

from skipscan import form
from skipscan.dynamodb.attribute_value import AttributeValue, greatest
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind, TableDescription

PREFIX = "prefix"
"""The member of a line that holds the prefix, beside the partition key."""

TYPES = ("S", "B")
"""The types of sort keys that have a prefix."""


@dataclass(frozen=True)
class Level:
    """Where a prefix ends: behind the delimiter that comes as number `depth`, or after `prefix_length` characters.

    A sort key with fewer delimiters or characters is a prefix of its own. A binary sort key is compared with the
    delimiter's UTF-8 bytes, and its length counts bytes.
    """

    delimiter: str | None = None
    depth: int = 1
    prefix_length: int | None = None

    def __post_init__(self) -> None:
        if (self.delimiter is None) is (self.prefix_length is None):
            raise ValueError("a level has a delimiter or a prefix length")

    def prefix_of(self, sort_key: AttributeValue, begin: int = 0) -> AttributeValue:
        """Return the prefix of a sort key, of the same type; the whole sort key if it is too short for one.

        `begin`: where delimiters and characters are counted from. What is before belongs to the prefix.
        """
        ((kind, content),) = sort_key.items()
        end = self._end(content, begin)
        return sort_key if end is None else {kind: content[:end]}

    def past(self, sort_key: AttributeValue, begin: int = 0) -> AttributeValue:
        """Return the greatest sort key with the same prefix.

        A sort key that is too short for a prefix shares it with no other, also not with those that begin with it.
        """
        ((_, content),) = sort_key.items()
        return sort_key if self._end(content, begin) is None else greatest(self.prefix_of(sort_key, begin))

    def _end(self, content: Any, begin: int) -> int | None:
        """Return where the prefix of a text or of bytes ends; `None` if it is too short."""
        if self.delimiter is None:
            end = begin + (self.prefix_length or 0)
            return end if len(content) >= end else None
        delimiter = self.delimiter if isinstance(content, str) else self.delimiter.encode()
        end = begin
        for _ in range(self.depth):
            found = content.find(delimiter, end)
            if found < 0:
                return None
            end = found + len(delimiter)
        return end

    def __str__(self) -> str:
        if self.delimiter is None:
            return f"prefix length {self.prefix_length}"
        return f'delimiter "{self.delimiter}", depth {self.depth}'


Item = Mapping[str, AttributeValue]
"""Attributes by name: an item of a page, or a LastEvaluatedKey."""

PartitionKey = Any
"""An item's partition key: one AttributeValue, or a tuple of them for an index with several.

The key of a group within an item collection is such a tuple, too: its last value is the prefix.
"""


@dataclass(frozen=True)
class Source:
    """The keys of a table or index, in the words of a Scan request.

    `partition_key`: what is listed. `sort_key`: the sort keys that a skip sets to their maximum; none means
    that there is nothing to skip with. `kept`: the rest of a start key (a global index's start key also holds
    the table's own keys, which break ties between equal index keys). `level`: of the groups to find; `None` for whole
    item collections.
    """

    table: str
    index: str | None
    kind: SourceKind
    partition_key: tuple[KeyAttribute, ...]
    sort_key: tuple[KeyAttribute, ...] = field(metadata={form.AS: "skipped"})
    kept: tuple[KeyAttribute, ...]
    level: Level | None = None

    @classmethod
    def described(
        cls, table: str, description: TableDescription, index: str | None, level: Level | None = None
    ) -> Self:
        """Return the source for a described table or its index; raise `TableError` for an unknown index."""
        if index is None:
            return cls(table, None, SourceKind.TABLE, description.partition_key, description.sort_key, (), level)
        found = description.index(index)
        if found.kind is SourceKind.LOCAL_INDEX:
            return cls(table, index, found.kind, found.partition_key, found.sort_key + description.sort_key, (), level)
        kept = tuple(attribute for attribute in description.key if attribute not in found.key)
        return cls(table, index, found.kind, found.partition_key, found.sort_key, kept, level)

    @property
    def key(self) -> tuple[KeyAttribute, ...]:
        """Return all attributes of a start key."""
        return self.partition_key + self.sort_key + self.kept

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.key)

    @property
    def key_bytes(self) -> int:
        """Return the most bytes of a start key: partition keys have up to 2048, sort keys up to 1024 (quotas)."""
        return {SourceKind.TABLE: 3072, SourceKind.LOCAL_INDEX: 4096, SourceKind.GLOBAL_INDEX: 6144}[self.kind]

    @property
    def can_skip(self) -> bool:
        return bool(self.sort_key)

    @property
    def line(self) -> "Source":
        """Return the source whose partition key is what a line has: the partition key and, with a level, the prefix."""
        if self.level is None:
            return self
        prefix = KeyAttribute(PREFIX, self.sort_key[0].type)
        return replace(self, partition_key=(*self.partition_key, prefix), level=None)

    @property
    def level_stated(self) -> dict[str, Any] | None:
        """Return the level as a manifest has it: what it has, with the type of the prefix."""
        if self.level is None:
            return None
        given = {name: value for name, value in form.write(self.level).items() if value is not None}
        return {**given, "type": self.sort_key[0].type}

    def partition_key_of(self) -> Callable[[Item], PartitionKey]:
        """Return the function that extracts the partition key of an item."""
        return itemgetter(*(attribute.name for attribute in self.partition_key))

    def parts(self, key: PartitionKey) -> tuple[AttributeValue, ...]:
        """Return the values of a partition key, one for each of its attributes."""
        return key if len(self.partition_key) > 1 else (key,)

    @property
    def has_ties(self) -> bool:
        """Return whether two items may have equal keys: a global index does not require unique ones."""
        return self.kind is SourceKind.GLOBAL_INDEX


def level_of(stated: Mapping[str, Any] | None) -> Level | None:
    """Return the level that a manifest states: see `Source.level_stated`."""
    if stated is None:
        return None
    given = {name: value for name, value in stated.items() if name != "type"}
    return form.read(Level, {"delimiter": None, "prefix_length": None, **given})


def partition_key_of(document: Mapping[str, Any]) -> tuple[KeyAttribute, ...]:
    """Return the partition key that a manifest or a stored plan states."""
    return form.read(tuple[KeyAttribute, ...], document["partition_key"])
