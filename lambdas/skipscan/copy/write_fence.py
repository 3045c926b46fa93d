"""A denial of all writes to a table, in its resource policy, whatever other policies allow."""

from collections.abc import Mapping
from typing import Any

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, TableError

SID = "SkipscanCutOver"

WRITES = (
    *("dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"),
    *("dynamodb:PartiQLDelete", "dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"),
)
"""These actions cover transactions, too (developer guide, "Using IAM with DynamoDB transactions")."""


def is_denied(policy: Mapping[str, Any] | None) -> bool:
    """Return whether a policy has the denial."""
    return any(statement.get("Sid") == SID for statement in _statements(policy))


def check_fence(table: TableDescription, *, is_wanted: bool) -> None:
    """Raise `TableError` for a global table whose writes are denied, or should be.

    The denial is for everybody, so also for the role that replicates. Without it DynamoDB makes a replica a table of
    its own for good after 20 hours; with strong consistency it refuses writes at once, and the replica is lost after
    seven days (developer guide, "DynamoDB global tables security",
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/globaltables-security.html).
    """
    if table.is_global and is_wanted:
        raise TableError(
            table.arn,
            OMITTED,
            "is a global table; a denial of writes also stops DynamoDB's replication, and a replica is lost "
            "for good after 20 hours",
            "if the denial is there, remove it now; leave out --deny-writes, and stop the writers in all "
            "regions by their own permissions",
        )


def denied(policy: Mapping[str, Any] | None, table_arn: str) -> dict[str, Any]:
    """Return a table's policy with the denial. `policy`: the current one; `None` for none."""
    denial = {"Sid": SID, "Effect": "Deny", "Principal": "*", "Action": list(WRITES), "Resource": table_arn}
    kept = allowed(policy) or {"Version": "2012-10-17", "Statement": []}
    return {**kept, "Statement": [*_statements(kept), denial]}


def allowed(policy: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a table's policy without the denial; `None` if nothing else is left."""
    kept = [statement for statement in _statements(policy) if statement.get("Sid") != SID]
    return {**(policy or {}), "Statement": kept} if kept else None


def _statements(policy: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    statements = (policy or {}).get("Statement", [])
    return [statements] if isinstance(statements, Mapping) else list(statements)
