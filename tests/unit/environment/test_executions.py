"""What is asked of Step Functions about the executions of a machine."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from skipscan.environment.executions import Executions

NOW = datetime(2026, 11, 1, tzinfo=UTC)
MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev-copy"


class Ended:
    """Step Functions with executions that ended so many seconds ago, or that run (`None`). `asked`: those described."""

    def __init__(self, *seconds: float | None) -> None:
        self._ago = {f"{MACHINE}:{number}": ago for number, ago in enumerate(seconds)}
        self.asked: list[str] = []
        self.exceptions = SimpleNamespace(ExecutionDoesNotExist=LookupError)

    def list_executions(self, **_: Any) -> dict[str, Any]:
        return {
            "executions": [
                {"executionArn": arn, **({} if ago is None else {"stopDate": NOW - timedelta(seconds=ago)})}
                for arn, ago in self._ago.items()
            ]
        }

    def describe_execution(self, *, executionArn: str) -> dict[str, Any]:  # noqa: N803 (theirs)
        self.asked.append(executionArn)
        found = {"name": executionArn[-1], "executionArn": executionArn, "status": "FAILED", "startDate": NOW}
        return {**found, "input": "{}"}


def last_ended(client: Any, *ignored: str) -> datetime | None:
    machine = Executions(client, MACHINE)
    return machine.last_ended(NOW - timedelta(minutes=10), besides=lambda one: one.name in ignored)


def test_the_last_one_that_ended_is_found_by_its_end_and_not_by_its_start() -> None:
    assert last_ended(Ended(200, None, 100, 300)) == NOW - timedelta(seconds=100)
    assert last_ended(Ended(200, None, 100, 300), "2") == NOW - timedelta(seconds=200)


def test_what_ended_longer_ago_is_neither_found_nor_described() -> None:
    client = Ended(*[100 * minutes for minutes in range(10)])
    assert last_ended(client, *"0123456789") is None
    assert client.asked == [f"{MACHINE}:{number}" for number in range(6)]
    assert last_ended(Ended(601, None)) is None


def test_workers_are_counted_in_every_state_in_which_they_can_be() -> None:
    counts = {"pending": 1, "running": 2, "succeeded": 3, "failed": 4, "timedOut": 5, "aborted": 6, "total": 21}
    client: Any = SimpleNamespace(
        list_map_runs=lambda **_: {"mapRuns": [{"mapRunArn": "run"}]},
        describe_map_run=lambda **_: {"executionCounts": counts},
    )
    execution: Any = SimpleNamespace(arn="arn")
    workers = Executions(client, MACHINE).workers(execution)
    assert workers is not None
    assert {**workers, "total": 21} == counts
