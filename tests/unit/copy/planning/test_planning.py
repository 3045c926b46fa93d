"""What a copy costs; and one that is resumed writes what it has written until now, to the same table."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import repeat
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError

from skipscan.copy import plan as plans
from skipscan.copy.input import CopyInput
from skipscan.copy.plan import CopyPlan
from skipscan.copy.planning import CopyPlanning
from skipscan.copy.replica import Replica
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from tests.fakes.faulty import faulty
from tests.fakes.small_table import DESCRIPTION, STREAM, copy_plan, settings_with
from tests.refusal import failed, refused

SOURCE = TableDescription.from_json(DESCRIPTION)
TARGET = TableDescription.from_json({**DESCRIPTION, "TableArn": "arn:target", "TableId": "id"})
CLIENT: Any = None


def resumed(
    replica: Replica,
    target: TableDescription,
    fixed: CopyPlan | None = None,
    *,
    is_on: bool = True,
    recovery: bool = True,
    without_recovery: bool = False,
) -> CopyPlan:
    def check_on(_: Replica) -> None:
        if not is_on:
            raise TableError("switched off", rule="", remedy="")

    asked = CopyInput(table="Audit", to="Audit-2", dry_run=False, resume="copy-1", without_recovery=without_recovery)
    planning = CopyPlanning(asked, SOURCE, replica, target, recovery, US_EAST_1, CLIENT, [], check_on)
    return planning.resumed(fixed or copy_plan())


def test_a_copy_is_not_resumed_while_its_replicator_is_switched_off_but_a_comparison_is() -> None:
    replica, compares = copy_plan().replica, replace(copy_plan(verify=True), compare_only=True)
    with failed(TableError, "switched off"):
        resumed(replica, TARGET, is_on=False)
    assert resumed(replica, TARGET, compares, is_on=False).compare_only


def test_a_copy_is_not_resumed_without_recovery_but_a_comparison_which_writes_nothing_is() -> None:
    replica, compares = copy_plan().replica, replace(copy_plan(verify=True), compare_only=True)
    with refused(TableError, 'point-in-time recovery of table "Audit-2"', rule="is off", remedy="without_recovery"):
        resumed(replica, TARGET, recovery=False)
    assert not resumed(replica, TARGET, recovery=False, without_recovery=True).compare_only
    assert resumed(replica, TARGET, compares, recovery=False).compare_only


PROVISIONED = {
    "BillingModeSummary": {"BillingMode": "PROVISIONED"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
}


@pytest.mark.parametrize(("compare_only", "rate"), [(False, 1.25), (True, None)])
def test_a_comparison_has_no_rate_and_no_warning_of_writes(compare_only: bool, rate: float | None) -> None:
    """A rate would bound the pages of the first pass."""
    target = TableDescription.from_json({**DESCRIPTION, **PROVISIONED, "TableArn": "arn:target", "TableId": "id"})
    fixed = copy_plan(verify=True, compare_only=compare_only)
    assert resumed(fixed.replica, target, fixed).max_write_units_per_second == rate
    vectors = [{"IndexName": "by-meaning", "Dimensions": 256, "VectorAttribute": {"AttributeName": "v"}}]
    warnings = opened(described({}, {"VectorIndexes": vectors}), compare_only=compare_only).warnings
    assert any("by-meaning" in warning for warning in warnings) is not compare_only


def described(audit: Mapping[str, Any], audit_2: Mapping[str, Any]) -> Any:
    """Return DynamoDB with both tables of a copy, described with so much more."""
    more = {"Audit": audit, "Audit-2": audit_2}

    def describe(_: object, asked: Mapping[str, Any]) -> Any:
        name = asked["TableName"]
        arn = f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}"
        return {"Table": {**DESCRIPTION, "TableName": name, **more[name], "TableArn": arn}}

    backups: Any = {"ContinuousBackupsDescription": {}}
    return faulty(None, {"describe_table": repeat(describe), "describe_continuous_backups": repeat(backups)})


PAIR = Replica("Audit", "Audit-2", STREAM, "https://queue")


def opened(client: Any, pair: Replica = PAIR, *, check_on: Any = None, **document: Any) -> CopyPlanning:
    pricing = SimpleNamespace(get_products=Mock(side_effect=ClientError({"Error": {"Code": "made up"}}, "GetProducts")))
    return CopyPlanning.open(
        {"table": "Audit", "to": "Audit-2", **document},
        client,
        pricing,
        settings_with(pair),
        keys=SimpleNamespace(describe_key=Mock()),
        check_on=check_on or Mock(),
    )


@pytest.mark.parametrize("document", [{}, {"dry_run": False}, {"create": True}])
def test_a_copy_asks_whether_its_replicator_is_on_before_it_makes_a_table(document: dict[str, Any]) -> None:
    describes = {"Audit": {"Table": {**DESCRIPTION, "TableName": "Audit"}}}
    client = faulty(None, {"describe_table": repeat(lambda _, asked: describes[asked["TableName"]])})
    check_on = Mock(side_effect=TableError("switched off", rule="", remedy=""))
    with failed(TableError, "switched off"):
        opened(client, check_on=check_on, **document)
    check_on.assert_called_once_with(PAIR)


@pytest.mark.parametrize("document", [{"compare_only": True, "dry_run": False}, {"resume": "it-may-only-compare"}])
def test_what_may_only_compare_does_not_ask(document: dict[str, Any]) -> None:
    check_on = Mock()
    opened(described({}, {}), check_on=check_on, **document)
    check_on.assert_not_called()


def test_the_recovery_of_the_target_of_a_new_copy_is_checked_and_that_of_a_resumed_one_when_its_plan_is_read() -> None:
    client = described({}, {})
    with refused(TableError, 'point-in-time recovery of table "Audit-2"', rule="is off", remedy="without_recovery"):
        opened(client, dry_run=False)
    for document in ({"resume": "copy-1"}, {"dry_run": False, "compare_only": True}):
        opened(client, **document)


ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/{}"


@pytest.mark.parametrize("named", ["Audit-2", ARN.format("Audit-2")])
@pytest.mark.parametrize("asked", ["Audit-2", ARN.format("Audit-2"), "Audit-3"])
def test_a_copy_is_to_the_table_that_its_environment_names(named: str, asked: str) -> None:
    client, pair = described({}, {}), Replica(ARN.format("Audit"), named, STREAM, "https://queue")
    if asked in {"Audit-2", named}:
        assert opened(client, pair, to=asked).replica == pair
        return
    with refused(TableError, "to", asked, rule='copies table "Audit" to Audit-2', way="cdk.json"):
        opened(client, pair, to=asked)


def test_a_table_that_the_environment_does_not_copy_is_refused_with_what_to_write() -> None:
    with refused(TableError, "table", "Audit", rule="does not copy it", way='"Audit": {"copy"'):
        opened(described({}, {}), replace(PAIR, source="Other"))


ON_DEMAND: Mapping[str, Any] = {}
INFREQUENT = {"TableClassSummary": {"TableClass": "STANDARD_INFREQUENT_ACCESS"}}


@pytest.mark.parametrize(
    ("source", "target", "reads", "writes"),
    [
        (ON_DEMAND, ON_DEMAND, 0.125, 0.625),
        (PROVISIONED, ON_DEMAND, 0.125, 0.625),
        (ON_DEMAND, PROVISIONED, 0.125, 0.0),
        (PROVISIONED, PROVISIONED, 0.0, 0.0),
        (ON_DEMAND, INFREQUENT, 0.15625, 0.78125),
        (INFREQUENT, ON_DEMAND, 0.15625, 0.78125),
    ],
)
def test_the_price_of_a_copy_is_that_of_the_more_expensive_table(
    source: Mapping[str, Any], target: Mapping[str, Any], reads: float, writes: float
) -> None:
    """A verification reads both tables, and a budget in dollars has one price for a read."""
    planning = opened(described(source, target))
    plan = plans.copy_plan(planning.work_input, PAIR, planning.description, planning.target, planning.prices)
    price = plan.prices.read_units.dollars_per_million, plan.prices.write_units.dollars_per_million
    assert price == (reads, writes)


@pytest.mark.parametrize(
    "changed", [{"target": "arn:other"}, {"stream": "arn:other"}, {"templates": {}}, {"separator": "keep"}]
)
def test_a_copy_is_not_resumed_after_its_pair_was_changed(changed: dict[str, Any]) -> None:
    with refused(TableError, "resume", "copy-1", rule="another target, stream or set"):
        resumed(replace(copy_plan().replica, **changed), TARGET)


def test_a_copy_is_not_resumed_into_a_new_table_that_was_created_again() -> None:
    with refused(TableError, 'resume is "copy-1"; what that copy writes', rule="no longer exists"):
        resumed(copy_plan().replica, replace(TARGET, table_id="another"))
