"""A table of an embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def create(client: DynamoDBClient, **requested: Any) -> None:
    """Create a table as `requested` of CreateTable, and return when it is ACTIVE.

    dynalite answers CreateTable a few milliseconds before it allows items.
    """
    client.create_table(**requested)
    # The waiter sleeps for any number of seconds; only its type asks for whole ones.
    often: Any = {"Delay": 0.01, "MaxAttempts": 60_000}
    client.get_waiter("table_exists").wait(TableName=requested["TableName"], WaiterConfig=often)
