"""The post's own loop, reproduced faithfully: a scanning thread, a queue, and a thread that puts whole items in tens.

The post's Java has `DynamoDBMapper.parallelScan` over ten segments, a queue of 10,000, and `batchSave`, which is
BatchWriteItem. Nothing is added, and only the ten seconds at its end are removed.
"""

from collections.abc import Iterator, Mapping
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING, Any

from local.audit_table import ATTRIBUTE

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SEGMENTS, QUEUE_ITEMS, TOGETHER = 10, 10_000, 10


def naive(client: "DynamoDBClient", table: str, to: str | None = None) -> dict[str, float]:
    """Return its results and its consumption; `to`: another table to put the items into."""
    figures = {"items": 0.0, "requests": 0.0, "read_units": 0.0, "write_units": 0.0}
    queue: Queue[dict[str, Any] | None] = Queue(QUEUE_ITEMS)

    def scan() -> None:
        for item in _items(client, table, figures):
            queue.put(item)
        queue.put(None)

    scanner = Thread(target=scan)
    scanner.start()
    batch: list[dict[str, Any]] = []
    while (item := queue.get()) is not None:
        batch.append({**item, **made(item)})
        if len(batch) == TOGETHER:
            _save(client, to or table, batch, figures)
            batch = []
    if batch:
        _save(client, to or table, batch, figures)
    scanner.join()
    return figures


def made(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attribute that the post's loop adds to an item."""
    return {ATTRIBUTE: {"S": "-".join(item[name]["S"] for name in ("resourceId", "action", "accessedBy"))}}


def _items(client: "DynamoDBClient", table: str, figures: dict[str, float]) -> Iterator[dict[str, Any]]:
    for segment in range(SEGMENTS):
        pages = client.get_paginator("scan").paginate(
            TableName=table, Segment=segment, TotalSegments=SEGMENTS, ReturnConsumedCapacity="TOTAL"
        )
        for page in pages:
            figures["requests"] += 1
            figures["read_units"] += page["ConsumedCapacity"]["CapacityUnits"]
            yield from page["Items"]


def _save(client: "DynamoDBClient", table: str, batch: list[dict[str, Any]], figures: dict[str, float]) -> None:
    answer = client.batch_write_item(
        RequestItems={table: [{"PutRequest": {"Item": item}} for item in batch]}, ReturnConsumedCapacity="TOTAL"
    )
    figures["items"] += len(batch)
    figures["requests"] += 1
    figures["write_units"] += sum(entry["CapacityUnits"] for entry in answer["ConsumedCapacity"])
