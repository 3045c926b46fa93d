"""Hypothesis strategies: tables with any keys, names and item collections, with and without an index."""

from dataclasses import dataclass

from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.fakes.attribute_value import AttributeValue, Item, KeyType, orderable
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

KEY_TYPES: tuple[KeyType, ...] = ("S", "N", "B")

NAMES = st.sampled_from(
    ["pk", "sk", "name", "size", "order", "a.b", "a-b", "#k", ":v", "a[0]", "with space", "Größe", "鍵", "🔑", "0", "_"]
)

CONTENTS = {
    "S": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12) | st.just("\U0010ffff" * 3),
    "N": st.integers(-(10**6), 10**6).map(str)
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=4).map(str)
    | st.sampled_from(["1E-130", "-9.9999999999999999999999999999999999999E+125", "1.50", "1234567890123456789"]),
    "B": st.binary(min_size=1, max_size=12) | st.just(b"\xff" * 3),
}

PAYLOAD_BYTES = st.sampled_from([0, 0, 1, 100, 1000, 4000, 4096, 9000])


@dataclass(frozen=True)
class GeneratedTable:
    """`index` is what to scan: the name of an index of the table, or None for the table itself."""

    definition: TableDefinition
    items: tuple[Item, ...]
    index: str | None = None

    def load(self, dynamodb: FakeDynamoDB) -> FakeDynamoDB:
        dynamodb.add(self.definition, self.items)
        return dynamodb

    def partition_keys(self) -> list[Item]:
        """What a run must find, each once, as key attributes."""
        dynamodb = self.load(FakeDynamoDB())
        return dynamodb.table(self.definition.name).views[self.index].partition_keys()


def values(key_type: KeyType) -> st.SearchStrategy[AttributeValue]:
    return CONTENTS[key_type].map(lambda content: {key_type: content})


@st.composite
def tables(draw: st.DrawFn, *, max_collections: int = 12) -> GeneratedTable:
    """A table whose item collections are mostly small, a few large, some of them up to the greatest sort key."""
    partition_name, sort_name, payload_name = draw(st.lists(NAMES, min_size=3, max_size=3, unique=True))
    partition_type = draw(st.sampled_from(KEY_TYPES))
    sort_type = draw(st.sampled_from((*KEY_TYPES, None)))
    key = KeySchema.of((partition_name, partition_type), (sort_name, sort_type) if sort_type else None)
    partition_keys = draw(st.lists(values(partition_type), max_size=max_collections, unique_by=orderable))
    items: list[Item] = []
    for partition_key in partition_keys:
        payload = {"B": bytes(draw(PAYLOAD_BYTES))}
        collection = [{partition_name: partition_key, payload_name: payload}]
        if sort_type:
            sort_keys = draw(_collections(sort_type))
            collection = [{**collection[0], sort_name: sort_key} for sort_key in sort_keys]
        items += collection
    return GeneratedTable(TableDefinition("Generated", key), tuple(items))


@st.composite
def indexed_tables(draw: st.DrawFn, *, max_collections: int = 8) -> GeneratedTable:
    """A table to be scanned by an index: local or global, sparse, with or without a sort key."""
    table = draw(tables(max_collections=max_collections))
    base = table.definition.key
    names = draw(st.lists(NAMES.map(lambda name: f"index {name}"), min_size=2, max_size=2, unique=True))
    own = [KeyAttribute(name, draw(st.sampled_from(KEY_TYPES))) for name in names]
    candidates = [
        KeySchema((own[0],)),
        KeySchema((own[0],), (own[1],)),
        KeySchema((own[0],), (base.partition[0],)),
        KeySchema((own[0], own[1])),
        KeySchema((own[0], own[1]), base.partition),
        KeySchema((own[0],), (own[1], base.partition[0])),
    ]
    if base.sort:
        candidates += [KeySchema(base.sort, base.partition), KeySchema(base.partition, (own[0],))]
    key = draw(st.sampled_from(candidates))
    is_local = bool(base.sort) and key.partition == base.partition and draw(st.booleans())
    index = IndexDefinition(
        name="by-index",
        key=key,
        kind="local" if is_local else "global",
        projection=draw(st.sampled_from(["ALL", "KEYS_ONLY"])),
    )
    few = {
        attribute: draw(st.lists(values(attribute.type) | _maximum(attribute.type), min_size=1, max_size=4))
        for attribute in own
    }
    items = [
        {**item, **{a.name: draw(st.sampled_from(few[a])) for a in own if draw(st.integers(0, 4))}}
        for item in table.items
    ]
    definition = TableDefinition("Generated", base, (index,))
    return GeneratedTable(definition, tuple(items), index.name)


def _collections(sort_type: KeyType) -> st.SearchStrategy[list[AttributeValue]]:
    sort_keys = values(sort_type) | _maximum(sort_type)
    sizes = st.sampled_from([(1, 1), (1, 3), (1, 3), (10, 30)])
    return sizes.flatmap(lambda size: st.lists(sort_keys, min_size=size[0], max_size=size[1], unique_by=orderable))


def _maximum(key_type: KeyType) -> st.SearchStrategy[AttributeValue]:
    return st.just(dict(MAXIMUM[key_type]))
