"""One page of a scan: what is evaluated, what it costs, what comes back."""

from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.scan_request import ScanRequest

PAGE_LIMIT_BYTES = 1024 * 1024


def page(request: ScanRequest, table_name: str) -> dict[str, Any]:
    """The service's answer.

    A page ends with the item that makes `Limit` items or brings it to 1 MB (that item is still in it), and then
    carries LastEvaluatedKey even when nothing follows. Costs follow `read_units`.
    """
    view = request.view
    start, end = request.bounds()
    items: list[Item] = []
    size_bytes = 0
    is_full = False
    for entry in view.entries[start : end if request.limit is None else min(end, start + request.limit)]:
        items.append(entry.item)
        size_bytes += entry.size_bytes
        if size_bytes >= PAGE_LIMIT_BYTES:
            is_full = True
            break
    answer: dict[str, Any] = {"Count": len(items), "ScannedCount": len(items)}
    if not request.counts_only:
        answer["Items"] = [returned(item, request.projected) for item in items]
    if is_full or len(items) == request.limit:
        answer["LastEvaluatedKey"] = view.key_of(items[-1])
    if request.capacity_detail != "NONE":
        units = read_units(size_bytes, request.is_consistent)
        answer["ConsumedCapacity"] = _consumed_capacity(request, table_name, units)
    sent = {"RequestId": "FAKE", "HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}
    return {**answer, "ResponseMetadata": sent}


def read_units(size_bytes: int, is_consistent: bool) -> float:
    """Half a unit per begun 4 KB of the page's items together, twice that when consistent; nothing costs as 4 KB."""
    return max(1, -(-size_bytes // 4096)) * (1.0 if is_consistent else 0.5)


def returned(item: Item, projected: tuple[str, ...] | None) -> Item:
    names = item if projected is None else [name for name in projected if name in item]
    return {name: dict(item[name]) for name in names}


def _consumed_capacity(request: ScanRequest, table_name: str, units: float) -> dict[str, Any]:
    capacity: dict[str, Any] = {"TableName": table_name, "CapacityUnits": units}
    if request.capacity_detail == "INDEXES":
        index = request.view.index
        capacity["Table"] = {"CapacityUnits": 0.0 if index else units}
        if index:
            kind = "LocalSecondaryIndexes" if index.kind == "local" else "GlobalSecondaryIndexes"
            capacity[kind] = {index.name: {"CapacityUnits": units}}
    return capacity
