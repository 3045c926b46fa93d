"""What DescribeTable says of a table that a plan rests on. Its counts and sizes are up to six hours old."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.source import Kind, Source, find_index


@dataclass(frozen=True)
class Facts:
    """A table or one of its indexes. `items` and `size_bytes`: 0 also where nothing was counted yet.

    `read_capacity_units`: provisioned a second; `None` on demand. `is_infrequent_access`: the table class, which has
    prices of its own. `added_keys`: what an index has as keys and its table has not: an item without them is not in it.
    """

    source: Source
    added_keys: tuple[str, ...]
    items: int
    size_bytes: int
    read_capacity_units: int | None
    is_infrequent_access: bool

    @classmethod
    def described(cls, table: str, description: Mapping[str, Any], index: str | None) -> Self:
        """Return the facts in DescribeTable's `Table` document; raise `TableError` for an unknown index."""
        source = Source.described(table, description, index)
        entry = find_index(description, index)[1] if index else description
        base = {entry["AttributeName"] for entry in description["KeySchema"]}
        billed = entry if source.kind is Kind.GLOBAL_INDEX else description
        return cls(
            source=source,
            added_keys=tuple(a.name for a in source.partition_key + source.skipped if a.name not in base),
            items=entry.get("ItemCount", 0),
            size_bytes=entry.get("IndexSizeBytes" if index else "TableSizeBytes", 0),
            # A table on demand states a provisioned throughput of 0.
            read_capacity_units=billed.get("ProvisionedThroughput", {}).get("ReadCapacityUnits") or None,
            is_infrequent_access=description.get("TableClassSummary", {}).get("TableClass")
            == "STANDARD_INFREQUENT_ACCESS",
        )

    @property
    def item_bytes(self) -> float:
        """The average size of an item, 0 if nothing was counted."""
        return self.size_bytes / self.items if self.items else 0.0

    @property
    def name(self) -> str:
        return f'{self.source.kind} "{self.source.index or self.source.table}"'

    def to_json(self) -> dict[str, Any]:
        key = self.source
        return {
            "kind": key.kind,
            "partition_key": [{"name": a.name, "type": a.type} for a in key.partition_key],
            "sort_key": [{"name": a.name, "type": a.type} for a in key.skipped],
            "items": self.items,
            "size_bytes": self.size_bytes,
            "read_capacity_units": self.read_capacity_units,
        }


def indexes_with_the_same_keys(table: str, description: Mapping[str, Any]) -> Iterator[Facts]:
    """Return the indexes that have the table's partition key, and so list the same keys or a part of them."""
    base = Source.described(table, description, None)
    for field in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        for entry in description.get(field, ()):
            facts = Facts.described(table, description, entry["IndexName"])
            if facts.source.partition_key == base.partition_key:
                yield facts
