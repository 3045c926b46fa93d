"""What is asked of Step Functions about the executions of a machine."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.environment.executions import Deployment, Executions, environment_names, find_deployment
from skipscan.environment.status import Execution
from skipscan.errors import InputError, NotFoundError
from tests.fakes.faulty import faulty
from tests.fakes.services import Stacks
from tests.refusal import refused

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


ORDERS = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"
EXECUTION = Execution("monday", f"{MACHINE}:monday".replace("stateMachine", "execution"), "RUNNING", NOW, {})


class Recording:
    """Step Functions with executions by name. `asked`: every call's name and parameters."""

    def __init__(self, **executions: Mapping[str, Any]) -> None:
        self.executions = {
            EXECUTION.arn.replace("monday", name.replace("_", "-")): {
                **{"name": name.replace("_", "-"), "status": "FAILED", "startDate": NOW, "input": "{}"},
                **one,
            }
            for name, one in executions.items()
        }
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.exceptions = SimpleNamespace(ExecutionDoesNotExist=LookupError, ExecutionAlreadyExists=FileExistsError)

    def __getattr__(self, name: str) -> Callable[..., Mapping[str, Any]]:
        def call(**parameters: Any) -> Mapping[str, Any]:
            self.asked.append((name, parameters))
            answer: Mapping[str, Any] = getattr(self, f"_{name}")(**parameters)
            return answer

        return call

    def _list_executions(self, **_: Any) -> Mapping[str, Any]:
        return {"executions": [{**one, "executionArn": arn} for arn, one in self.executions.items()]}

    def _describe_execution(self, *, executionArn: str) -> Mapping[str, Any]:  # noqa: N803 (theirs)
        if executionArn not in self.executions:
            raise LookupError
        return {**self.executions[executionArn], "executionArn": executionArn}

    def _start_execution(self, *, name: str, **_: Any) -> Mapping[str, Any]:
        if f"{EXECUTION.arn.removesuffix('monday')}{name}" in self.executions:
            raise FileExistsError
        return {"executionArn": EXECUTION.arn, "startDate": NOW}

    def _stop_execution(self, **_: Any) -> Mapping[str, Any]:
        return {}


def over(client: Recording) -> Executions:
    aws: Any = client
    return Executions(aws, MACHINE)


def test_a_started_execution_has_its_input_with_every_letter() -> None:
    client = Recording()
    begun = over(client).start("monday", {"table": "Größen"})
    assert begun == Execution("monday", EXECUTION.arn, "RUNNING", NOW, {"table": "Größen"})
    assert client.asked == [
        ("start_execution", {"stateMachineArn": MACHINE, "name": "monday", "input": '{"table": "Größen"}'})
    ]
    with refused(InputError, "the name", "tuesday", rule="exists", way="another name"):
        over(Recording(tuesday={})).start("tuesday", {})


@pytest.mark.parametrize(
    ("status", "output", "found"),
    [
        ("SUCCEEDED", '{"keys": 5}', {"keys": 5}),
        ("SUCCEEDED", "", None),
        ("FAILED", '{"Error": "a"}', None),
        ("RUNNING", None, None),
    ],
)
def test_an_execution_is_found_by_its_name_with_the_output_of_a_success(
    status: str, output: str | None, found: Any
) -> None:
    one = {"status": status, "input": '{"table": "Orders"}', "error": "BatchError", "cause": "no answer"}
    client = Recording(monday=one if output is None else {**one, "output": output})
    machine = over(client)
    assert machine.named("monday") == Execution(
        "monday", EXECUTION.arn, status, NOW, {"table": "Orders"}, "BatchError", "no answer", found
    )
    assert client.asked == [("describe_execution", {"executionArn": EXECUTION.arn})]
    assert machine.named("tuesday") is None


def test_those_that_ended_early_are_over_the_table_unknown_and_no_success() -> None:
    ours = {"input": '{"table": "Orders"}'}
    client = Recording(
        **{"failed": ours, "aborted": {**ours, "status": "ABORTED"}, "well": {**ours, "status": "SUCCEEDED"}},
        **{"under_way": {**ours, "status": "RUNNING"}, "other": {"input": '{"table": "Other"}'}, "known": ours},
        **{"resuming": {"input": '{"table": "Orders", "resume": "known"}'}, "elsewhere": {"input": '{"table": "a b"}'}},
    )
    assert [one.name for one in over(client).ended_early(ORDERS, {"known"})] == ["failed", "aborted"]
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "maxResults": 100})
    described = sorted(parameters["executionArn"].rpartition(":")[2] for _, parameters in client.asked[1:])
    assert described == ["aborted", "elsewhere", "failed", "other", "resuming"]


def test_the_last_execution_of_work_is_the_newest_that_resumed_it() -> None:
    later, resumes = NOW + timedelta(minutes=1), '{"table": "Orders", "resume": "monday"}'
    client = Recording(
        **{"of_other_table": {"startDate": later, "input": resumes.replace("Orders", "Other")}},
        **{"of_other_work": {"startDate": later, "input": '{"table": "Orders"}'}},
        **{"newest": {"startDate": later, "input": resumes}, "newer": {"startDate": later, "input": resumes}},
    )
    assert over(client).last(EXECUTION, ORDERS).name == "newest"
    assert client.asked[0] == ("list_executions", {"stateMachineArn": MACHINE, "maxResults": 100})
    assert len(client.asked) == 4
    none = Recording(earlier={"startDate": NOW, "input": resumes}, newer={"startDate": later, "input": resumes})
    assert over(none).last(EXECUTION, ORDERS) is EXECUTION
    assert len(none.asked) == 1


def deployment(
    outputs: Mapping[str, str] | None, environment: str = "dev", code: str = "ValidationError"
) -> Deployment:
    stacks = Stacks("skipscan-dev", outputs, "eu-west-1")
    refusals = [code] if code != "ValidationError" else []
    return find_deployment(faulty(stacks, {"describe_stacks": refusals}, "cloudformation"), environment)


def test_a_deployment_has_the_machines_that_its_stack_names() -> None:
    outputs = {"StateMachineArn": MACHINE, "BucketName": "results", "Other": "x"}
    assert deployment(outputs) == Deployment("dev", "results", {"run": MACHINE})
    found = deployment({**outputs, "ActStateMachineArn": "act", "CopyStateMachineArn": "copy"})
    assert found.machines == {"run": MACHINE, "act": "act", "copy": "copy"}


@pytest.mark.parametrize("outputs", [None, {}, {"StateMachineArn": MACHINE}, {"BucketName": "results"}])
def test_an_environment_without_its_stack_is_refused(outputs: Mapping[str, str] | None) -> None:
    with refused(NotFoundError, "env", "dev", rule="skipscan-dev in eu-west-1", way="skipscan deploy --table TABLE"):
        deployment(outputs)


@pytest.mark.parametrize("name", ["", "a_b", "a" * 25, "dev/"])
def test_a_name_that_no_environment_can_have_is_refused_without_a_call(name: str) -> None:
    with refused(InputError, "env", name, rule="1 to 24"):
        deployment(None, name, "AccessDenied")


def test_another_error_of_cloudformation_is_no_missing_stack() -> None:
    with pytest.raises(ClientError):
        deployment(None, code="AccessDenied")


def test_environments_are_found_among_the_newest_thousand_stacks() -> None:
    asked: list[Mapping[str, Any]] = []

    def paginate(**parameters: Any) -> Any:
        asked.append(parameters)
        names = ("skipscan-prod", "skipscan-dev", "my-skipscan-dev", "skipscan-a_b", "skipscan-")
        return [{"StackSummaries": [{"StackName": name} for name in names]}]

    client: Any = SimpleNamespace(get_paginator=lambda name: SimpleNamespace(paginate=paginate))
    assert environment_names(client) == ["dev", "prod"]
    assert asked[0]["PaginationConfig"] == {"MaxItems": 1000}
