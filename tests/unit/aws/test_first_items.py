"""The first items of a collection: no more are asked for than wanted, and an empty page is not the end."""

from typing import Any

import pytest

from skipscan.aws.table import first_items
from tests.fakes.faulty import faulty


def answer(page: list[int], number: int, *, is_last: bool) -> dict[str, Any]:
    """Return one of a Query's pages."""
    items = [{"id": {"N": str(each)}} for each in page]
    more = {} if is_last else {"LastEvaluatedKey": {"id": {"N": str(number)}}}
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
    answers = [answer(page, number, is_last=number + 1 == len(pages)) for number, page in enumerate(pages)]
    collection, units = faulty(None, {"query": answers}), list[float]()
    items = first_items(collection, wanted, units.append, TableName="Orders")
    assert [int(item["id"]["N"]) for item in items] == found
    assert units == [0.5] * requests
    assert [asked["Limit"] for asked in collection.asked("query")] == [wanted] * requests, (
        "more would be read, and billed"
    )
    starts = [asked.get("ExclusiveStartKey") for asked in collection.asked("query")]
    assert starts == [None, *({"id": {"N": str(number)}} for number in range(requests - 1))]
