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

    def __init__(self, **running: tuple[int, object]) -> None:
        self.running = running
        self.denied = False
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
    listing.plan.stepfunctions = machine.client()  # type: ignore[attr-defined]
    event = {"input": document, "name": name, "execution": EXECUTION.format(name), "started": START.isoformat()}
    return dict(listing.plan.handler(event, CONTEXT))


def test_a_run_is_skipped_while_an_earlier_one_is_running_and_its_output_says_so(
    listing: Machine, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    output = planned(listing, RunningExecutions(last=(0, NIGHTLY), this=(60, NIGHTLY)), NIGHTLY)
    assert output == {"explanation": {"table": "Orders", "run": "this", "skipped": True, "earlier": "last"}}
    assert listing.objects() == []
    assert '"RunsSkipped":[1.0]' in capsys.readouterr().out
    assert [record.getMessage() for record in caplog.records] == ["run skipped"]


def test_runs_that_other_executions_started_have_the_same_input(listing: Machine) -> None:
    """AWS links them by a field of the input, and each has another parent."""
    inputs = [{**NIGHTLY, "AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID": f"arn:parent-{night}"} for night in range(2)]
    output = planned(listing, RunningExecutions(last=(0, inputs[0]), this=(60, inputs[1])), inputs[1])
    assert output["explanation"]["earlier"] == "last"


@pytest.mark.second_page("skipscan.listing.concurrency_requests:_earlier")
def test_a_run_is_skipped_for_an_earlier_one_on_the_second_page(listing: Machine) -> None:
    other = {"table": "Other", "overlap": "skip"}
    output = planned(listing, RunningExecutions(first=(0, other), last=(1, NIGHTLY), this=(60, NIGHTLY)), NIGHTLY)
    assert output["explanation"]["earlier"] == "last"


@pytest.mark.parametrize(
    "machine",
    [
        RunningExecutions(this=(60, NIGHTLY)),
        RunningExecutions(last=(0, {"table": "Other", "overlap": "skip"}), this=(60, NIGHTLY)),
        RunningExecutions(later=(61, NIGHTLY), this=(60, NIGHTLY)),
    ],
    ids=["alone", "another input", "a later one"],
)
def test_a_run_starts_where_no_earlier_one_with_its_input_is_running(
    listing: Machine, machine: RunningExecutions
) -> None:
    assert "work" in planned(listing, machine, NIGHTLY)


def test_of_two_that_start_at_once_one_starts(listing: Machine) -> None:
    machine = RunningExecutions(one=(0, NIGHTLY), two=(0, NIGHTLY))
    started = [name for name in ("one", "two") if "work" in planned(listing, machine, NIGHTLY, name)]
    assert started == ["one"]


def test_a_run_that_may_overlap_lists_no_executions(listing: Machine) -> None:
    machine = RunningExecutions()
    assert "work" in planned(listing, machine, {"table": "Orders"})
    assert "work" in planned(listing, machine, {"table": "Orders", "overlap": "allow"}, "other")


def test_a_run_starts_where_step_functions_does_not_answer(listing: Machine) -> None:
    machine = RunningExecutions(last=(0, NIGHTLY), this=(60, NIGHTLY))
    machine.denied = True
    assert "work" in planned(listing, machine, NIGHTLY)


def test_a_mistake_in_the_input_is_refused_and_not_skipped(listing: Machine) -> None:
    assert planned(listing, RunningExecutions(), {"table": "Orders", "overlap": "queue"})["error"] == "InputError"


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
