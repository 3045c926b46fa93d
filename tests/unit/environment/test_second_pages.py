"""Every list of AWS may have a second page, and what matters may be on it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.copy import planning as copy_target
from skipscan.copy.cut_over_requests import Switch
from skipscan.copy.replica import Replica
from skipscan.dynamodb.table_description import TableDescription
from skipscan.environment.executions import Executions, environment_names
from tests.fakes.pages import paged
from tests.fakes.stack_statuses import stack_statuses

MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev"
EXECUTION = MACHINE.replace(":stateMachine:", ":execution:")
ORDERS = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"
STREAM, FUNCTION = f"{ORDERS}/stream/1", "arn:aws:lambda:us-east-1:000000000000:function:replicator"
QUEUE = "arn:aws:sqs:us-east-1:000000000000:late"
MAPPINGS = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(2)]


def described(asked: Mapping[str, Any]) -> dict[str, Any]:
    arn = asked["executionArn"]
    name = arn.rpartition(":")[2]
    table = {"of-other": "Other", "of-verify": "skipscan-verify-dev-run"}.get(name, "Orders")
    return {
        **{"name": name, "executionArn": arn, "status": "RUNNING"},
        **{"startDate": datetime(2026, 1, 1, tzinfo=UTC), "input": f'{{"table": "{table}"}}'},
    }


LISTED: list[Mapping[str, Any]] = []
"""What was asked for the executions' names."""


@pytest.fixture
def executions() -> Executions:
    names = ("of-other", "of-verify", "of-orders-1", "of-orders-2", "of-orders-3")

    def listed(asked: Mapping[str, Any]) -> dict[str, Any]:
        LISTED.append(asked)
        return {"executions": [{"executionArn": f"{EXECUTION}:{name}"} for name in names]}

    LISTED.clear()
    return Executions(paged("stepfunctions", list_executions=listed, describe_execution=described), MACHINE)


def test_a_running_execution_is_found_on_any_page(executions: Executions) -> None:
    assert [one.name for one in executions.running(ORDERS)] == ["of-orders-1", "of-orders-2", "of-orders-3"]
    assert LISTED[0] == {"stateMachineArn": MACHINE, "statusFilter": "RUNNING"}


def test_the_newest_executions_are_collected_over_pages_until_there_are_enough(executions: Executions) -> None:
    assert [one.name for one in executions.latest(3)] == ["of-other", "of-orders-1"]
    assert LISTED[0] == {"stateMachineArn": MACHINE, "maxResults": 3}


def test_every_event_source_mapping_of_a_replicator_is_switched_off() -> None:
    switched: list[Mapping[str, Any]] = []

    def listed(asked: Mapping[str, Any]) -> dict[str, Any]:
        mappings = [
            {"UUID": mapping, "State": "Enabled", "FunctionArn": FUNCTION, "EventSourceArn": source}
            for mapping, source in zip(MAPPINGS, (STREAM, QUEUE), strict=True)
        ]
        return {
            "EventSourceMappings": [
                one
                for one in mappings
                if one["EventSourceArn"] == asked.get("EventSourceArn", one["EventSourceArn"])
                and asked.get("FunctionName", FUNCTION) == FUNCTION
            ]
        }

    def switch_off(asked: Mapping[str, Any]) -> dict[str, Any]:
        switched.append(asked)
        return {"UUID": asked["UUID"], "State": "Disabling"}

    client = paged("lambda", list_event_source_mappings=listed, update_event_source_mapping=switch_off)
    switch = Switch.find(client, Replica("Orders", "Orders-2", STREAM, "https://queue"), QUEUE)
    assert switch.states == dict.fromkeys(MAPPINGS, "Enabled")
    assert switch.turn_off() is False
    assert switched == [{"UUID": mapping, "Enabled": False} for mapping in MAPPINGS]


def test_an_environment_is_listed_from_any_page() -> None:
    statuses = stack_statuses()
    named = {f"skipscan-{number}": status for number, status in enumerate(statuses)}

    def listed(asked: Mapping[str, Any]) -> dict[str, Any]:
        stacks = [name for name, status in named.items() if status in asked["StackStatusFilter"]]
        return {"StackSummaries": [{"StackName": name} for name in ("other", "skipscan-", *stacks)]}

    found = {named[f"skipscan-{name}"] for name in environment_names(paged("cloudformation", list_stacks=listed))}
    gone = ("CREATE_IN_PROGRESS", "CREATE_FAILED", "ROLLBACK_", "DELETE_", "REVIEW_IN_PROGRESS")
    assert found == {status for status in statuses if not status.startswith(gone)}


@pytest.mark.parametrize(("identity", "is_own"), [("id-of-orders", True), ("id-of-another", False)])
def test_a_table_that_this_copy_created_is_known_by_its_tag_on_any_page(identity: str, *, is_own: bool) -> None:
    """AWS Config or a company's own tools may have tagged the table since."""
    enabled: list[str] = []
    table = {
        "TableName": "Orders-2",
        "TableArn": f"{ORDERS}-2",
        "TableId": "id-of-orders-2",
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    }
    source = {**table, "TableName": "Orders", "TableArn": ORDERS, "TableId": "id-of-orders"}

    def enable(asked: Mapping[str, Any]) -> dict[str, Any]:
        enabled.append(asked["TableName"])
        return {"ContinuousBackupsDescription": {}}

    client = paged(
        "dynamodb",
        describe_table=lambda _: {"Table": table},
        describe_continuous_backups=lambda _: {"ContinuousBackupsDescription": {}},
        update_continuous_backups=enable,
        list_tags_of_resource=lambda _: {
            "Tags": [{"Key": "Team", "Value": "data"}, {"Key": copy_target.COPY_OF, "Value": identity}]
        },
    )
    keys: Any = None
    description = TableDescription.from_json(source)
    found = copy_target.target_of(client, keys, description, "Orders-2", create=True, dry_run=False)
    assert (found.name, enabled) == ("Orders-2", ["Orders-2"] if is_own else [])
