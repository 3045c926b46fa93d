"""A copy that is resumed writes what it has written until now, to the same table."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.copy.input import CopyInput
from skipscan.copy.plan import CopyPlan
from skipscan.copy.planning import CopyPlanning
from skipscan.copy.replica import Replica
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import DESCRIPTION
from tests.refusal import failed, refused

SOURCE = TableDescription.from_json(DESCRIPTION)
TARGET = TableDescription.from_json({**DESCRIPTION, "TableArn": "arn:target", "TableId": "id"})
CLIENT: Any = None


def resumed(
    replica: Replica, target: TableDescription, fixed: CopyPlan | None = None, *, is_on: bool = True
) -> CopyPlan:
    def check_on(_: Replica) -> None:
        if not is_on:
            raise TableError("switched off")

    asked = CopyInput(table="Audit", to="Audit-2", dry_run=False, resume="copy-1")
    planning = CopyPlanning(asked, SOURCE, replica, target, True, US_EAST_1, CLIENT, [], check_on)
    return planning.resumed(fixed or copy_plan())


def test_a_copy_is_not_resumed_while_its_replicator_is_switched_off_but_a_comparison_is() -> None:
    replica, compares = copy_plan().replica, replace(copy_plan(verify=True), compare_only=True)
    with failed(TableError, "switched off"):
        resumed(replica, TARGET, is_on=False)
    assert resumed(replica, TARGET, compares, is_on=False).compare_only


PROVISIONED = {
    "BillingModeSummary": {"BillingMode": "PROVISIONED"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
}


def test_a_comparison_that_is_resumed_has_no_write_rate_to_shorten_its_pages() -> None:
    compares = replace(copy_plan(verify=True), compare_only=True)
    target = TableDescription.from_json({**DESCRIPTION, "TableArn": "arn:target", "TableId": "id", **PROVISIONED})
    assert resumed(compares.replica, target, compares).max_write_units_per_second is None
    assert resumed(copy_plan().replica, target).max_write_units_per_second == 1.25


def test_a_copy_continues_between_the_same_tables() -> None:
    assert resumed(copy_plan().replica, TARGET).replica == copy_plan().replica


@pytest.mark.parametrize(
    "changed", [{"target": "arn:other"}, {"stream": "arn:other"}, {"templates": {}}, {"separator": "keep"}]
)
def test_a_copy_is_not_resumed_after_its_pair_was_changed(changed: dict[str, Any]) -> None:
    with refused(TableError, "resume", "copy-1", rule="another target, stream or set"):
        resumed(replace(copy_plan().replica, **changed), TARGET)


def test_a_copy_is_not_resumed_into_a_new_table_that_was_created_again() -> None:
    with refused(TableError, 'resume is "copy-1"; what that copy writes', rule="no longer exists"):
        resumed(copy_plan().replica, replace(TARGET, table_id="another"))
