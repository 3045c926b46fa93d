"""The job as a user has it: deployed by the CDK, on an AWS account of this machine."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from local import cdk
from local import table as tables
from local.checkout import ACCOUNT, BUILD, REGION
from local.dynalite import dynalite
from local.embedded import Embedded
from local.execution import execute
from local.ministack import ministack
from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition

if TYPE_CHECKING:
    from tests.engines.e2e.streams import Streams

PAGES_PER_BATCH = 4
RECEIVER = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:receiver"
QUEUE = f"arn:aws:sqs:{REGION}:{ACCOUNT}:keys"


@dataclass
class Deployment:
    """A deployed stack, and the account it is in."""

    account: Embedded
    outputs: Mapping[str, str]

    def load(self, definition: TableDefinition, items: Iterable[Item] = ()) -> None:
        """Create a table and put the items into it."""
        tables.create(self.account.dynamodb, **definition.request())
        for item in items:
            self.account.dynamodb.put_item(TableName=definition.name, Item=dict(item))

    def run(self, name: str | None = None, **document: Any) -> dict[str, Any]:
        """Return the output of an execution; raise `ExecutionError` with its error and cause."""
        name = name or f"e2e-{uuid4().hex[:8]}"
        return dict(execute(self.account.stepfunctions, self.outputs["StateMachineArn"], document, name=name))

    def act(self, run: str, **document: Any) -> dict[str, Any]:
        """Return the output of a job over a run of table Marked, which writes by default; raise `ExecutionError`."""
        machine, name = self.outputs["ActStateMachineArn"], f"job-{uuid4().hex[:8]}"
        # The engine knows no point-in-time recovery.
        asked = {"table": "Marked", "run": run, "dry_run": False, "without_recovery": True, **document}
        return dict(execute(self.account.stepfunctions, machine, asked, name=name))

    def manifest(self, output: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.read(output["manifest"].removeprefix("s3://").partition("/")[2]))
        return found

    def keys(self, output: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the keys in the manifest's parts; numbers as their text."""
        lines = b"".join(self.read(part["name"]) for part in self.manifest(output)["parts"]).splitlines()
        return [json.loads(line, parse_int=str, parse_float=str) for line in lines]

    def read(self, name: str) -> bytes:
        return self.account.s3.get_object(Bucket=self.outputs["BucketName"], Key=name)["Body"].read()


@pytest.fixture(scope="session")
def embedded_account() -> Iterable[Embedded]:
    """An account whose state machines wait a hundredth of their time."""
    with dynalite() as engine, ministack(dynamodb=engine, SFN_WAIT_SCALE="0.01") as endpoint:
        yield Embedded(endpoint, engine)


@pytest.fixture(scope="session")
def deployment(embedded_account: Embedded) -> Deployment:
    """The environment `e2e`, whose batches are so short that the loop turns many times."""
    environment = {
        "account": ACCOUNT,
        "region": REGION,
        "tables": ["Orders", "Marked", "Audit", "Scheduled"],
        "writing": {
            "Marked": {"act": True, "targets": [RECEIVER, QUEUE]},
            "Audit": {"retrofit": True},
        },
        "limits": {"batch_pages": PAGES_PER_BATCH},
        "schedules": {
            "nightly": {"expression": "cron(0 3 * * ? *)", "input": {"table": "Orders"}, "late_after_hours": 26},
        },
    }
    with TemporaryDirectory(dir=BUILD, prefix="e2e-") as folder:
        cdk.write_app(Path(folder), {"e2e": environment})
        return Deployment(embedded_account, embedded_account.deploy("e2e", folder=Path(folder)))


@pytest.fixture(scope="session")
def streams() -> "Iterable[Streams]":
    """The environment `streams`, in an account of its own."""
    from tests.engines.e2e.streams import deployed_streams  # noqa: PLC0415 (it takes `Deployment` from here)

    with deployed_streams() as deployed:
        yield deployed
