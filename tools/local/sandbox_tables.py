"""The tables of the sandbox, which the tutorial and the examples of every command use."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from local import audit_table
from local import table as tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

SEED = 20260101
ORDERS, AUDIT, NEW_AUDIT, CHECKPOINTS = "Orders", "Audit", "Audit-2", "Checkpoints"
CUSTOMERS, AUDITED, THREADS = 1_000, 500, 60
STREAM = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}


def create(client: DynamoDBClient) -> str:
    """Create the tables, empty; return the ARN of the stream of `Audit`.

    `Orders` has the keys `customer` and `order`, the index `by-status`, and `markers`, whose key no order has.
    `Checkpoints` has the state of an AI agent after each step of a thread.
    """
    names = ("customer", "order", "status", "GSI-pk")
    tables.create(
        client,
        TableName=ORDERS,
        KeySchema=_keys("customer", "order"),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        GlobalSecondaryIndexes=[
            {"IndexName": "by-status", "KeySchema": _keys("status", "order"), "Projection": {"ProjectionType": "ALL"}},
            {"IndexName": "markers", "KeySchema": _keys("GSI-pk"), "Projection": {"ProjectionType": "KEYS_ONLY"}},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    tables.create(
        client,
        TableName=CHECKPOINTS,
        KeySchema=_keys("thread", "checkpoint"),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("thread", "checkpoint")],
        BillingMode="PAY_PER_REQUEST",
    )
    audit_table.create(client, AUDIT)
    updated = client.update_table(TableName=AUDIT, StreamSpecification=STREAM)  # type: ignore[arg-type]
    return str(updated["TableDescription"]["LatestStreamArn"])


def load(client: DynamoDBClient) -> int:
    """Fill the tables; return their number of items."""
    contents = {ORDERS: orders(), CHECKPOINTS: checkpoints(), AUDIT: audit_table.items(AUDITED)}
    return sum(audit_table.load(client, table, rows) for table, rows in contents.items())


def orders() -> Iterator[dict[str, AttributeValueTypeDef]]:
    """Yield one customer with many orders, some with hundreds, and many with a few; identical each time."""
    chance = random.Random(SEED)
    for customer in range(CUSTOMERS):
        few = chance.randint(1, 8)
        for number in range(2_000 if not customer else chance.randint(40, 120) if customer < 60 else few):
            yield {
                "customer": {"S": f"customer-{customer:04d}"},
                "order": {"S": f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}#{number:04d}"},
                "status": {"S": chance.choice(("paid", "packed", "shipped", "returned"))},
                "note": {"S": "." * chance.randint(30, 820)},
            }


def checkpoints() -> Iterator[dict[str, AttributeValueTypeDef]]:
    """Yield the checkpoints of every thread: of some a few, of others many."""
    for thread in range(THREADS):
        for step in range(thread % 20 + 1):
            yield {
                "thread": {"S": f"thread-{thread:03d}"},
                "checkpoint": {"S": f"{step:04d}"},
                "step": {"N": str(step)},
                "state": {"B": bytes(40 * step + 1)},  # dynalite's conditions cannot compare maps
            }


def _keys(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]
