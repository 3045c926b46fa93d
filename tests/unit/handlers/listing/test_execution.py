"""Plan, Scan and Finish together, as an execution passes state through them."""

import json
from typing import Any

import pytest

from skipscan.aws.function import Settings
from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.loop.kind import IN_CHECKPOINT
from skipscan.pace.bill import Bill, Services, around
from skipscan.pace.bounds import Bounds
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import Described
from tests.fakes.handlers.execution import Machine

CUSTOMERS = 60
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"


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


@pytest.mark.parametrize(
    ("document", "name", "keys", "strategy"),
    [
        ({"table": "Orders"}, "customer", [f"c{n}" for n in range(CUSTOMERS)], "skip"),
        ({"table": ARN}, "customer", [f"c{n}" for n in range(CUSTOMERS)], "skip"),
        ({"table": "Orders", "index": "by-status"}, "status", [f"s{n}" for n in range(5)], "skip"),
        ({"table": "Orders", "index": "by-state", "segments": 2}, "status", [f"s{n}" for n in range(5)], "page"),
    ],
)
def test_a_run_lists_the_keys_of_its_table_or_index(
    listing: Machine, document: dict[str, Any], name: str, keys: list[str], strategy: str
) -> None:
    assert listing.run(document)["keys"] == len(keys)
    assert sorted(line[name] for line in listing.lines()) == sorted(keys)
    manifest = json.loads(listing.read("skipscan/Orders/runs/run-1/manifest.json"))
    assert (manifest["strategy"], manifest["partition_key"]) == (strategy, [{"name": name, "type": "S"}])


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

    listing.plan.dynamodb = Described(dynamodb, provision)  # type: ignore[attr-defined]
    dollars = listing.run({"table": "Orders"}, "run-2")["dollars"]
    assert dollars["units"] == 0 < dollars["total"]


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """The seconds that every batch was given, as they are given."""
    seconds: list[float | None] = []
    decide = Settings.bounds

    def bounds(settings: Settings, remaining_seconds: float, batches: int, *more: float | None) -> Bounds:
        decided = decide(settings, remaining_seconds, batches, *more)
        seconds.append(decided.seconds)
        return decided

    monkeypatch.setattr(Settings, "bounds", bounds)
    return seconds


def test_a_batch_that_found_nothing_is_not_the_first_again(
    listing: Machine, dynamodb: FakeDynamoDB, bounded: list[float | None]
) -> None:
    dynamodb.add(TableDefinition("Empty", KeySchema.of(("id", "S"), ("at", "S"))))
    listing.run({"table": "Empty", "segments": 12, "workers": 1})
    assert bounded == [15.0, 60.0, 240.0, 240.0]


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


@pytest.mark.slow
def test_cursors_that_do_not_fit_into_state_stay_in_the_checkpoint(
    listing: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = listing.planned({"table": "Orders", "segments": 40, "workers": 1})
    monkeypatch.setattr("skipscan.loop.kind.STATE_BYTES", 1000)
    states = list(listing.turns(planned, 0))
    assert max(len(json.dumps(state)) for state in states) < 1000
    assert len(states) > 5
    assert all(state[IN_CHECKPOINT] for state in states[:-1])
    assert sorted(line["customer"] for line in listing.lines()) == sorted(f"c{n}" for n in range(CUSTOMERS))


def test_history_grows_with_turns_and_never_with_keys(listing: Machine) -> None:
    planned = listing.planned({"table": "Orders", "segments": 1})
    sizes = [len(json.dumps(progress)) for progress in listing.turns(planned, 0)]
    assert len(sizes) > 5
    learnt = sizes[len(sizes) // 2 :]
    assert max(learnt) - min(learnt) < 250
    assert max(sizes) < 2 * sizes[0]
