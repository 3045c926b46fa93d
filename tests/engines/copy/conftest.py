"""The copy's functions over dynalite, whose puts and conditions are real, moto's S3, and a queue in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from local import audit_table
from local.checkout import ACCESS_KEY, REGION
from skipscan.aws import clients
from tests.fakes.denied import Denied
from tests.fakes.handlers.execution import BUCKET, CONTEXT, Machine, through_json
from tests.fakes.handlers.loading import loaded
from tests.fakes.mappings import Mappings
from tests.fakes.s3 import FakeS3

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NUMBERS = count(1)
QUEUE = "https://queue"
STREAM = "arn:aws:dynamodb:us-east-1:000000000000:table/{}/stream/{}"
CREATED = "2026-01-01T00:00:00.000"
WRITING = {"dry_run": False, "segments": 6, "workers": 2}


class CopyMachine(Machine):
    """The state machine Copy."""

    def explained(self, **document: Any) -> dict[str, Any]:
        """Return what a dry run says."""
        explanation: dict[str, Any] = self.planned(document)["explanation"]
        return explanation


class Queue:
    """SQS, as far as a queue takes messages. `sent`: bodies and their delays."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, int]] = []

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 (theirs)
        assert QueueUrl == QUEUE
        assert len(Entries) <= 10
        self.sent += [(entry["MessageBody"], entry["DelaySeconds"]) for entry in Entries]
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

    def close(self) -> None: ...


class Engine:
    """dynalite's client with the parts that dynalite lacks: streams, tags and backups.

    `before`: called before requests. `created`: when the tables' streams were. `streamless`: tables without a stream.
    `vectors`: the vector indexes of tables.
    """

    def __init__(self, client: DynamoDBClient) -> None:
        self.client = client
        self.recovery = "ENABLED"
        self.has_stream = True
        self.streamless: set[str] = set()
        self.created = CREATED
        self.vectors: dict[str, list[str]] = {}
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.before: Any = None
        self.tags: list[dict[str, str]] = []
        self.unavailable = 0  # so often recovery cannot be set yet

    def __getattr__(self, name: str) -> Any:
        if name not in ("scan", "get_item", "put_item", "delete_item", "create_table"):
            return getattr(self.client, name)

        def call(**parameters: Any) -> Any:
            self.requests.append((name, parameters))
            if self.before:
                self.before(name, parameters)
            if name == "create_table":
                self.tags = parameters.pop("Tags", [])
            return getattr(self.client, name)(**parameters)

        return call

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        table: dict[str, Any] = {**self.client.describe_table(**parameters)["Table"]}
        if self.has_stream and table["TableName"] not in self.streamless:
            table |= {
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
                "LatestStreamArn": STREAM.format(table["TableName"], self.created),
            }
        if names := self.vectors.get(table["TableName"]):
            table["VectorIndexes"] = [{"IndexName": name, "IndexStatus": "ACTIVE"} for name in names]
        return {"Table": table}

    def get_paginator(self, operation: str) -> Any:
        """Of tables' tags; the first page has none."""
        assert operation == "list_tags_of_resource"
        return SimpleNamespace(paginate=lambda **_: iter([{"Tags": []}, {"Tags": self.tags}]))

    def describe_continuous_backups(self, **_: Any) -> dict[str, Any]:
        recovery = {"PointInTimeRecoveryStatus": self.recovery}
        return {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": recovery}}

    def update_continuous_backups(self, **_: Any) -> None:
        """API reference, UpdateContinuousBackups: refused while backups of a new table are being enabled."""
        if self.unavailable:
            self.unavailable -= 1
            code = "ContinuousBackupsUnavailableException"
            raise self.client.exceptions.ContinuousBackupsUnavailableException(
                {"Error": {"Code": code, "Message": "Backups are being enabled for the table"}},
                "UpdateContinuousBackups",
            )
        self.recovery = "ENABLED"


@dataclass
class Copied:
    """An audit table, the table it is copied to, and the machine that does it."""

    table: str
    to: str
    engine: Engine
    queue: Queue
    job: CopyMachine
    replicator: Any
    mappings: Mappings
    handled: int = field(default=0)

    def copy(self, name: str = "copy-1", **document: Any) -> dict[str, Any]:
        """Return an execution's output; a job writes by default."""
        writing = WRITING if "resume" not in document else {}
        return self.job.run({"table": self.table, "to": self.to, **writing, **document}, name)

    def load(self, count: int = 0, *more: dict[str, Any]) -> None:
        audit_table.load(self.engine.client, self.table, [*audit_table.items(count), *more])

    def items(self, table: str) -> dict[str, dict[str, Any]]:
        pages = self.engine.client.get_paginator("scan").paginate(TableName=table)
        return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}

    @property
    def source(self) -> dict[str, dict[str, Any]]:
        return self.items(self.table)

    @property
    def target(self) -> dict[str, dict[str, Any]]:
        return self.items(self.to)

    @property
    def wanted(self) -> dict[str, dict[str, Any]]:
        return {id_: with_attribute(item) for id_, item in self.source.items()}

    def follow(self, *ids: str) -> dict[str, Any]:
        """Bring the records of changes to the replicator."""
        records = [
            {"eventSource": "aws:dynamodb", "dynamodb": {"Keys": {"id": {"S": id_}}, "SequenceNumber": str(number)}}
            for number, id_ in enumerate(ids)
        ]
        return through_json(self.replicator.handler({"Records": records}, CONTEXT))

    def look_again(self) -> dict[str, Any]:
        """Deliver the messages of the queue that were not delivered yet."""
        sent, self.handled = self.queue.sent[self.handled :], len(self.queue.sent)
        messages = [{"messageId": f"m{n}", "body": body} for n, (body, _) in enumerate(sent)]
        return through_json(self.replicator.handler({"Records": messages}, CONTEXT)) if messages else {}

    def listed(self) -> list[dict[str, Any]]:
        names = self.job.objects("/failed/")
        return [json.loads(line) for name in names for line in self.job.read(name).splitlines()]


def with_attribute(item: dict[str, Any]) -> dict[str, Any]:
    made = "-".join(item[name]["S"] for name in ("resourceId", "action", "accessedBy"))
    return {**item, audit_table.ATTRIBUTE: {"S": made}}


@pytest.fixture(scope="module")
def machine(dynalite: str) -> Iterator[tuple[CopyMachine, Any]]:
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
            "SKIPSCAN_REPLICAS": "[]",
            "SKIPSCAN_MAPPINGS": "[]",
        }.items():
            patch.setenv(name, value)
        s3 = FakeS3(BUCKET)
        client = clients.dynamodb(
            boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION), connections=16, endpoint_url=dynalite
        )
        plan, page, finish = (loaded(name, s3) for name in ("plan_copy", "copy_page", "finish_copy"))
        replicator = loaded("replicator")
        for module in (plan, page, finish, replicator):
            module.dynamodb.close()
        for module in (page, replicator):
            module.sqs.close()
        plan.lambda_.close()
        plan.pricing = Denied()  # type: ignore[attr-defined]
        plan.dynamodb = client  # type: ignore[attr-defined]
        yield CopyMachine(s3, plan, page, finish), replicator
        client.close()


@pytest.fixture
def copied(
    machine: tuple[CopyMachine, Any], shared_dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Copied]:
    job, replicator = machine
    number = next(NUMBERS)
    table, to = f"Copied-{number}", f"Copied-{number}-new"
    audit_table.create(shared_dynamodb, table)
    audit_table.create(shared_dynamodb, to)
    plan: Any = job.plan
    page: Any = job.worker
    finish: Any = job.finish
    engine, queue = Engine(plan.dynamodb), Queue()
    engine.streamless.add(to)
    replica = {
        "source": table,
        "target": to,
        "stream": STREAM.format(table, CREATED),
        "queue": QUEUE,
        "templates": {audit_table.ATTRIBUTE: audit_table.TEMPLATE},
    }
    for module in (plan, page, finish, replicator):
        monkeypatch.setattr(module, "dynamodb", engine)
    for module in (page, replicator):
        monkeypatch.setattr(module, "sqs", queue, raising=False)
    monkeypatch.setattr(plan, "replicas", [replica])
    mappings = Mappings("Enabled", "Enabled")
    monkeypatch.setattr(plan, "lambda_", mappings)
    monkeypatch.setattr(plan, "mappings", {table: [*mappings.states]})
    monkeypatch.setenv("SKIPSCAN_REPLICA", json.dumps(replica))
    yield Copied(table, to, engine, queue, job, replicator, mappings)
    for name in job.objects():
        job.s3.delete_object(Bucket=BUCKET, Key=name)
