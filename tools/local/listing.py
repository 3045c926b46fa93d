"""Other ways to list a table's partition keys, really executed for comparison.

They are deliberately plain: they are the reference, not the product. A full scan requests only the key: that saves
time, and changes no read units.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import ScanOutputTypeDef

LAST_SORT_KEY = {"S": "\U0010ffff" * 256}  # 1,024 bytes of UTF-8, the most a sort key may have
SEGMENTS = 16  # of the parallel scan: as many as Skipscan's concurrent walks


@dataclass
class Listing:
    """The keys that were found, in order, and what finding them consumed."""

    keys: list[str] = field(default_factory=list)
    requests: int = 0
    read_units: float = 0.0
    seconds: float = 0.0

    def add(self, page: ScanOutputTypeDef, partition_key: str) -> None:
        """Count a page; its first key is not new if the page before ended with it."""
        self.requests += 1
        self.read_units += page["ConsumedCapacity"]["CapacityUnits"]
        for item in page["Items"]:
            if [item[partition_key]["S"]] != self.keys[-1:]:
                self.keys.append(item[partition_key]["S"])

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the seconds of the block."""
        start = time.monotonic()
        yield
        self.seconds = time.monotonic() - start


def full_scan(client: DynamoDBClient, table: str, partition_key: str, **segment: int) -> Listing:
    """Read every item in pages of 1 MB. `segment`: `Segment` and `TotalSegments`, to read one of several."""
    listing = Listing()
    requested = {"ProjectionExpression": "#key", "ExpressionAttributeNames": {"#key": partition_key}}
    pages = client.get_paginator("scan").paginate(
        TableName=table,
        ReturnConsumedCapacity="TOTAL",
        **requested,  # type: ignore[arg-type]
        **segment,  # type: ignore[arg-type]
    )
    with listing.timed():
        for page in pages:
            listing.add(page, partition_key)
    return listing


def parallel_scan(client: DynamoDBClient, table: str, partition_key: str, segments: int = SEGMENTS) -> Listing:
    """Read every item with one thread per segment. An item collection is in one segment, so no key occurs twice."""
    listing = Listing()
    with listing.timed(), ThreadPoolExecutor(segments) as pool:
        parts = list(
            pool.map(
                lambda segment: full_scan(client, table, partition_key, Segment=segment, TotalSegments=segments),
                range(segments),
            )
        )
    listing.keys = [key for part in parts for key in part.keys]
    listing.requests, listing.read_units = sum(part.requests for part in parts), sum(part.read_units for part in parts)
    return listing


def one_item_skip_scan(client: DynamoDBClient, table: str, partition_key: str, sort_key: str) -> Listing:
    """Make one request of one item for each item collection; both keys are strings."""
    listing = Listing()
    with listing.timed():
        page = client.scan(TableName=table, Limit=1, ReturnConsumedCapacity="TOTAL")
        listing.add(page, partition_key)
        while last := page.get("LastEvaluatedKey"):
            start = {partition_key: last[partition_key], sort_key: LAST_SORT_KEY}
            page = client.scan(TableName=table, Limit=1, ReturnConsumedCapacity="TOTAL", ExclusiveStartKey=start)
            listing.add(page, partition_key)
    return listing
