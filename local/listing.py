"""Two other ways of listing a table's partition keys, done for real so that they can be compared.

Both are deliberately plain: they are the yardstick, not the product.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import ScanOutputTypeDef

LAST_SORT_KEY = {"S": "\U0010ffff" * 256}  # 1,024 bytes of UTF-8, the most a sort key may have


@dataclass
class Listing:
    """The keys that were found, in order, and what finding them consumed."""

    keys: list[str] = field(default_factory=list)
    requests: int = 0
    read_units: float = 0.0

    def add(self, page: ScanOutputTypeDef, partition_key: str) -> None:
        """Counts a page in; a key that the page before ended with is not new."""
        self.requests += 1
        self.read_units += page["ConsumedCapacity"]["CapacityUnits"]
        for item in page["Items"]:
            if [item[partition_key]["S"]] != self.keys[-1:]:
                self.keys.append(item[partition_key]["S"])


def full_scan(client: DynamoDBClient, table: str, partition_key: str) -> Listing:
    """Every item read, in pages of 1 MB."""
    listing = Listing()
    for page in client.get_paginator("scan").paginate(TableName=table, ReturnConsumedCapacity="TOTAL"):
        listing.add(page, partition_key)
    return listing


def one_item_skip_scan(client: DynamoDBClient, table: str, partition_key: str, sort_key: str) -> Listing:
    """One request of one item for each item collection; both keys are strings."""
    listing = Listing()
    page = client.scan(TableName=table, Limit=1, ReturnConsumedCapacity="TOTAL")
    listing.add(page, partition_key)
    while last := page.get("LastEvaluatedKey"):
        start = {partition_key: last[partition_key], sort_key: LAST_SORT_KEY}
        page = client.scan(TableName=table, Limit=1, ReturnConsumedCapacity="TOTAL", ExclusiveStartKey=start)
        listing.add(page, partition_key)
    return listing
