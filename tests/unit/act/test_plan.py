"""How many workers a job has, and how many keys each may settle between two commits."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.hand_over import Send
from skipscan.act.input import parse_action
from skipscan.act.plan import ActPlan, rate, repeated_keys
from skipscan.act.preview import Preview, act_advice
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS, WrittenTable
from tests.fakes.acting import PUT
from tests.fakes.actions import decided
from tests.fakes.small_table import DESCRIPTION
from tests.unit.act.worker import FUNCTION, QUEUE, part, plan

# What a dry run of an act shows: requests, minutes, units, and the first items without their values.


KEYS = 1_200_000
MARKER = {"item": {"sk": "#static"}}
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


def test_a_put_may_be_billed_by_the_item_that_is_there() -> None:
    table = WrittenTable.described(TABLE)
    assert PUT.most_units(table, 2.0) == MOST_ITEM_UNITS
    assert PUT.most_units(table, 2 * MOST_ITEM_UNITS) == 2 * MOST_ITEM_UNITS
    assert replace(PUT, overwrite=True).most_units(table, 2.0) == table.most_delete_units + 2.0, "that one goes"
    assert Send(QUEUE, 1).most_units(table, 1.0) == 1.0


@pytest.mark.parametrize(
    ("asked", "units"),
    [
        ({"put_item": MARKER}, 5.0),
        ({"put_item": MARKER, "max_write_units_per_second": 7}, 7.0),
        ({"send": {"queue": QUEUE}}, None),
        ({"send": {"queue": QUEUE}, "skip_ended": True}, 10.0),
        ({"send": {"queue": QUEUE}, "skip_ended": True, "max_keys_per_second": 7}, 7.0),
    ],
)
def test_a_rate_is_the_one_asked_for_or_a_quarter_of_what_the_job_consumes(
    asked: dict[str, Any], units: float | None
) -> None:
    throughput = {"ReadCapacityUnits": 40, "WriteCapacityUnits": 20}
    table = TableDescription.from_json({**DESCRIPTION, "BillingModeSummary": {}, "ProvisionedThroughput": throughput})
    action_input = parse_action({"table": "Audit", "run": "monday", **asked})
    action = decided({name: asked[name] for name in ("put_item", "send") if name in asked})
    assert rate(action_input, action, table, skips_ended=action_input.skips_ended) == units


@pytest.mark.parametrize(
    ("asked", "is_idempotent", "keys"),
    [
        ({"put_item": MARKER}, True, 100_000),
        ({"put_item": {**MARKER, "overwrite": True}}, False, 1_000),
        ({"delete_item": {"key": {"sk": "1"}}}, False, 1_000),
        ({"delete_item": {"key": {"sk": "1"}, "if": {"state": "closed"}}}, True, 100_000),
        ({"invoke": {"function": FUNCTION, "keys_per_call": 100}}, False, 1_600),
        ({"send": {"queue": QUEUE}}, False, 1_000),
    ],
)
def test_a_crash_repeats_few_keys_where_that_does_harm(asked: dict[str, Any], is_idempotent: bool, keys: int) -> None:
    action = decided(asked)
    assert (action.is_idempotent, repeated_keys(action, KEYS, 2)) == (is_idempotent, keys)
    assert repeated_keys(action, 1_000 * KEYS, 2) == KEYS / 2, "a worker has a thousand turns"
    said = explained(job(action=action, repeated_keys=keys))
    assert (said["idempotent"], said["repeated_keys_per_worker"]) == (is_idempotent, keys)
    assert said["repeat_means"]


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
