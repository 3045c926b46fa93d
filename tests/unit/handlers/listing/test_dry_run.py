"""A dry run ends with a plan, and a large table's run is planned by a sample."""

import pytest

from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import Machine

CUSTOMERS = 60


@pytest.fixture(autouse=True)
def sampled_orders(dynamodb: FakeDynamoDB) -> None:
    marked = IndexDefinition("marked", KeySchema.of(("customer", "S"), ("marker", "N")), projection="KEYS_ONLY")
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), (marked,)),
        (
            {
                "customer": {"S": f"c{customer}"},
                "order": {"N": str(order)},
                "lines": {"B": bytes(2000)},
                **({"marker": {"N": "1"}} if order == 0 and customer % 2 else {}),
            }
            for customer in range(CUSTOMERS)
            for order in range(30)
        ),
    )


def test_a_retry_takes_no_second_sample(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    recorded = Faulty(dynamodb)
    listing.plan.dynamodb = recorded
    first = listing.planned({"table": "Orders", "dry_run": True})
    pages = len(recorded.asked("scan"))
    assert listing.planned({"table": "Orders", "dry_run": True}) == first
    assert len(recorded.asked("scan")) == pages > 0
