"""Copies and retrofits over dynalite, whose writes and conditions are real, moto's S3, and a queue in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

import boto3
import pytest

from local import audit_table
from local.checkout import ACCESS_KEY, REGION
from skipscan.aws import clients
from tests.engines.jobs.engine import CREATED, STREAM, Engine
from tests.fakes.handlers.execution import BUCKET, CONTEXT, Machine, through_json
from tests.fakes.handlers.loading import loaded
from tests.fakes.s3 import FakeS3
from tests.fakes.services import Denied, Mappings, Queue

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NUMBERS = count(1)
QUEUE = "https://queue"
WRITING = {"dry_run": False, "segments": 6, "workers": 2}
SET = {audit_table.ATTRIBUTE: audit_table.TEMPLATE}
VARIABLES = {
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
    "SKIPSCAN_RETROFIT": "[]",
}


def vectors(*names: str) -> dict[str, Any]:
    return {"VectorIndexes": [{"IndexName": name, "IndexStatus": "ACTIVE"} for name in names]}


@dataclass
class Job:
    """An audit table, and the machine of a kind of work over it.

    Counts of an output: `written`, `right` of what was there, `wrong` of what the verification found.
    """

    table: str
    engine: Engine
    job: Machine

    noun: ClassVar[str]
    request: ClassVar[str]
    written: ClassVar[str]
    right: ClassVar[tuple[str, ...]]
    wrong: ClassVar[str]

    @property
    def asked(self) -> dict[str, Any]:
        return {"table": self.table, "set": SET}

    @property
    def written_to(self) -> str:
        return self.table

    def run(self, name: str = "", **document: Any) -> dict[str, Any]:
        """Return an execution's output; a job writes by default."""
        asked = {**self.asked, **WRITING}
        if "resume" in document:  # of what is in its plan a resume asks for nothing
            asked = {field: asked[field] for field in ("table", "to") if field in asked}
        return self.job.run({**asked, **document}, name or f"{self.noun}-1")

    def explained(self, name: str = "run-1", **document: Any) -> dict[str, Any]:
        """Return what a dry run says."""
        return dict(self.job.planned({**self.asked, **document}, name)["explanation"])

    def load(self, count: int = 0, *more: dict[str, Any]) -> None:
        audit_table.load(self.engine.client, self.table, [*audit_table.items(count), *more])

    def items(self, table: str = "") -> dict[str, dict[str, Any]]:
        pages = self.engine.client.get_paginator("scan").paginate(TableName=table or self.table)
        return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}

    @property
    def expected(self) -> dict[str, dict[str, Any]]:
        return {id_: with_attribute(item) for id_, item in self.items().items()}

    def done(self) -> int:
        """Return how many items are as the job is to make them."""
        found, expected = self.items(self.written_to), self.expected
        return sum(found.get(id_) == item for id_, item in expected.items())

    def listed(self) -> list[dict[str, Any]]:
        names = self.job.objects("/failed/")
        return [json.loads(line) for name in names for line in self.job.read(name).splitlines()]


@dataclass
class Audited(Job):
    """A table that is retrofitted."""

    noun, request, written, right, wrong = "retrofit", "update_item", "written", ("right",), "wrong"

    def when(self, *asked: str) -> list[str]:
        return audit_table.when(self.engine.client, self.table, *asked)


@dataclass
class Copied(Job):
    """A table, and the one it is copied to."""

    to: str
    queue: Queue
    replicator: Any
    mappings: Mappings
    handled: int = field(default=0)

    noun, request, written, right, wrong = "copy", "put_item", "copied", ("present", "differing"), "different"

    @property
    def asked(self) -> dict[str, Any]:
        return {"table": self.table, "to": self.to}

    @property
    def written_to(self) -> str:
        return self.to

    @property
    def target(self) -> dict[str, dict[str, Any]]:
        return self.items(self.to)

    def follow(self, *ids: str) -> dict[str, Any]:
        """Bring the records of changes to the replicator."""
        records = [
            {"eventSource": "aws:dynamodb", "dynamodb": {"Keys": {"id": {"S": id_}}, "SequenceNumber": str(number)}}
            for number, id_ in enumerate(ids)
        ]
        return through_json(self.replicator.handler({"Records": records}, CONTEXT))

    def look_again(self) -> dict[str, Any]:
        """Deliver the messages of the queue that were not delivered yet."""
        sent, self.handled = self.queue.entries[self.handled :], len(self.queue.entries)
        messages = [{"messageId": f"m{n}", "body": entry["MessageBody"]} for n, entry in enumerate(sent)]
        return through_json(self.replicator.handler({"Records": messages}, CONTEXT)) if messages else {}


def with_attribute(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item with the attribute that is made of three others, if it has them."""
    sources = [item[name]["S"] for name in ("resourceId", "action", "accessedBy") if name in item]
    return {**item, audit_table.ATTRIBUTE: {"S": "-".join(sources)}} if len(sources) == 3 else item


@contextmanager
def machine_of(dynalite: str, *states: str) -> Iterator[Machine]:
    """Yield the functions, loaded once for a module's tests, as a warm Lambda has them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in VARIABLES.items():
            patch.setenv(name, value)
        s3 = FakeS3(BUCKET)
        session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
        client = clients.dynamodb(session, connections=16, endpoint_url=dynalite)
        modules: list[Any] = [loaded(name, s3) for name in states]
        for module in modules:
            module.dynamodb.close()
            module.dynamodb = client
        modules[0].pricing = Denied()
        yield Machine(s3, *modules)
        client.close()


@pytest.fixture(scope="module")
def machine(dynalite: str) -> Iterator[tuple[Machine, Any]]:
    with machine_of(dynalite, "plan_copy", "copy_page", "finish_copy") as job:
        replicator: Any = loaded("replicator")
        plan: Any = job.plan
        for client in (plan.lambda_, replicator.dynamodb, replicator.sqs, job.worker.sqs):
            client.close()
        yield job, replicator


@pytest.fixture(scope="module")
def job(dynalite: str) -> Iterator[Machine]:
    with machine_of(dynalite, "plan_retrofit", "retrofit", "finish_retrofit") as job:
        yield job


@contextmanager
def engine_of(job: Machine, *others: Any) -> Iterator[Engine]:
    """Yield an engine that the functions have for a test, and leave no object of it."""
    plan: Any = job.plan
    with pytest.MonkeyPatch.context() as patch:
        engine = Engine(plan.dynamodb)
        for module in (plan, job.worker, job.finish, *others):
            patch.setattr(module, "dynamodb", engine)
        yield engine
    for name in job.objects():
        job.s3.delete_object(Bucket=BUCKET, Key=name)


def configure(monkeypatch: pytest.MonkeyPatch, job: Machine, **settings: Any) -> None:
    """Give the function that plans other settings than its environment's."""
    function = job.plan.function
    monkeypatch.setattr(function, "settings", replace(function.settings, **settings))


@pytest.fixture
def audited(job: Machine, shared_dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[Audited]:
    table = f"Audit-{next(NUMBERS)}"
    audit_table.create(shared_dynamodb, table)
    configure(monkeypatch, job, retrofitted=(f"arn:aws:dynamodb:{REGION}:000000000000:table/{table}",))
    with engine_of(job) as engine:
        yield Audited(table, engine, job)


@pytest.fixture
def copied(
    machine: tuple[Machine, Any], shared_dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Copied]:
    job, replicator = machine
    number = next(NUMBERS)
    table, to = f"Copied-{number}", f"Copied-{number}-new"
    audit_table.create(shared_dynamodb, table)
    audit_table.create(shared_dynamodb, to)
    queue, mappings = Queue(QUEUE), Mappings("Enabled", "Enabled")
    replica = {
        "source": table,
        "target": to,
        "stream": STREAM.format(table, CREATED),
        "queue": QUEUE,
        "templates": SET,
    }
    for module in (job.worker, replicator):
        monkeypatch.setattr(module, "sqs", queue)
    monkeypatch.setattr(job.plan, "lambda_", mappings)
    configure(monkeypatch, job, replicas=(replica,), mappings={table: [*mappings.states]})
    monkeypatch.setenv("SKIPSCAN_REPLICA", json.dumps(replica))
    with engine_of(job, replicator) as engine:
        engine.streamless.add(to)
        yield Copied(table, engine, job, to, queue, replicator, mappings)
