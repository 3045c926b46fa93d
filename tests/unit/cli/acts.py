"""Acts of the environment dev, whose executions stay RUNNING until they are ended."""

import json
from dataclasses import dataclass
from typing import Any

import boto3
from moto.stepfunctions.models import stepfunctions_backends

from tests.fakes.handlers.acting import Acting
from tests.unit.cli.command import Done
from tests.unit.cli.place import Place
from tests.unit.handlers.conftest import acting  # noqa: F401  (a fixture)

MARKER = '{"item": {"order": {"N": "-1"}, "GSI-pk": "{customer}"}}'


def document(machine: str) -> dict[str, Any]:
    """Return the input of the newest execution of a machine."""
    sfn = boto3.client("stepfunctions")
    newest = sfn.list_executions(stateMachineArn=machine)["executions"][0]
    found: dict[str, Any] = json.loads(sfn.describe_execution(executionArn=newest["executionArn"])["input"])
    return found


@dataclass
class Acts:
    """The state machine of acts, whose executions stay RUNNING until they are ended. `run`: a finished run."""

    place: Place
    acting: Acting
    run: str

    def planned(self, name: str) -> dict[str, Any]:
        [execution] = [
            one
            for machine in stepfunctions_backends["123456789012"]["us-east-1"].state_machines
            for one in machine.executions
            if one.name == name
        ]
        began = self.place.sfn.describe_execution(executionArn=execution.execution_arn)["startDate"].isoformat()
        return self.acting.planned(json.loads(str(execution.execution_input)), name, began)

    def work_a_batch(self, name: str) -> None:
        """Do Plan and the first batch of the first worker."""
        self.acting.turn(self.planned(name), 0, None)

    def complete(self, name: str) -> dict[str, Any]:
        """Do what the state machine does, to its end."""
        planned = self.planned(name)
        if "error" in planned:
            self.place.end(name, planned["error"], planned["cause"], planned["refusal"])
            return planned
        done = self.acting.ended(planned)
        self.place.succeed(name, done)
        return done

    def start(self, name: str, *more: str) -> Done:
        """Return how `skipscan act` ended that was to put a marker for every key, for real."""
        asked = ["--put-item", MARKER, "--for-real", "--without-recovery", "--workers", "2", "--name", name]
        return self.place.skipscan("act", "Orders", self.run, *asked, *more)

    def markers(self) -> int:
        return sum("GSI-pk" in item for item in self.place.dynamodb.table("Orders").items())
