"""A run that must not overlap is skipped while an earlier run with the same input is running."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from skipscan.listing.concurrency_requests import MOST_EARLIER
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import CONTEXT, Machine
from tests.fakes.pages import paged, refuse

EXECUTION = "arn:aws:states:us-east-1:000000000000:execution:skipscan-dev:{}"
MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev"
NIGHTLY = {"table": "Orders", "overlap": "skip"}
START = datetime(2026, 1, 1, tzinfo=UTC)


class RunningExecutions:
    """Step Functions with some executions that run: by name, when they started in seconds, and their input."""

    denied = False

    def __init__(self, **running: tuple[int, object]) -> None:
        self.running = running
        self.asked = 0

    def client(self) -> Any:
        return paged("stepfunctions", list_executions=self._listed, describe_execution=self._described)

    def _listed(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        assert (asked["stateMachineArn"], asked["statusFilter"]) == (MACHINE, "RUNNING")
        return {
            "executions": [
                {"executionArn": EXECUTION.format(name), "name": name, "startDate": START + timedelta(0, second)}
                for name, (second, _) in self.running.items()
            ]
        }

    def _described(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.asked += 1
        if self.denied:
            refuse("AccessDeniedException", "DescribeExecution")
        second, document = self.running[asked["executionArn"].rpartition(":")[2]]
        return {"startDate": START + timedelta(0, second), "input": json.dumps(document)}


@pytest.fixture(autouse=True)
def empty_orders(dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(TableDefinition("Orders", KeySchema.of(("id", "S"))))


def planned(listing: Machine, machine: RunningExecutions, document: object, name: str = "this") -> dict[str, Any]:
    listing.plan.stepfunctions = machine.client()
    event = {"input": document, "name": name, "execution": EXECUTION.format(name), "started": START.isoformat()}
    return dict(listing.plan.handler(event, CONTEXT))


def test_a_run_is_skipped_while_an_earlier_one_is_running_and_its_output_says_so(
    listing: Machine, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    output = planned(listing, RunningExecutions(last=(0, NIGHTLY), this=(60, NIGHTLY)), NIGHTLY)
    assert output == {"explanation": {"table": "Orders", "run": "this", "skipped": True, "earlier": "last"}}
    assert listing.objects() == []
    [metric] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "RunsSkipped" in line]
    assert (metric["RunsSkipped"], metric["run"]) == ([1.0], "this")
    assert [record.getMessage() for record in caplog.records] == ["run skipped"]


OTHER = {"table": "Other", "overlap": "skip"}
ALONE = RunningExecutions(this=(60, NIGHTLY))
AT_ONCE = RunningExecutions(one=(0, NIGHTLY), two=(0, NIGHTLY))
DENIED = RunningExecutions(last=(0, NIGHTLY), this=(60, NIGHTLY))
DENIED.denied = True
STARTED_BY = "AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID"
"""AWS links executions by this field of the input, and each night's has another parent."""
BY_ANOTHER = RunningExecutions(last=(0, {**NIGHTLY, STARTED_BY: "arn:1"}), this=(60, {**NIGHTLY, STARTED_BY: "arn:2"}))


@pytest.mark.parametrize(
    ("running", "document", "name", "earlier"),
    [
        pytest.param(BY_ANOTHER, {**NIGHTLY, STARTED_BY: "arn:2"}, "this", "last", id="of other executions"),
        pytest.param(
            *(RunningExecutions(first=(0, OTHER), last=(1, NIGHTLY), this=(60, NIGHTLY)), NIGHTLY, "this", "last"),
            id="on the second page",
        ),
        pytest.param(AT_ONCE, NIGHTLY, "one", None, id="the first of two at once"),
        pytest.param(AT_ONCE, NIGHTLY, "two", "one", id="the second of two at once"),
        pytest.param(ALONE, NIGHTLY, "this", None, id="alone"),
        pytest.param(
            *(RunningExecutions(last=(0, OTHER), this=(60, NIGHTLY)), NIGHTLY, "this", None), id="another input"
        ),
        pytest.param(
            *(RunningExecutions(later=(61, NIGHTLY), this=(60, NIGHTLY)), NIGHTLY, "this", None), id="a later one"
        ),
        pytest.param(DENIED, NIGHTLY, "this", None, id="no answer"),
        pytest.param(RunningExecutions(), {"table": "Orders"}, "this", None, id="nothing said"),
        pytest.param(RunningExecutions(), {"table": "Orders", "overlap": "allow"}, "this", None, id="allowed"),
    ],
)
def test_a_run_starts_unless_an_earlier_one_with_its_input_is_running(
    listing: Machine, running: RunningExecutions, document: dict[str, Any], name: str, earlier: str | None
) -> None:
    answer = planned(listing, running, document, name)
    assert answer.get("explanation", {}).get("earlier") == earlier
    assert ("work" in answer) == (earlier is None)


def test_only_so_many_earlier_executions_are_described_and_then_a_run_starts(
    listing: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    others = {f"other-{number}": (number, {"table": f"T-{number}"}) for number in range(MOST_EARLIER)}
    described = RunningExecutions(**others, last=(MOST_EARLIER, NIGHTLY), this=(500, NIGHTLY))
    assert "work" in planned(listing, described, NIGHTLY)
    assert described.asked == 1 + MOST_EARLIER
    assert caplog.records[0].getMessage() == "overlap not checked"
    del others["other-0"]
    fewer = RunningExecutions(**others, last=(MOST_EARLIER, NIGHTLY), this=(500, NIGHTLY))
    assert planned(listing, fewer, NIGHTLY, "this")["explanation"]["earlier"] == "last"
