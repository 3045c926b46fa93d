"""The environment `dev` with a finished copy of Audit to Audit-2, an account in memory, and a clock without waiting."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from moto.stepfunctions.models import stepfunctions_backends

from skipscan import form
from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.copy.item import CopyCounts
from skipscan.copy.kind import COPY
from skipscan.copy.replica import Replica
from skipscan.environment import executions
from skipscan.loop.finish import manifest
from skipscan.loop.results import Results, Rows
from skipscan.loop.work import ExecutionId, Work
from tests.engines.iam.call import Call
from tests.fakes.handlers.execution import BUCKET
from tests.fakes.services import Stacks
from tests.fakes.small_table import copy_plan
from tests.simulation.world.clock import Clock
from tests.unit.cli.account import ACCOUNT, FUNCTION, REGION, STREAM, TABLE, URL, Account, Client
from tests.unit.cli.command import Done
from tests.unit.cli.place import DEFINITION, ROLE, Place

SWITCH_ON = (
    "aws lambda update-event-source-mapping --uuid 00000000-0000-4000-8000-00000000000[ab] --enabled --region us-east-1"
)

EQUAL = {"source_items": 5, "target_items": 5, "compared": 10}


@dataclass
class World:
    """The environment `dev` with a finished copy of Audit to Audit-2."""

    place: Place
    account: Account
    machine: str
    found: dict[str, int] = field(default_factory=lambda: dict(EQUAL))
    during: Callable[[], object] = lambda: None
    at_looks: Callable[[], object] = lambda: None

    def cut_over(self, *arguments: str) -> Done:
        return self.place.skipscan("copy", "compare", "Audit", "Audit-2", "--cut-over", *arguments)

    def sleep(self, seconds: float) -> None:
        """Wait, while a comparison that is at work comes to its end."""
        self.account.clock.sleep(seconds)
        self.at_looks()
        for execution in self.executions:
            if execution.status == "RUNNING" and json.loads(execution.execution_input).get("compare_only"):
                self.during()
                self.finish(execution.name, self.found, compare_only=True)
                execution.status = "SUCCEEDED"
        if self.account.interrupt == "sleep":
            self.account.interrupt = None
            raise KeyboardInterrupt

    def after(self, seconds: float, do: Callable[[], object]) -> None:
        """Do something at each look from then on."""
        self.at_looks = lambda: self.account.clock.monotonic() >= seconds and do()

    @property
    def executions(self) -> list[Any]:
        machines = stepfunctions_backends[ACCOUNT][REGION].state_machines
        return [one for machine in machines if machine.arn == self.machine for one in machine.executions]

    def finish(self, name: str, counts: Mapping[str, int], *, compare_only: bool = False) -> None:
        """Leave what a finished copy leaves on S3."""
        plan = copy_plan(verify=True, compare_only=compare_only)
        replica = Replica(TABLE, "Audit-2", STREAM, URL)
        plan = form.read(type(plan), {**form.write(plan), "replica": form.write(replica)})
        arn = f"{self.machine.replace(':stateMachine:', ':execution:')}:{name}"
        work = Work("copy", ExecutionId(name, arn, "2026-01-01T00:00:00+00:00"), plan)
        results = Results(Bucket(boto3.client("s3"), BUCKET), COPY.layout("skipscan", "Audit", name))
        results.put_plan(work.to_json())
        results.put_manifest(manifest(COPY, work, Rows(), CopyCounts(**counts), []))

    def start(self, name: str, **document: object) -> str:
        """Return the ARN of an execution for Audit that starts beside the command."""
        asked = json.dumps({"table": "Audit", "dry_run": False, **document})
        started = self.place.sfn.start_execution(stateMachineArn=self.machine, name=name, input=asked)
        return started["executionArn"]

    def needs(self) -> Iterator[Any]:
        for service, operation, asked in self.account.calls:
            name = "".join(map(str.capitalize, operation.split("_")))
            yield from Call("", service, name, {**asked, "FunctionArn": FUNCTION}, 200).needs(
                region=REGION, account=ACCOUNT
            )


@pytest.fixture
def world(place: Place, monkeypatch: pytest.MonkeyPatch) -> World:
    machine = place.sfn.create_state_machine(name="skipscan-dev-copy", definition=DEFINITION, roleArn=ROLE)
    outputs = {
        "StateMachineArn": place.machine,
        "BucketName": BUCKET,
        "CopyStateMachineArn": machine["stateMachineArn"],
    }
    monkeypatch.setattr(executions, "cloudformation_client", lambda _: Stacks("skipscan-dev", outputs))
    clock = Clock()
    account = Account(clock)
    monkeypatch.setattr(clients, "single", lambda _, service: Client(account, service))
    made = World(place, account, machine["stateMachineArn"])
    begun = datetime.now(UTC)
    monkeypatch.setattr("skipscan.cli.cut_over._now", lambda: begun + timedelta(seconds=clock.monotonic()))
    monkeypatch.setattr("skipscan.cli.cut_over.sleep", made.sleep)
    running, last_ended = executions.Executions.running, executions.Executions.last_ended

    def asked_if_any_runs(of_machine: executions.Executions, table: str) -> list[Any]:
        """Ask only if any runs: moto takes ten milliseconds to say that none does."""
        return running(of_machine, table) if any(one.status == "RUNNING" for one in made.executions) else []

    def asked_if_any(of_machine: executions.Executions, since: datetime, **besides: Any) -> datetime | None:
        return last_ended(of_machine, since, **besides) if made.executions else None

    monkeypatch.setattr(executions.Executions, "running", asked_if_any_runs)
    monkeypatch.setattr(executions.Executions, "last_ended", asked_if_any)
    made.finish("copy-1", {"items": 5, "copied": 5, **EQUAL})
    return made


def interrupt() -> None:
    """Press Ctrl-C."""
    raise KeyboardInterrupt
