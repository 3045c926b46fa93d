"""The mark on every item that Skipscan puts: of which environment and table it is, and who put it.

A keeper and the jobs of its environment know one another's items by it, and delete no others. A copy of the table, a
table that was made anew, another environment: none of them has the same marks.
"""

import json
from hashlib import sha256

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription

MARK = "skipscan_job"
"""The attribute that holds the mark."""

DIGITS = 16
"""Of the digest, in hex: 64 bits, which no two tables share by accident."""


def home(environment: str, arn: str, description: TableDescription) -> str:
    """Return what the marks of an environment on one table begin with.

    `arn`: of any function of the environment, for partition, region and account. Engines that know no TableId are told
    apart by the table's ARN alone.
    """
    _, partition, _, region, account = arn.split(":")[:5]
    identity = [partition, region, account, environment, description.arn, description.table_id]
    return f"{environment}-{sha256(json.dumps(identity).encode()).hexdigest()[:DIGITS]}"


def of_keeper(home: str) -> str:
    return f"{home}/keeper"


def of_job(home: str, name: str, started: str) -> str:
    """Return a job's mark. `started`: of its execution, whose name may come back after 90 days."""
    return f"{home}/{name}/{started}"


def is_of(home: str, item: Item) -> bool:
    """Tell whether an item was put by the keeper or a job of that home."""
    return str(item.get(MARK, {}).get("S", "")).startswith(f"{home}/")
