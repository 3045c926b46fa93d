"""How many workers a job has, and how many keys each may settle between two commits."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.hand_over import Send
from skipscan.act.input import ActionInput, AnyAction
from skipscan.act.plan import ActPlan, plan_act
from skipscan.act.preview import Preview, act_advice
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS, WrittenTable
from tests.fakes.small_table import DESCRIPTION
from tests.unit.act.worker import PUT, QUEUE, part, plan


@pytest.mark.parametrize(("units_per_second", "workers"), [(10_000.0, 2), (1.5, 1)])
def test_a_job_has_no_more_workers_than_its_rate_allows(units_per_second: float, workers: int) -> None:
    asked = ActionInput("Audit", "run-1", PUT, workers=2, max_write_units_per_second=units_per_second)
    assert planned(asked, PUT).workers == workers


@pytest.mark.parametrize(
    ("asked", "throughput", "rate"),
    [
        ({"skips_ended": True}, {"ReadCapacityUnits": 20, "WriteCapacityUnits": 400}, 5.0),
        ({"skips_ended": True, "max_keys_per_second": 7.0}, {"ReadCapacityUnits": 20, "WriteCapacityUnits": 400}, 7.0),
        ({"skips_ended": True}, {}, None),
        ({}, {"ReadCapacityUnits": 20, "WriteCapacityUnits": 400}, None),
    ],
)
def test_keys_that_are_looked_at_and_not_written_have_a_quarter_of_the_table_s_reads(
    asked: dict[str, Any], throughput: dict[str, int], rate: float | None
) -> None:
    """Without a rate, the looks of all calls take what the table has, and none of the calls may ever end."""
    action = Send(QUEUE, 100)
    provisioned = {"BillingModeSummary": {"BillingMode": "PROVISIONED"}, "ProvisionedThroughput": throughput}
    plan = planned(ActionInput("Audit", "run-1", action, **asked), action, **provisioned)
    assert plan.max_units_per_second == rate


def planned(asked: ActionInput, action: AnyAction, **described: object) -> ActPlan:
    manifest = {
        "keys": 10,
        "format": "jsonl",
        "partition_key": [{"name": "pk", "type": "S"}],
        "parts": [{"name": str(part), "bytes": 100, "sha256": ""} for part in range(2)],
    }
    units = {"key_units": 1.0, "most_key_units": 1.0, "worst_key_units": 1.0}
    description = TableDescription.from_json({**DESCRIPTION, **described})
    return plan_act(asked, action, manifest, description, **units, prices=US_EAST_1, mark="")


# What a dry run of an act shows: requests, minutes, units, and the first items without their values.


KEYS = 1_200_000
SCHEMA = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
BY_KIND = {
    "IndexName": "by-kind",
    "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
    "IndexStatus": "ACTIVE",
}
TABLE = TableDescription.from_json(
    {
        **DESCRIPTION,
        "KeySchema": SCHEMA,
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        "GlobalSecondaryIndexes": [BY_KIND],
    }
)
SAMPLE = [{"pk": {"S": str(number)}} for number in range(7)]


def explained(job: ActPlan) -> dict[str, Any]:
    return Preview.of(job.action, "mark", SAMPLE, TABLE).to_json(job, recovery=True)


def job(**changed: Any) -> ActPlan:
    return replace(plan([part(1)], changed.pop("action", PUT)), keys=KEYS, **changed)


@pytest.mark.parametrize(
    ("changed", "minutes", "requests"),
    [
        ({}, 20.1, KEYS),
        ({"workers": 2}, 10.1, KEYS),
        ({"skips_ended": True}, 40.1, 2 * KEYS),
        ({"max_units_per_second": 500.0}, 40.1, KEYS),
        ({"action": Send(QUEUE, 1)}, 2.1, KEYS / 10),
    ],
    ids=["puts", "two workers", "a look at each key", "a rate", "messages"],
)
def test_a_worker_puts_a_thousand_items_a_second_and_looks_at_as_many(
    changed: dict[str, Any], minutes: float, requests: int
) -> None:
    explanation = explained(job(**changed))
    assert (explanation["minutes"], explanation["requests"]) == (minutes, requests)


def test_a_put_may_be_billed_by_the_item_that_is_there() -> None:
    table = WrittenTable.described(TABLE)
    assert PUT.most_units(table, 2.0) == MOST_ITEM_UNITS
    assert PUT.most_units(table, 2 * MOST_ITEM_UNITS) == 2 * MOST_ITEM_UNITS
    assert Send(QUEUE, 1).most_units(table, 1.0) == 1.0


@pytest.mark.parametrize(("hours", "sentences"), [(23.9, 0), (24.0, 1)])
def test_a_run_that_is_a_day_old_is_advised_to_check_each_collection(hours: float, sentences: int) -> None:
    assert len(act_advice(plan([part(1)]), hours)) == sentences
    assert act_advice(replace(plan([part(1)]), skips_ended=True), hours) == []


def test_the_units_of_a_key_are_those_of_its_table_and_the_most_those_of_the_largest_item() -> None:
    sample = [{"pk": {"S": "x" * size}} for size in (10, 1000, 2100)]  # with their marks they take 1, 2 and 3 units
    preview = Preview.of(PUT, "mark", sample, TABLE)
    assert (preview.units.mean, preview.units.each) == ({"table": 2.0, "by-kind": 2.0}, 4.0)
    assert preview.units.largest == 6.0
    assert preview.item_bytes == pytest.approx(3110 / 3 + len("pksk#staticskipscan_jobmark"))
