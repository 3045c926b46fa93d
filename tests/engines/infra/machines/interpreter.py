"""The state machines as synth writes them, run by moto's interpreter of the states language; nothing waits.

MiniStack, which runs the deployed ones, is somebody else's reading of the same specification. A function is whatever
the test puts behind its state's name; a handler that raises is reported under its class's name, as Lambda does it.

This interpreter does one thing otherwise than Step Functions, which is put right here. A failed child of a
Distributed Map fails the Map Run (Step Functions, "Setting failure thresholds for Distributed Map states"); here the
execution ends with the child's error, which Step Functions shows of the child, and of the execution
States.ExceedToleratedFailureThreshold.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from moto.core.config import default_user_config

PARSER = "moto.stepfunctions.parser.asl.component"
ITERATION = f"{PARSER}.state.exec.state_map.iteration"
PARSED = "moto.stepfunctions.parser.asl.parse.asl_parser.AmazonStateLanguageParser"
END_SECONDS = 600

Function = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Ended:
    """An execution that has ended. `entered`: the names of its states, in their order; a Map's children have their own.

    `events`: how many its history has.
    """

    status: str
    output: Any
    error: str | None
    cause: str | None
    entered: tuple[str, ...]
    events: int


@dataclass
class Interpreter:
    """`functions`: by the name of their state. `calls`: these names, in the order of the invocations."""

    client: Any
    functions: Mapping[str, Function]
    calls: list[str] = field(default_factory=list)

    def run(self, definition: Mapping[str, Any], document: object, name: str = "run-1") -> Ended:
        """Return how an execution of the machine ended."""
        machine = self.client.create_state_machine(
            name=f"machine-{len(self.client.list_state_machines()['stateMachines'])}",
            definition=json.dumps(definition),
            roleArn="arn:aws:iam::123456789012:role/machine",
        )["stateMachineArn"]
        execution = self.client.start_execution(stateMachineArn=machine, name=name, input=json.dumps(document))
        arn = execution["executionArn"]
        deadline = time.monotonic() + END_SECONDS
        while (found := self.client.describe_execution(executionArn=arn))["status"] == "RUNNING":
            assert time.monotonic() < deadline, "the execution goes on and on"
            time.sleep(0.03)
        events = self.client.get_execution_history(executionArn=arn, maxResults=1000)["events"]
        output = json.loads(found["output"]) if found.get("output") else None
        entered = [event["stateEnteredEventDetails"]["name"] for event in events if "stateEnteredEventDetails" in event]
        ends = (found["status"], output, found.get("error"), found.get("cause"))
        return Ended(*ends, tuple(entered), len(events))

    def invoke(self, parameters: Mapping[str, Any], region: str, state_credentials: object) -> dict[str, Any]:
        """Return what a call of Lambda's Invoke answers."""
        state = parameters["FunctionName"].partition(":function:")[2].partition(":")[0]
        self.calls.append(state)
        try:
            answer, failed = self.functions[state](json.loads(parameters["Payload"])), {}
        except Exception as error:
            answer = {"errorType": type(error).__name__, "errorMessage": str(error)}
            failed = {"FunctionError": "Unhandled"}
        return {"StatusCode": 200, "Payload": json.loads(json.dumps(answer)), **failed}


def _wait(_: float) -> None:
    time.sleep(0.001)  # the others continue meanwhile


@contextmanager
def interpreter(client: Any, functions: Mapping[str, Function]) -> Iterator[Interpreter]:
    """Have moto interpret definitions; inside `mock_aws`. `client`: of Step Functions."""
    made = Interpreter(client, functions)
    _parse()  # before another takes its place
    worker = f"{ITERATION}.itemprocessor.distributed_item_processor_worker.DistributedItemProcessorWorker"
    with (
        patch.dict(default_user_config, {"stepfunctions": {"execute_state_machine": True}}),
        patch(f"{PARSER}.state.exec.state_task.lambda_eval_utils._invoke_lambda_function", made.invoke),
        patch(f"{PARSER}.common.retry.retrier_decl.time", SimpleNamespace(sleep=_wait)),
        patch(f"{PARSED}.parse", _parsed),
        patch(f"{worker}._eval_job", _evaluated(resolve_name(f"{worker}._eval_job"))),
    ):
        yield made


@cache
def _parse() -> Callable[[str], Any]:
    """Return moto's parser unchanged; its import takes seconds, so only callers that parse import it."""
    parse: Callable[[str], Any] = resolve_name(f"{PARSED}.parse")
    return parse


@cache
def _parsed(definition: str) -> Any:
    """Return what moto's parser makes of a definition, which takes it a second; nothing of an execution is in it."""
    return _parse()(definition)


def _evaluated(evaluate: Callable[..., None]) -> Callable[..., None]:
    """Return what evaluates one child of a Map and lets it fail the Map, as a child of an inline Map does."""

    def evaluated(worker: Any, env: Any, job: Any) -> None:
        evaluate(worker, env, job)
        if error := getattr(env.program_state(), "error", None):
            name = resolve_name(f"{PARSER}.common.error_name.custom_error_name.CustomErrorName")(error["error"])
            failure = resolve_name(f"{PARSER}.common.error_name.failure_event")
            details = {"executionFailedEventDetails": error}
            kind = "ExecutionFailed"
            job.job_output = failure.FailureEventException(failure.FailureEvent(env, name, kind, details))

    return evaluated
