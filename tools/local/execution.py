"""One execution of a state machine, followed to its end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient


class ExecutionError(Exception):
    """An execution that did not succeed. The text has its status, error and cause."""


def execute(
    client: SFNClient,
    state_machine: str,
    document: Mapping[str, Any],
    *,
    name: str,
    on_poll: Callable[[str], object] = lambda status: None,
) -> Mapping[str, Any]:
    """The output of the execution `name` of the machine with the ARN `state_machine`, given `document` as input.

    `on_poll` hears the status several times a second, and the last one too.
    """
    arn = client.start_execution(stateMachineArn=state_machine, name=name, input=json.dumps(document))["executionArn"]
    while True:
        execution = client.describe_execution(executionArn=arn)
        on_poll(execution["status"])
        if execution["status"] != "RUNNING":
            break
        time.sleep(0.2)
    if execution["status"] != "SUCCEEDED":
        words = (execution["status"], execution.get("error", ""), execution.get("cause", ""))
        raise ExecutionError(": ".join(filter(None, words)))
    output: dict[str, Any] = json.loads(execution["output"])
    return output
