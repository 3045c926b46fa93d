"""The first items of a collection: no more are asked for than wanted, and an empty page is not the end."""

from typing import Any

import pytest

from skipscan.aws.table import first_items

Answer = dict[str, Any]


class Collection:
    """Answers a Query with one page after the other."""

    def __init__(self, *pages: list[int]) -> None:
        self.pages = [[{"id": {"N": str(number)}} for number in page] for page in pages]
        self.asked: list[dict[str, Any]] = []

    def query(self, **asked: Any) -> Answer:
        self.asked.append(asked)
        number = len(self.asked) - 1
        items = self.pages[number]
        more = {"LastEvaluatedKey": {"id": {"N": str(number)}}} if number + 1 < len(self.pages) else {}
        counted = {"Count": len(items), "ScannedCount": len(items)}
        return {"Items": items, **counted, "ConsumedCapacity": {"CapacityUnits": 0.5}, **more}


@pytest.mark.parametrize(
    ("pages", "wanted", "found", "requests"),
    [
        (([1, 2, 3],), 2, [1, 2], 1),
        (([], [7]), 1, [7], 2),
        (([1], [2], [3]), 2, [1, 2], 2),
        (([], []), 1, [], 2),
    ],
)
def test_pages_are_asked_for_until_there_are_enough_items(
    pages: tuple[list[int], ...], wanted: int, found: list[int], requests: int
) -> None:
    collection, units = Collection(*pages), list[float]()
    items = first_items(collection, wanted, units.append, TableName="Orders")
    assert [int(item["id"]["N"]) for item in items] == found
    assert units == [0.5] * requests
    assert [asked["Limit"] for asked in collection.asked] == [wanted] * requests, "more would be read, and billed"
    starts = [asked.get("ExclusiveStartKey") for asked in collection.asked]
    assert starts == [None, *({"id": {"N": str(number)}} for number in range(requests - 1))]
