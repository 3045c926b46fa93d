"""A table of an embedded engine."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

LOOK_SECONDS = 0.01


def create(client: DynamoDBClient, **asked: Any) -> None:
    """Create a table as `asked` of CreateTable, and return when it is ACTIVE.

    dynalite answers CreateTable a few milliseconds before it allows items. boto3's waiters count in seconds.
    """
    status = client.create_table(**asked)["TableDescription"]["TableStatus"]
    while status != "ACTIVE":
        sleep(LOOK_SECONDS)
        status = client.describe_table(TableName=asked["TableName"])["Table"]["TableStatus"]
