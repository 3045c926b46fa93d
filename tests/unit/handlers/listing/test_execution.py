"""Plan, Scan and Finish together, as an execution passes state through them."""

import json
from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import Bill, Services, around
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
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
def test_dollars_are_the_whole_bill_and_its_units_cost_nothing_where_capacity_is_provisioned(
    listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    output = listing.run({"table": "Orders", "workers": 2, "segments": 4})
    manifest = json.loads(listing.read(listing.objects("manifest.json")[0]))
    batches = len(listing.objects("/keys/"))
    services, rest = Services(**manifest["services"]), around(2, batches)
    # Each batch takes a turn, a look for a part, a checkpoint and a part.
    assert services.invocations == rest.invocations + batches
    assert services.transitions == rest.transitions + 2 * batches
    assert services.s3_puts >= rest.s3_puts + 2 * batches
    assert services.s3_gets >= rest.s3_gets + batches
    assert services.gb_seconds > rest.gb_seconds
    bill = Bill.of(US_EAST_1, output["read_units"], 0.0, services)
    assert output["dollars"] == {
        **bill.to_json(),
        "estimated": "Plan, Finish and the Map",
        "region": "us-east-1",
        "prices": US_EAST_1.origins,
    }
    assert manifest["dollars"] == output["dollars"]
    assert output["dollars"]["units"] == round(output["read_units"] * 0.125e-6, 6)

    def provision(table: dict[str, Any]) -> None:
        table.update(ProvisionedThroughput={"ReadCapacityUnits": 1000})
        table.pop("BillingModeSummary", None)

    listing.plan.dynamodb = described(dynamodb, provision)  # type: ignore[attr-defined]
    dollars = listing.run({"table": "Orders"}, "run-2")["dollars"]
    assert dollars["units"] == 0 < dollars["total"]


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
