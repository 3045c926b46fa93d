"""The table of the AWS Database Blog's post as a formula, which answers Scan and Query as DynamoDB does.

2 million item collections of 1,000 items of 500 bytes. Nothing is stored. A page ends with the item that fills its
Limit or brings it to 1 MB and then has a LastEvaluatedKey, even if nothing follows; the sum of its items is billed in
steps of 4 KB (developer guide, "Scan", "Read consistency").
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Self

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES, STEP_UNITS, Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.scan.batch import Request

COLLECTIONS, LENGTH, ITEM_BYTES = 2_000_000, 1_000, 500
INDEX, MARKER_BYTES = "GSI-pk", 150
DAYS = tuple((date(2024, 1, 1) + timedelta(number)).isoformat() for number in range(LENGTH))
KINDS = ("ADDRESS", "INVOICE", "ORDER", "TICKET")
TYPES = tuple(f"{kind}#{number:04d}" for kind in KINDS for number in range(LENGTH // len(KINDS)))


@dataclass(frozen=True)
class Formula:
    """Collections that all have the same sort keys, in their order, and items of one size.

    In `segments` equal ranges: a collection's number is its hash. `key`: of a collection. `since`: where the range of a
    run begins, which its Queries name.
    """

    collections: int
    sort_keys: Sequence[str] = DAYS
    item_bytes: int = ITEM_BYTES
    key: str = "pk"
    since: str = ""
    segments: int = 1

    @classmethod
    def of_markers(cls, collections: int) -> Self:
        """Return the index with one small item of each collection."""
        return cls(collections, ("#static",), MARKER_BYTES, INDEX)

    def divided(self, segments: int) -> Self:
        return replace(self, segments=segments)

    def scan(self, request: Request) -> Page:
        """Return a page, or the answer to a Query for items of a collection: the last one, or those of the range."""
        lookup = request.lookup
        if lookup is None:
            return self.page(request.segment, request.start_key, request.limit)
        collection = int(lookup.key[0]["S"][-10:])
        begin = bisect_left(self.sort_keys, self.since)
        if lookup.is_backwards:
            begin = len(self.sort_keys) - (lookup.limit or 0)
        elif lookup.start_key is not None:
            begin = max(begin, bisect_right(self.sort_keys, lookup.start_key["sk"]["S"]))
        length = len(self.sort_keys)
        return self._page(collection * length + begin, (collection + 1) * length, lookup.limit)

    def page(self, segment: int, start_key: Item | None, limit: int | None) -> Page:
        """Return the page of a segment after a start key, which need not exist."""
        length = len(self.sort_keys)
        begin = self.collections * segment // self.segments * length
        if start_key is not None:
            begin = self._behind(start_key)
        return self._page(begin, self.collections * (segment + 1) // self.segments * length, limit)

    def _page(self, begin: int, end: int, limit: int | None) -> Page:
        full = -(-PAGE_STEPS * STEP_BYTES // self.item_bytes)
        most = full if limit is None else min(limit, full)
        count = min(most, end - begin)
        items = [self._item(place) for place in range(begin, begin + count)]
        last = items[-1] if count == most else None
        return Page(items, last, STEP_UNITS * max(1, -(-count * self.item_bytes // STEP_BYTES)))

    def _behind(self, start_key: Item) -> int:
        collection = int(start_key[self.key]["S"][-10:])
        length = len(self.sort_keys)
        sort_key = start_key.get("sk", MAXIMUM["S"])
        if sort_key == MAXIMUM["S"]:  # most skips end here: no search
            return (collection + 1) * length
        return collection * length + bisect_right(self.sort_keys, sort_key["S"])

    def _item(self, place: int) -> Item:
        collection, item = divmod(place, len(self.sort_keys))
        text = {"S": f"customer-{collection:010d}"}
        keys = {self.key: text, "pk": text} if self.key != "pk" else {"pk": text}
        return {**keys, "sk": {"S": self.sort_keys[item]}}


def description(collections: int) -> TableDescription:
    """Return what DescribeTable would return."""
    return TableDescription.from_json(
        {
            "TableName": "Blog",
            "TableStatus": "ACTIVE",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in (INDEX, "pk", "sk")],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "ItemCount": collections * LENGTH,
            "TableSizeBytes": collections * LENGTH * ITEM_BYTES,
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": INDEX,
                    "IndexStatus": "ACTIVE",
                    "KeySchema": [{"AttributeName": INDEX, "KeyType": "HASH"}],
                    "ItemCount": collections,
                    "IndexSizeBytes": collections * MARKER_BYTES,
                }
            ],
        }
    )
