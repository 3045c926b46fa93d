"""The commands in this process, over the handlers' runs: moto's Step Functions, strict fakes of DynamoDB and S3."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws
from moto.stepfunctions.models import StateMachine, stepfunctions_backends

from skipscan.aws import answer
from skipscan.aws.function import Metrics
from skipscan.cli import follow
from skipscan.environment import executions
from skipscan.environment.status import Status
from skipscan.errors import SkipscanError
from skipscan.library.deployed import Deployed
from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import service_error
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.s3 import FakeS3
from tests.fakes.services import Stacks
from tests.unit.cli.command import Done, invoke
from tests.unit.handlers.conftest import SESSION, dynamodb, listing, s3  # noqa: F401  (fixtures)

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

DEFINITION = json.dumps({"StartAt": "End", "States": {"End": {"Type": "Pass", "End": True}}})
CUSTOMERS = sorted(f"c{number}" for number in range(12))
ROLE = "arn:aws:iam::123456789012:role/any"


@dataclass
class Place:
    """The environment `dev`: an execution stays RUNNING there until `end`, and works when `work` is called."""

    listing: Machine
    dynamodb: FakeDynamoDB
    sfn: "SFNClient"
    machine: str
    monkeypatch: pytest.MonkeyPatch
    slept: list[float] = field(default_factory=list)

    def skipscan(self, *arguments: str, env: str | None = "dev") -> Done:
        return invoke(*arguments, *(["--env", env] if env else []))

    def start(self, *arguments: str) -> str:
        """Return the name of a run that `skipscan run` has started."""
        done = self.skipscan("run", "Orders", *arguments)
        assert (done.status, done.stderr) == (0, "")
        return done.stdout.strip()

    def document(self, execution: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.sfn.describe_execution(executionArn=self.arn(execution))["input"])
        return found

    def began(self, execution: str) -> str:
        return self.sfn.describe_execution(executionArn=self.arn(execution))["startDate"].isoformat()

    def work(self, execution: str) -> dict[str, Any]:
        """Do what the state machine does, to its end."""
        return self.listing.ended(self._planned(execution))

    def work_a_batch(self, execution: str, worker: int = 0) -> Mapping[str, Any]:
        """Do Plan and the next batch of a worker."""
        return self.listing.turn(self._planned(execution), worker, None)

    def _planned(self, execution: str) -> dict[str, Any]:
        return self.listing.planned(self.document(execution), execution, self.began(execution), self.arn(execution))

    def fail_a_batch(self, execution: str, code: str, message: str = "", worker: int = 0) -> None:
        """Let every Scan of a worker's next batch be refused."""

        def refuse(**_: Any) -> Any:
            raise service_error(code, message, "Scan")

        with self.monkeypatch.context() as during:
            during.setattr(self.dynamodb, "scan", refuse)
            with pytest.raises(SkipscanError):
                self.work_a_batch(execution, worker)

    def status_of(self, execution: str) -> Status:
        return Deployed("dev", "Orders", boto3.Session()).watch(execution).look()

    def end(
        self, execution: str, error: str = "Stopped", cause: str = "", refusal: Mapping[str, Any] | None = None
    ) -> None:
        """`refusal`: what a state returned beside error and cause, and the state Fail was entered with."""
        [stopped] = [one for machine in _machines() for one in machine.executions if one.name == execution]
        self.sfn.stop_execution(executionArn=stopped.execution_arn)
        stopped.error, stopped.cause = error, cause  # which moto forgets
        stopped.output = json.dumps({"Error": error, "Cause": cause})  # as MiniStack does, and AWS does not
        entered = {"input": json.dumps({"error": error, "cause": cause, "refusal": refusal})}
        stopped.get_execution_history = lambda role: [{"id": 8, "stateEnteredEventDetails": entered}]

    def succeed(self, execution: str, output: Mapping[str, Any]) -> None:
        """Let an execution end well, with an output."""
        self.end(execution)
        [ended] = [one for machine in _machines() for one in machine.executions if one.name == execution]
        ended.status, ended.error, ended.cause, ended.output = "SUCCEEDED", None, None, json.dumps(output)

    def complete(self, execution: str) -> None:
        """Let a run come to its end."""
        self.work(execution)
        self.end(execution)

    def meanwhile(self, *steps: Callable[[], object]) -> None:
        """Let these happen, one at a time, while a command that follows a run waits for its next look."""
        waiting = iter(steps)
        self.monkeypatch.setattr(follow, "sleep", lambda _: next(waiting)())

    def finished(self, *arguments: str) -> str:
        """Return the name of a run that was started and is finished."""
        run = self.start(*arguments)
        self.complete(run)
        return run

    def running(self) -> list[str]:
        """Return the names of the executions that have not ended."""
        found = self.sfn.list_executions(stateMachineArn=self.machine, statusFilter="RUNNING")["executions"]
        return [one["name"] for one in found]

    def arn(self, execution: str) -> str:
        return f"{self.machine.replace(':stateMachine:', ':execution:')}:{execution}"

    def put(self, *customers: str) -> None:
        for customer in customers:
            for number in range(3):
                self.dynamodb.table("Orders").put(item(customer, number))

    def remove(self, customer: str) -> None:
        for number in range(3):
            self.dynamodb.table("Orders").delete(item(customer, number))


def _machines() -> list[StateMachine]:
    machines: list[StateMachine] = stepfunctions_backends["123456789012"]["us-east-1"].state_machines
    return machines


def item(customer: str, number: int) -> Item:
    return {"customer": {"S": customer}, "order": {"N": str(number)}, "body": {"B": bytes(2000)}}


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions' metrics are not the command's stdout; a function takes hold of its own when it is loaded."""
    monkeypatch.setattr(Metrics, "emit", lambda *_, **__: None)


class Session:
    """boto3's session, but for S3."""

    s3: FakeS3

    def __init__(self, **_: object) -> None:
        pass

    def client(self, service: str, **asked: Any) -> Any:
        return self.s3 if service == "s3" else SESSION.client(service, **asked)

    def __getattr__(self, name: str) -> Any:
        return getattr(SESSION, name)


def exists(table: str) -> None:
    """Let a table exist for what asks only that."""
    SESSION.client("dynamodb").create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )


@pytest.fixture
def place(listing: Machine, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:  # noqa: F811
    monkeypatch.setitem(answer.ALWAYS["stepfunctions"], "ListMapRuns", ())  # moto leaves an empty list out
    with mock_aws():
        yield _placed(listing, dynamodb, monkeypatch)


def _placed(listing: Machine, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch) -> Place:  # noqa: F811
    sfn = SESSION.client("stepfunctions")
    machine = sfn.create_state_machine(name="skipscan-dev", definition=DEFINITION, roleArn=ROLE)["stateMachineArn"]
    outputs = {"StateMachineArn": machine, "BucketName": BUCKET}
    # A class, because a command imports modules when it runs, which annotate with `boto3.Session | None`.
    monkeypatch.setattr(Session, "s3", listing.s3, raising=False)
    monkeypatch.setattr(boto3, "Session", Session)
    monkeypatch.setattr(executions, "cloudformation_client", lambda _: Stacks("skipscan-dev", outputs))
    schema = KeySchema.of(("customer", "S"), ("order", "N"))
    exists("Orders")
    dynamodb.add(TableDefinition("Orders", schema, account=machine.split(":")[4]))
    made = Place(listing, dynamodb, sfn, machine, monkeypatch)
    made.put(*(f"c{number}" for number in range(12)))
    monkeypatch.setattr(follow, "sleep", made.slept.append)
    return made
