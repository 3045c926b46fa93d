"""What the kit will create, how long it takes and what it costs, printed before it creates anything."""

from collections.abc import Iterable, Iterator, Sequence

from verify.check import Check
from verify.tables import TABLES
from verify.thing import TAG, prefix

PREPARE_SECONDS, REMOVE_SECONDS = 60.0, 30.0
OTHER_TABLES = 2
"""That checks make themselves: one whose recovery is switched on, and one with a customer managed key."""
OTHERS_DOLLARS = 0.01
"""Requests to S3, Step Functions and Lambda that no check states."""


def tables(checks: Iterable[Check]) -> list[str]:
    return list(dict.fromkeys(name for check in checks for name in check.tables))


def made_tables(checks: Iterable[Check]) -> list[str]:
    """Return the tables that a launch makes and removes."""
    return [name for name in tables(checks) if not TABLES[name].is_kept]


def dollars(checks: Sequence[Check]) -> float:
    """Return about what the checks cost, by the prices of us-east-1."""
    made = sum(TABLES[name].dollars for name in made_tables(checks))
    return OTHERS_DOLLARS + made + sum(check.dollars for check in checks)


def seconds(checks: Sequence[Check]) -> float:
    return PREPARE_SECONDS + sum(check.seconds for check in checks) + REMOVE_SECONDS


def quote(checks: Sequence[Check], environment: str, account: str, region: str) -> Iterator[str]:
    """Return the lines that a person reads before agreeing."""
    made = made_tables(checks)
    yield f"{len(checks)} checks in account {account}, {region}, with environment {environment}"
    yield (
        f"They make up to {len(made) + OTHER_TABLES} small tables, a bucket, two functions, three roles, five state "
        f"machines, three queues, a mapping and two schedules. All are named {prefix(environment)}…, tagged "
        f"{TAG}={environment}, and removed at the end."
    )
    yield f"They start a few runs of {environment} over these tables, and remove the results. No other table is read."
    yield f"About {seconds(checks) / 60:.0f} minutes and ${dollars(checks):.2f} (prices of us-east-1)"
