"""The job as a user has it: deployed by the CDK, on an AWS account of this machine."""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest

from local.checkout import ACCOUNT, BUILD, REGION, ROOT
from local.embedded import Embedded
from local.execution import execute
from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition

PAGES_PER_BATCH = 4


@dataclass
class Deployment:
    """A deployed stack, and the account it is in."""

    account: Embedded
    outputs: Mapping[str, str]

    def load(self, definition: TableDefinition, items: Iterable[Item] = ()) -> None:
        """Create a table and put the items into it."""
        self.account.dynamodb.create_table(**definition.request())
        self.account.dynamodb.get_waiter("table_exists").wait(TableName=definition.name)
        for item in items:
            self.account.dynamodb.put_item(TableName=definition.name, Item=dict(item))

    def run(self, **document: Any) -> dict[str, Any]:
        """Return the output of an execution; raise `ExecutionError` with its error and cause."""
        name = f"e2e-{uuid4().hex[:8]}"
        return dict(execute(self.account.stepfunctions, self.outputs["StateMachineArn"], document, name=name))

    def manifest(self, output: Mapping[str, Any]) -> dict[str, Any]:
        bucket, _, name = output["manifest"].removeprefix("s3://").partition("/")
        found: dict[str, Any] = json.loads(self._read(bucket, name))
        return found

    def keys(self, output: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the keys in the manifest's parts; numbers as their text."""
        bucket = output["manifest"].removeprefix("s3://").partition("/")[0]
        lines = b"".join(self._read(bucket, part["name"]) for part in self.manifest(output)["parts"]).splitlines()
        return [json.loads(line, parse_int=str, parse_float=str) for line in lines]

    def _read(self, bucket: str, name: str) -> bytes:
        return self.account.s3.get_object(Bucket=bucket, Key=name)["Body"].read()


@pytest.fixture(scope="session")
def deployment(embedded: Embedded) -> Iterable[Deployment]:
    """The environment `e2e`, whose batches are so short that the loop turns many times."""
    environment = {
        "account": ACCOUNT,
        "region": REGION,
        "tables": ["Orders"],
        "limits": {"batch_pages": PAGES_PER_BATCH},
        "schedules": {"nightly": {"expression": "cron(0 3 * * ? *)", "input": {"table": "Orders"}}},
    }
    settings = json.loads((ROOT / "cdk.json").read_text())
    settings["app"] = f"{sys.executable} {ROOT / 'app.py'}"
    settings["context"]["environments"] = {"e2e": environment}
    with TemporaryDirectory(dir=BUILD, prefix="e2e-") as folder:
        Path(folder, "cdk.json").write_text(json.dumps(settings))
        yield Deployment(embedded, embedded.deploy("e2e", folder=Path(folder)))
