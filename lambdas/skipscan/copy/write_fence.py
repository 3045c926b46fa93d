"""A denial of all writes to a table, in its resource policy, whatever other policies allow."""

from collections.abc import Mapping
from typing import Any

SID = "SkipscanCutOver"

WRITES = (
    *("dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"),
    *("dynamodb:PartiQLDelete", "dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"),
)
"""These actions cover transactions, too (developer guide, "Using IAM with DynamoDB transactions")."""


def is_denied(policy: Mapping[str, Any] | None) -> bool:
    """Return whether a policy has the denial."""
    return any(statement.get("Sid") == SID for statement in _statements(policy))


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
