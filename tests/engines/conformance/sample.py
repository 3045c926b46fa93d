"""Small tables that hold every case: uneven item collections, indexes of every kind, and values that sort oddly."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.engines.conformance.engine import Engine
from tests.fakes.attribute_value import Item, KeyType
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition

STRINGS = ("10", "9", "Z", "a", "a\0", "aa", "z", "é", "水", "\ue000", "\uffff", "😀", "😀a", "\U0010fffe")
NUMBERS = ("-1E+100", "-10.5", "-9", "-1", "-1E-130", "0", "1E-130", "1.5", "2", "9", "10", "100", "9" * 38, "1E+125")
BINARIES = ("00", "0000", "01", "61", "6100", "6161", "7f", "80", "8000", "c3", "fe", "ff", "ff00", "ffff")

ASCENDING: Mapping[str, list[Any]] = {
    "S": [{"S": text} for text in STRINGS],
    "N": [{"N": text} for text in NUMBERS],
    "B": [{"B": bytes.fromhex(digits)} for digits in BINARIES],
}
"""Fourteen values of each key type in DynamoDB's order."""

COLLECTION_ITEMS = (1, 2, 5, 9, 1, 14)


@cache
def table(partition_type: KeyType, sort_type: KeyType) -> TableDefinition:
    partition, other, sort = ("pk", partition_type), ("gsi_pk", partition_type), ("sk", sort_type)
    return TableDefinition(
        f"sample-{partition_type}-{sort_type}",
        KeySchema.of(partition, sort),
        (
            IndexDefinition("local", KeySchema.of(partition, ("local_sk", sort_type)), "local"),
            IndexDefinition("global", KeySchema.of(other, ("gsi_sk", sort_type))),
            IndexDefinition("without-sort-key", KeySchema.of(other)),
            IndexDefinition("shares-a-key", KeySchema.of(other, sort)),
            IndexDefinition("swapped", KeySchema.of(sort, partition)),
        ),
    )


@cache
def items(partition_type: KeyType, sort_type: KeyType) -> list[Item]:
    """Collections of `COLLECTION_ITEMS` items; indexes have five partition keys and lack every seventh item."""
    partition_keys, sort_keys = ASCENDING[partition_type], ASCENDING[sort_type]
    found: list[Item] = []
    for collection, size in enumerate(COLLECTION_ITEMS):
        for n in range(size):
            item = {"pk": partition_keys[collection * 2], "sk": sort_keys[n]}
            if (n + collection) % 7 != 6:
                item["local_sk"] = sort_keys[-1 - n]
                item["gsi_pk"] = partition_keys[n % 5]
                item["gsi_sk"] = sort_keys[(n * 3 + collection) % 14]
            found.append(item)
    return found


def loaded(engine: Engine, partition_type: KeyType, sort_type: KeyType) -> TableDefinition:
    definition = table(partition_type, sort_type)
    engine.load(definition, items(partition_type, sort_type))
    return definition


def name(index: str | None) -> str:
    """What a scenario calls the index, or the table itself."""
    return index or "table"
