"""Scans as the checks make them."""

from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.dynamodb.source import Item
from verify.check import hold
from verify.kit import Kit

API = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference"
GUIDE = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide"


def scan(kit: Kit, table: str, index: str | None = None, **asked: Any) -> dict[str, Any]:
    """Return a page of a table of `verify.tables`, and what it consumed."""
    where = {"IndexName": index} if index else {}
    answer: dict[str, Any] = kit.dynamodb.scan(
        TableName=kit.table(table), ReturnConsumedCapacity="INDEXES", **where, **asked
    )
    return answer


def units(page: Mapping[str, Any]) -> float:
    """Return the read units of a page."""
    return float(page["ConsumedCapacity"]["CapacityUnits"])


def items(kit: Kit, table: str, index: str | None = None, **asked: Any) -> Iterator[Item]:
    """Return the items of all pages."""
    start: dict[str, Any] = {}
    for _ in range(10_000):
        page = scan(kit, table, index, **asked, **start)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    hold(False, "the pages of a scan did not end")
