"""Every list of AWS may have a second page, and what matters may be on it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.aws.cut_over import Switch
from skipscan.aws.deployment import environments
from skipscan.aws.executions import Executions
from skipscan.copy.replica import Replica

MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev"
EXECUTION = MACHINE.replace(":stateMachine:", ":execution:")
ORDERS = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"
STREAM, QUEUE, FUNCTION = f"{ORDERS}/stream/1", "arn:aws:sqs:us-east-1:000000000000:late", "replicator"


class Paged:
    """A client whose lists have one entry a page, and a first page without any."""

    def __init__(self, field: str, *entries: dict[str, Any]) -> None:
        self.field, self.entries = field, entries
        self.asked: list[dict[str, Any]] = []

    def get_paginator(self, operation: str) -> "Paged":
        return self

    def paginate(self, **asked: Any) -> Iterator[dict[str, Any]]:
        self.asked.append(asked)
        wanted = {name: value for name, value in asked.items() if name in {"FunctionName", "EventSourceArn"}}
        yield {self.field: []}
        for entry in self.entries:
            told = {**entry, "FunctionName": entry.get("FunctionArn")}
            if all(told.get(name) == value for name, value in wanted.items()):
                yield {self.field: [entry]}

    def describe_execution(self, *, executionArn: str) -> dict[str, Any]:  # noqa: N803 (theirs)
        name = executionArn.rpartition(":")[2]
        table = "Orders" if name.startswith("of-orders") else "Other"
        return {
            **{"name": name, "executionArn": executionArn, "status": "RUNNING"},
            **{"startDate": datetime(2026, 1, 1, tzinfo=UTC), "input": f'{{"table": "{table}"}}'},
        }


@pytest.fixture
def executions() -> Executions:
    names = ("of-other", "of-orders-1", "of-orders-2", "of-orders-3")
    client: Any = Paged("executions", *({"executionArn": f"{EXECUTION}:{name}"} for name in names))
    return Executions(client, MACHINE)


def test_a_running_execution_is_found_on_any_page(executions: Executions) -> None:
    assert [one.name for one in executions.running(ORDERS)] == ["of-orders-1", "of-orders-2", "of-orders-3"]


def test_every_event_source_mapping_of_a_replicator_is_switched_off() -> None:
    sources = (STREAM, QUEUE)
    mappings = [
        {"UUID": f"mapping-{number}", "State": "Enabled", "FunctionArn": FUNCTION, "EventSourceArn": source}
        for number, source in enumerate(sources)
    ]
    client: Any = Paged("EventSourceMappings", *mappings)
    client.switched = []
    client.update_event_source_mapping = lambda **asked: client.switched.append(asked)
    switch = Switch.find(client, Replica("Orders", "Orders-2", STREAM, "https://queue"), QUEUE)
    assert switch.states == {"mapping-0": "Enabled", "mapping-1": "Enabled"}
    assert switch.turn_off() is False
    assert client.switched == [{"UUID": f"mapping-{number}", "Enabled": False} for number in (0, 1)]


def test_an_environment_is_listed_from_any_page() -> None:
    client: Any = Paged("StackSummaries", {"StackName": "skipscan-dev"}, {"StackName": "skipscan-prod"})
    assert environments(client) == ["dev", "prod"]
