"""The retrofit's functions over dynalite, whose UpdateItem and conditions are real, and moto's S3."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError

from local import audit_table
from local.checkout import ACCESS_KEY, REGION
from skipscan.aws import clients
from tests.fakes.denied import Denied
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.handlers.loading import loaded
from tests.fakes.s3 import FakeS3

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NUMBERS = count(1)
STREAM = "arn:stream"


ARN = f"arn:aws:dynamodb:{REGION}:000000000000:table/"


class Engine:
    """dynalite's client with what dynalite lacks: streams, backups, and `more` of DescribeTable, such as replicas.

    `before` is called before each request. `consumed`: the units of each scan.
    """

    def __init__(self, client: DynamoDBClient) -> None:
        self.client = client
        self.recovery = "ENABLED"
        self.more: dict[str, Any] = {}
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.consumed: list[float] = []
        self.before: Any = None
        self.stream = STREAM

    def __getattr__(self, name: str) -> Any:
        if name not in ("scan", "get_item", "update_item"):
            return getattr(self.client, name)

        def call(**parameters: Any) -> Any:
            self.requests.append((name, parameters))
            if self.before:
                self.before(name, parameters)
            answer = getattr(self.client, name)(**parameters)
            if name == "scan":
                self.consumed.append(answer["ConsumedCapacity"]["CapacityUnits"])
            return answer

        return call

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        streamed = {"StreamSpecification": {"StreamEnabled": True}, "LatestStreamArn": self.stream}
        return {"Table": {**self.client.describe_table(**parameters)["Table"], **streamed, **self.more}}

    def describe_continuous_backups(self, **_: Any) -> dict[str, Any]:
        recovery = {"PointInTimeRecoveryStatus": self.recovery}
        return {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": recovery}}

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.requests]


@dataclass
class Audited:
    """An audit table, and the machine that retrofits it."""

    table: str
    engine: Engine
    job: Machine

    def load(self, count: int = 0, *more: dict[str, Any]) -> None:
        audit_table.load(self.engine.client, self.table, [*audit_table.items(count), *more])

    def retrofit(self, name: str = "retrofit-1", **document: Any) -> dict[str, Any]:
        """Return an execution's output; a job writes by default."""
        return self.job.run({"table": self.table, **(WRITING if "resume" not in document else {}), **document}, name)

    def when(self, *asked: str) -> list[str]:
        return audit_table.when(self.engine.client, self.table, *asked)

    def items(self) -> dict[str, dict[str, Any]]:
        pages = self.engine.client.get_paginator("scan").paginate(TableName=self.table)
        return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}

    def listed(self) -> list[dict[str, Any]]:
        names = self.job.objects("/failed/")
        return [json.loads(line) for name in names for line in self.job.read(name).splitlines()]


WRITING = {
    "set": {audit_table.ATTRIBUTE: audit_table.TEMPLATE},
    "dry_run": False,
    "segments": 6,
    "workers": 2,
}


@pytest.fixture(scope="module")
def job(dynalite: str) -> Iterator[Machine]:
    """The functions, loaded once for a module's tests, as a warm Lambda has them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": ACCESS_KEY,
            "AWS_DEFAULT_REGION": REGION,
            "POWERTOOLS_SERVICE_NAME": "skipscan",
            "SKIPSCAN_BUCKET": BUCKET,
            "SKIPSCAN_PREFIX": "skipscan",
            "SKIPSCAN_PLACE": "us-east-1:000000000000",
            "SKIPSCAN_BATCH_PAGES": "2",
            "SKIPSCAN_RETROFIT": "[]",
        }.items():
            patch.setenv(name, value)
        s3 = FakeS3(BUCKET)
        client = clients.dynamodb(
            boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION), connections=16, endpoint_url=dynalite
        )
        modules = [loaded(name, s3) for name in ("plan_retrofit", "retrofit", "finish_retrofit")]
        for module in modules:
            module.dynamodb.close()
            module.dynamodb = client  # type: ignore[attr-defined]
        modules[0].pricing = Denied()  # type: ignore[attr-defined]
        yield Machine(s3, *modules)
        client.close()


@pytest.fixture
def audited(job: Machine, shared_dynamodb: DynamoDBClient) -> Iterator[Audited]:
    table = f"Audit-{next(NUMBERS)}"
    audit_table.create(shared_dynamodb, table)
    plan: Any = job.plan
    worker: Any = job.worker
    finish: Any = job.finish
    client, enabled = plan.dynamodb, plan.enabled
    engine = Engine(client)
    plan.dynamodb = worker.dynamodb = finish.dynamodb = engine
    plan.enabled = [ARN + table]
    yield Audited(table, engine, job)
    plan.dynamodb = worker.dynamodb = finish.dynamodb = client
    plan.enabled = enabled
    for name in job.objects():
        job.s3.delete_object(Bucket=BUCKET, Key=name)


def error(code: str, **more: Any) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}, **more}, "UpdateItem")  # type: ignore[typeddict-item]
