"""Every list of AWS may have a second page, and what matters may be on it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.environment.executions import Executions, environment_names
from tests.fakes.pages import paged
from tests.fakes.stack_statuses import stack_statuses

MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev"
EXECUTION = MACHINE.replace(":stateMachine:", ":execution:")
ORDERS = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"


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


def test_an_environment_is_listed_from_any_page() -> None:
    statuses = stack_statuses()
    named = {f"skipscan-{number}": status for number, status in enumerate(statuses)}

    def listed(asked: Mapping[str, Any]) -> dict[str, Any]:
        stacks = [name for name, status in named.items() if status in asked["StackStatusFilter"]]
        return {"StackSummaries": [{"StackName": name} for name in ("other", "skipscan-", *stacks)]}

    found = {named[f"skipscan-{name}"] for name in environment_names(paged("cloudformation", list_stacks=listed))}
    gone = ("CREATE_IN_PROGRESS", "CREATE_FAILED", "ROLLBACK_", "DELETE_", "REVIEW_IN_PROGRESS")
    assert found == {status for status in statuses if not status.startswith(gone)}
