"""What the kit will create, how long it takes and what it costs, printed before it creates anything."""

from collections.abc import Iterator, Sequence

from verify.check import Check
from verify.stack import TAG, prefix, stack_name
from verify.tables import KEPT, TABLES

STACK_SECONDS = 180.0
"""To create the stack, and to remove it."""

OTHERS_DOLLARS = 0.01
"""Requests to S3, Step Functions and Lambda that no check states."""


def dollars(checks: Sequence[Check]) -> float:
    """Return about what the checks cost, by the prices of us-east-1."""
    made = sum(table.dollars for name, table in TABLES.items() if name not in KEPT)
    return OTHERS_DOLLARS + made + sum(check.dollars for check in checks)


def seconds(checks: Sequence[Check]) -> float:
    return STACK_SECONDS + sum(check.seconds for check in checks)


def quote(checks: Sequence[Check], environment: str, account: str, region: str) -> Iterator[str]:
    """Return the lines that a person reads before agreeing."""
    yield f"{len(checks)} checks in account {account}, {region}, with environment {environment}"
    yield (
        f"They make the CloudFormation stack {stack_name(environment)}: small tables, two functions, four roles, four "
        f"state machines, three queues, a mapping and two schedules. All are named {prefix(environment)}…, tagged "
        f"{TAG}={environment}, and removed at the end with the stack."
    )
    yield f"They start a few runs of {environment} over these tables, and remove the results. No other table is read."
    yield f"About {seconds(checks) / 60:.0f} minutes and ${dollars(checks):.2f} (prices of us-east-1)"
