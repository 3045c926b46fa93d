"""The mark on every item that Skipscan puts: it names the environment, the table, and the job or keeper.

A keeper and the jobs of its environment recognize one another's items by it, and delete no others. A copy of the table,
a table that was created again, and another environment never have the same marks.
"""

import json
from hashlib import sha256

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription

MARK = "skipscan_job"
"""The attribute that holds the mark."""

DIGITS = 16
"""Hexadecimal digits of a digest: 64 bits, which two tables, executions or lists of keys do not share by accident."""


def digest(content: bytes) -> str:
    """Return the digest that stands for content in marks and ids."""
    return sha256(content).hexdigest()[:DIGITS]


def home(environment: str, arn: str, description: TableDescription) -> str:
    """Return the first part of an environment's marks on one table.

    `arn`: of any function of the environment, for partition, region and account. For engines without a TableId the
    table's ARN alone identifies the table.
    """
    _, partition, _, region, account = arn.split(":")[:5]
    identity = [partition, region, account, environment, description.arn, description.table_id]
    return f"{environment}-{digest(json.dumps(identity).encode())}"


def of_keeper(home: str) -> str:
    return f"{home}/keeper"


def of_job(home: str, name: str, started: str) -> str:
    """Return a job's mark. `started`: of its execution, because a name may recur after 90 days."""
    return f"{home}/{name}/{started}"


def is_of(home: str, item: Item) -> bool:
    """Return whether the keeper or a job of that environment put the item."""
    return str(item.get(MARK, {}).get("S", "")).startswith(f"{home}/")
