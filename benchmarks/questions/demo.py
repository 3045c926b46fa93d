"""The demo's table on dynalite: every question asked of it for real."""

import os
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchmarks.client.ours import listed
from benchmarks.first_items.demo import whole
from benchmarks.questions.answer import COUNTS, LAST_DAY, LEVELS, Answer, full_scan, others
from local import sample_table
from local.dynalite import dynalite
from local.embedded import dynamodb_client
from local.server import HOST
from skipscan.aws.table import describe
from skipscan.dynamodb.write_units import item_bytes
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE = "Orders"
SINCE, MONTH = "2026-12-28", len("2026-12")
ASKED: Mapping[str, Mapping[str, Any]] = {
    LAST_DAY: {"since": SINCE, "take": {"items": "all"}},
    LEVELS: {"prefix_length": MONTH},
    COUNTS: {"take": {"count": {"up_to": 1000}}},
}


def demo() -> list[Answer]:
    os.environ["no_proxy"] = HOST
    orders = sample_table.customers()
    expected = right()
    with dynalite() as endpoint:
        client = dynamodb_client(endpoint)
        sample_table.create(client, TABLE)
        sample_table.load(client, TABLE, orders)
        answers = [ours(client, question, expected[question]) for question in ASKED]
        full = whole(client, len(orders))
    sizes = Counter(map(item_bytes, sample_table.items(orders)))
    return [*answers, *others(full_scan(full.read_units, full.requests, 1), sizes.items())]


def right() -> dict[str, int]:
    """Return how many lines each answer has to have, as reading all items says."""
    keys = [(item["customer"]["S"], item["order"]["S"]) for item in sample_table.items(sample_table.customers())]
    return {
        LAST_DAY: sum(order >= SINCE for _, order in keys),
        LEVELS: len({(customer, order[:MONTH]) for customer, order in keys}),
        COUNTS: len({customer for customer, _ in keys}),
    }


def ours(client: "DynamoDBClient", question: str, expected: int) -> Answer:
    """Return a worker's consumption, with the plan of a table of unknown size, because dynalite shows none."""
    document = parse({"table": TABLE, "workers": 1, **ASKED[question]})
    plan = plan_listing(document, describe(client, TABLE))
    counts = listed(client, plan)
    if counts.keys != expected:
        raise RuntimeError(f"{question}: {counts.keys} lines of {expected}")
    return Answer.ours(question, plan, counts)
