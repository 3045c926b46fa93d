"""How many workers a job has, and how many keys each may settle between two commits."""

from typing import Any

import pytest

from skipscan.act.actions.hand_over import Send
from skipscan.act.input import ActionInput, AnyAction
from skipscan.act.plan import ActPlan, plan_act
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from tests.fakes.small_table import DESCRIPTION
from tests.unit.act.worker import PUT, QUEUE


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
