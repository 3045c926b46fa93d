"""The blog's table and its marker index as formulas, which answer Scan as DynamoDB does without storing anything.

A page ends with the item that fills its Limit or brings it to 1 MB and then has a LastEvaluatedKey, even if nothing
follows; the sum of its items is billed in steps of 4 KB (developer guide, "Scan", "Read consistency").
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import TableDescription
from skipscan.scan.batch import Request

PAGE_BYTES = 1 << 20
STEP_BYTES = 4096
STEP_UNITS = 0.5  # read units, eventually consistent
INDEX = "GSI-pk"


class Shape(NamedTuple):
    """Item collections of equal length, with items of equal size."""

    collections: int
    length: int
    item_bytes: int

    @classmethod
    def table(cls, collections: int) -> "Shape":
        return cls(collections, 1000, 500)

    @classmethod
    def marker_index(cls, collections: int) -> "Shape":
        """Return the index with one small item of each collection."""
        return cls(collections, 1, 150)


class VirtualTable:
    """A table, or its index, in `segments` equal ranges of the collections. A collection's number is its hash."""

    def __init__(self, source: Source, shape: Shape, segments: int = 1) -> None:
        self._key = source.partition_key[0].name
        self._names = [attribute.name for attribute in source.key]
        self._shape = shape
        self._segments = segments
        self._full = -(-PAGE_BYTES // shape.item_bytes)

    def scan(self, request: Request) -> Page:
        """Return a page, or the answer to the Query for the last item of a collection."""
        if request.lookup is not None:
            item = {self._key: request.lookup.key[0], "sk": {"S": f"{self._shape.length - 1:04d}"}}
            return Page([item], None, STEP_UNITS * -(-self._shape.item_bytes // STEP_BYTES))
        return self.page(request.segment, request.start_key, request.limit)

    def page(self, segment: int, start_key: Item | None, limit: int | None) -> Page:
        """Return the page of a segment after a start key, which need not exist."""
        collections, length, item_bytes = self._shape
        begin = collections * segment // self._segments * length if start_key is None else self._behind(start_key)
        end = collections * (segment + 1) // self._segments * length
        most = self._full if limit is None or limit > self._full else limit
        count = min(most, end - begin)
        steps = max(1, -(-count * item_bytes // STEP_BYTES))
        last = self._start_key(begin + count - 1) if count == most else None
        return Page(list(self._items(begin, begin + count)), last, STEP_UNITS * steps)

    def _items(self, begin: int, end: int) -> Iterator[Item]:
        """Yield the items of these places. Only of a page's last item does a walk read the sort key."""
        length = self._shape.length
        last = end - 1
        while begin < last:
            collection = begin // length
            following = min(last, (collection + 1) * length)
            item = {self._key: _text(collection)}
            for _ in range(begin, following):
                yield item
            begin = following
        if begin == last:
            yield {self._key: _text(last // length), "sk": {"S": f"{last % length:04d}"}}

    def _behind(self, start_key: Item) -> int:
        collection = int(start_key[self._key]["S"][-10:])
        item = start_key.get("sk")
        if item is None or item == MAXIMUM["S"]:
            return (collection + 1) * self._shape.length
        return collection * self._shape.length + int(item["S"]) % self._shape.length + 1

    def _start_key(self, place: int) -> Item:
        collection, item = divmod(place, self._shape.length)
        text = _text(collection)
        return {name: {"S": f"{item:04d}"} if name == "sk" else text for name in self._names}


def answer(table: VirtualTable, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return DynamoDB's answer to a Scan of a table that has as many segments as the request says."""
    page = table.page(asked.get("Segment", 0), asked.get("ExclusiveStartKey"), asked.get("Limit"))
    found = {
        "Items": page.items,
        "Count": len(page.items),
        "ScannedCount": len(page.items),
        "ConsumedCapacity": {"TableName": asked["TableName"], "CapacityUnits": page.read_units},
    }
    return found if page.last_evaluated_key is None else {**found, "LastEvaluatedKey": page.last_evaluated_key}


def description(collections: int) -> TableDescription:
    """Return what DescribeTable would return."""
    table, index = Shape.table(collections), Shape.marker_index(collections)
    return TableDescription.from_json(
        {
            "TableName": "Blog",
            "TableStatus": "ACTIVE",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in (INDEX, "pk", "sk")],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "ItemCount": table.collections * table.length,
            "TableSizeBytes": table.collections * table.length * table.item_bytes,
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": INDEX,
                    "IndexStatus": "ACTIVE",
                    "KeySchema": [{"AttributeName": INDEX, "KeyType": "HASH"}],
                    "ItemCount": index.collections,
                    "IndexSizeBytes": index.collections * index.item_bytes,
                }
            ],
        }
    )


def _text(collection: int) -> dict[str, str]:
    return {"S": f"customer-{collection:010d}"}
