"""Plan, Scan and Finish together, as an execution passes state through them."""

import json

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine

CUSTOMERS = 60


@pytest.fixture(autouse=True)
def indexed_orders(dynamodb: FakeDynamoDB) -> None:
    by_status = IndexDefinition("by-status", KeySchema.of(("status", "S"), ("order", "N")))
    by_state = IndexDefinition("by-state", KeySchema.of(("status", "S")))
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("customer", "S"), ("order", "N")), (by_status, by_state)),
        (
            {
                "customer": {"S": f"c{customer}"},
                "order": {"N": str(order)},
                "status": {"S": f"s{order % 5}"},
                "lines": {"B": bytes(900)},
            }
            for customer in range(CUSTOMERS)
            for order in range(12)
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table", "global"])
def test_state_stays_small_for_any_keys(listing: Machine, dynamodb: FakeDynamoDB, kind: str) -> None:
    """The longest keys, of characters that JSON writes in six: `turns` asserts 256 KiB, this asserts half of it."""
    index = IndexDefinition("by-it", KeySchema.of(("ipk", "S"), ("isk", "S")))
    dynamodb.add(
        TableDefinition("Long", KeySchema.of(("pk", "S"), ("sk", "S")), (index,) if kind == "global" else ()),
        (
            {
                "pk": {"S": f"{n:06d}" + "\x01" * 2042},
                "sk": MAXIMUM["S"],
                "ipk": {"S": f"{n:06d}" + "\x02" * 2042},
                "isk": {"S": f"{n:06d}" + "\x03" * 1018},
            }
            for n in range(200)
        ),
    )
    planned = listing.planned({"table": "Long", "index": "by-it" if kind == "global" else None, "segments": 100})
    sizes = [len(json.dumps(progress)) for progress in listing.turns(planned, 0)]
    assert len(sizes) > 30
    assert max(sizes) < 128 * 1024
