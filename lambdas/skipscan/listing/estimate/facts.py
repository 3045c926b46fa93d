"""What a plan uses of DescribeTable. Its counts and sizes are up to six hours old."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.capacity import served_read_units
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import SourceKind, TableDescription


@dataclass(frozen=True)
class Facts:
    """A table or one of its indexes. `items` and `size_bytes`: 0 also if DescribeTable has not counted yet.

    `read_capacity_units`: provisioned a second; `None` on demand. `served_read_units`: a second, at once.
    `is_infrequent_access`: the table class, which has its own prices. `added_keys`: key attributes of an index
    that are not key attributes of its table; items without them are not in the index.
    """

    source: Source
    added_keys: tuple[str, ...]
    items: int
    size_bytes: int
    read_capacity_units: int | None
    served_read_units: float
    is_infrequent_access: bool

    @classmethod
    def described(cls, table: str, description: TableDescription, index: str | None) -> Self:
        """Return the facts of a description; raise `TableError` for an unknown index."""
        source = Source.described(table, description, index)
        found = None if index is None else description.index(index)
        measured = found or description
        billed = description if source.kind is SourceKind.LOCAL_INDEX else measured
        base = {attribute.name for attribute in description.key}
        return cls(
            source=source,
            added_keys=tuple(a.name for a in source.partition_key + source.sort_key if a.name not in base),
            items=measured.items,
            size_bytes=measured.size_bytes,
            read_capacity_units=billed.throughput.read_units,
            served_read_units=served_read_units(billed.throughput),
            is_infrequent_access=description.is_infrequent_access,
        )

    @property
    def item_bytes(self) -> float:
        """The average size of an item; 0 if DescribeTable has not counted yet."""
        return self.size_bytes / self.items if self.items else 0.0

    @property
    def name(self) -> str:
        return f'{self.source.kind} "{self.source.index or self.source.table}"'

    def to_json(self) -> dict[str, Any]:
        key = self.source
        return {
            "kind": key.kind,
            "partition_key": [{"name": a.name, "type": a.type} for a in key.partition_key],
            "sort_key": [{"name": a.name, "type": a.type} for a in key.sort_key],
            "items": self.items,
            "size_bytes": self.size_bytes,
            "read_capacity_units": self.read_capacity_units,
            "served_read_units": self.served_read_units,
        }


def indexes_with_the_same_keys(table: str, description: TableDescription) -> Iterator[Facts]:
    """Return the indexes with the table's partition key, which list the same keys or a part of them."""
    for index in description.indexes:
        if index.partition_key == description.partition_key:
            yield Facts.described(table, description, index.name)
