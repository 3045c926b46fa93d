"""A table of orders by customer, with the usual shape of tables of events by device; identical for the same seed.

Most customers have tens or hundreds of orders, and a few have thousands: a tenth of the customers has more than half of
the orders.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, islice
from math import log
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from local import table as tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

SEED = 20260101
BATCH_ITEMS = 25  # the most that one BatchWriteItem takes
CUSTOMERS = 400
MEDIAN_ORDERS, SPREAD, MOST_ORDERS = 60, 1.6, 6_000
"""Parameters of the lognormal distribution of orders per customer."""
HEADERS = {
    "X-Amz-Target": "DynamoDB_20120810.BatchWriteItem",
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20260101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0",
}
"""No embedded engine checks a signature, and boto3 would take most of the time of loading."""


class LoadError(Exception):
    """An engine refused items. The text is its answer."""


def customers(seed: int = SEED) -> dict[str, int]:
    """Return the number of orders of each customer: partition keys and sizes of item collections."""
    chance = random.Random(seed)
    numbers = chance.sample(range(100_000), CUSTOMERS)
    drawn = (round(chance.lognormvariate(log(MEDIAN_ORDERS), SPREAD)) for _ in numbers)
    return {
        f"customer-{number:05d}": max(1, min(count, MOST_ORDERS)) for number, count in zip(numbers, drawn, strict=True)
    }


def items(orders: Mapping[str, int], seed: int = SEED) -> Iterator[dict[str, AttributeValueTypeDef]]:
    """Yield an item of 100 to 500 bytes for each order of each customer."""
    chance = random.Random(seed)
    for customer, count in orders.items():
        for number in range(count):
            yield {
                "customer": {"S": customer},
                "order": {"S": f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}#{number:05d}"},
                "status": {"S": chance.choice(("paid", "packed", "shipped", "returned"))},
                "cents": {"N": str(chance.randint(199, 99_999))},
                "note": {"S": "." * chance.randint(30, 420)},
            }


def create(client: DynamoDBClient, table: str) -> None:
    """Create an empty table with the keys of an orders table: `customer`, then `order`."""
    tables.create(
        client,
        TableName=table,
        KeySchema=[
            {"AttributeName": "customer", "KeyType": "HASH"},
            {"AttributeName": "order", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "customer", "AttributeType": "S"},
            {"AttributeName": "order", "AttributeType": "S"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )


def load(
    client: DynamoDBClient,
    table: str,
    orders: Mapping[str, int],
    *,
    seed: int = SEED,
    on_written: Callable[[int], object] = lambda items: None,
) -> frozenset[str]:
    """Put all `items` into `table` and return its partition keys; `on_written` receives the number of items so far."""
    engine = urlsplit(client.meta.endpoint_url).netloc
    threads = threading.local()
    connections: list[http.client.HTTPConnection] = []

    def exchange(request: str) -> tuple[int, bytes]:
        if not hasattr(threads, "connection"):
            threads.connection = http.client.HTTPConnection(engine, timeout=300)
            connections.append(threads.connection)
        threads.connection.request("POST", "/", request, HEADERS)
        answer = threads.connection.getresponse()
        return answer.status, answer.read()

    def write(batch: list[dict[str, AttributeValueTypeDef]]) -> int:
        request = json.dumps({"RequestItems": {table: [{"PutRequest": {"Item": item}} for item in batch]}})
        try:
            status, body = exchange(request)
        except ConnectionError:
            # The engine closes a connection that a busy machine lets idle for five seconds.
            threads.connection.close()
            status, body = exchange(request)
        # Nothing is left unprocessed, as the engine never throttles.
        if status != http.HTTPStatus.OK or json.loads(body).get("UnprocessedItems"):
            raise LoadError(f"table {table}: {status} {body.decode(errors='replace')}")
        return len(batch)

    rows = items(orders, seed)
    batches = iter(lambda: list(islice(rows, BATCH_ITEMS)), [])
    pool = ThreadPoolExecutor(max_workers=2)
    try:
        for written in accumulate(pool.map(write, batches)):
            on_written(written)
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C need not wait for all the batches that are queued
        for connection in connections:
            connection.close()
    return frozenset(orders)
