"""A table of orders by customer, as skewed as a real shop's, and the same for the same seed.

One wholesaler with a very large item collection, some hundred regular customers with large ones, and many
customers who ordered a few times.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from local import table as tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, CreateTableInputTypeDef

SEED = 20260101
MARKER_INDEX = "markers"
BATCH_ITEMS = 25  # the most that one BatchWriteItem takes


def customers(seed: int = SEED) -> dict[str, int]:
    """The number of orders of each customer: the partition keys, and the sizes of their item collections."""
    chance = random.Random(seed)
    wholesaler = [8_000]
    regulars = [chance.randint(60, 220) for _ in range(250)]
    occasional = [chance.randint(1, 9) for _ in range(1_750)]
    orders = wholesaler + regulars + occasional
    numbers = chance.sample(range(100_000), len(orders))
    return {f"customer-{number:05d}": count for number, count in zip(numbers, orders, strict=True)}


def items(orders: Mapping[str, int], seed: int = SEED) -> Iterator[dict[str, AttributeValueTypeDef]]:
    """An item of 100 to 900 bytes for each order of each customer."""
    chance = random.Random(seed)
    for customer, count in orders.items():
        for number in range(count):
            yield {
                "customer": {"S": customer},
                "order": {"S": f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}#{number:05d}"},
                "status": {"S": chance.choice(("paid", "packed", "shipped", "returned"))},
                "cents": {"N": str(chance.randint(199, 99_999))},
                "note": {"S": "." * chance.randint(30, 820)},
            }


def create(client: DynamoDBClient, table: str, *, marker_index: bool = False) -> None:
    """An empty table with the keys of an orders table: `customer`, then `order`.

    `marker_index`: with the index `markers` on `GSI-pk`, which no order has.
    """
    asked: CreateTableInputTypeDef = {
        "TableName": table,
        "KeySchema": [
            {"AttributeName": "customer", "KeyType": "HASH"},
            {"AttributeName": "order", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            {"AttributeName": "customer", "AttributeType": "S"},
            {"AttributeName": "order", "AttributeType": "S"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if marker_index:
        asked["AttributeDefinitions"] = [
            *asked["AttributeDefinitions"],
            {"AttributeName": "GSI-pk", "AttributeType": "S"},
        ]
        asked["GlobalSecondaryIndexes"] = [
            {
                "IndexName": MARKER_INDEX,
                "KeySchema": [{"AttributeName": "GSI-pk", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ]
    tables.create(client, **asked)


def load(
    client: DynamoDBClient,
    table: str,
    orders: Mapping[str, int],
    *,
    seed: int = SEED,
    on_written: Callable[[int], object] = lambda items: None,
) -> frozenset[str]:
    """The partition keys of `table`, once all `items` are in it; `on_written` hears how many are."""

    def write(batch: list[dict[str, AttributeValueTypeDef]]) -> int:
        # Nothing is left unprocessed, as the engine never throttles.
        client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item}} for item in batch]})
        return len(batch)

    rows = items(orders, seed)
    batches = iter(lambda: list(islice(rows, BATCH_ITEMS)), [])
    pool = ThreadPoolExecutor(max_workers=4)
    try:
        for written in accumulate(pool.map(write, batches)):
            on_written(written)
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C need not wait for all the batches that are queued
    return frozenset(orders)
