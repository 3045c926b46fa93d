"""A table in memory that answers the requests of the product's own batch, with the read units of a Scan."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.limit.table import PAGE_BYTES, STEP_UNITS, Table, steps_of
from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.scan.batch import Request

SortKey = Callable[[int], str]
"""The sort key of a collection's item by its number there, ascending as strings."""


def description(table: Table, *, is_known: bool, sort_key_type: str = "N") -> TableDescription:
    """Return DescribeTable's answer. Without `is_known` the table is too new for DescribeTable to know its size."""
    return TableDescription.from_json(
        {
            "TableName": "Simulated",
            "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Simulated",
            "TableId": "12345678-1234-1234-1234-123456789012",
            "TableStatus": "ACTIVE",
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "N"},
                {"AttributeName": "sk", "AttributeType": sort_key_type},
            ],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
            "ItemCount": table.items if is_known else 0,
            "TableSizeBytes": int(table.bytes[-1]) if is_known else 0,
        }
    )


class Simulated:
    """A table in segments. The hash of a collection's key decides its segment.

    `sort_key`: of strings, which its items then show. Else they are numbers, which only start keys have.
    """

    def __init__(self, table: Table, segments: int, seed: int, sort_key: SortKey | None = None) -> None:
        hashes = np.sort(np.random.default_rng([seed, 5]).random(table.collections))
        edges = np.searchsorted(hashes, np.arange(segments + 1) / segments)
        self._edges: list[int] = table.starts[edges].tolist()
        self._starts = table.start_items
        self._bytes = table.bytes
        self._sort_key = sort_key

    def scan(self, request: Request) -> Page:
        return self.page(request.segment, request.start_key, request.limit)

    def page(self, segment: int, start_key: Item | None, limit: int | None) -> Page:
        """Return the page behind a start key. A page whose Limit ends at the last item has a LastEvaluatedKey."""
        begin, end = self._begin(segment, start_key), self._edges[segment + 1]
        full = int(np.searchsorted(self._bytes, self._bytes[begin] + PAGE_BYTES))
        stop = full if limit is None else min(begin + limit, full)
        last = min(stop, end)
        steps = steps_of(int(self._bytes[last] - self._bytes[begin]))
        return Page(self._items(begin, last), self._key(last - 1) if stop <= end else None, STEP_UNITS * steps)

    def _begin(self, segment: int, start_key: Item | None) -> int:
        """Return the first item after a start key."""
        if start_key is None:
            return self._edges[segment]
        collection = int(start_key["pk"]["N"])
        first, end = self._starts[collection], self._starts[collection + 1]
        if self._sort_key is not None:
            return first + bisect_right(range(end - first), start_key["sk"]["S"], key=self._sort_key)
        return end if start_key["sk"] == MAXIMUM["N"] else first + int(start_key["sk"]["N"]) + 1

    def _items(self, begin: int, end: int) -> list[Item]:
        items: list[Item] = []
        collection = self._collection(begin)
        while begin < end:
            following = min(self._starts[collection + 1], end)
            key = {"N": str(collection)}
            if self._sort_key is None:
                items += [{"pk": key}] * (following - begin)
            else:
                numbers = range(begin - self._starts[collection], following - self._starts[collection])
                items += [{"pk": key, "sk": self._sort_value(number)} for number in numbers]
            begin, collection = following, collection + 1
        return items

    def _key(self, item: int) -> Item:
        collection = self._collection(item)
        return {"pk": {"N": str(collection)}, "sk": self._sort_value(item - self._starts[collection])}

    def _sort_value(self, number: int) -> dict[str, Any]:
        return {"N": str(number)} if self._sort_key is None else {"S": self._sort_key(number)}

    def _collection(self, item: int) -> int:
        """Return the collection of an item."""
        return bisect_left(self._starts, item + 1) - 1
