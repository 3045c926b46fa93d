"""The real handlers over a tiny table, with a bucket in memory and a clock without waiting."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from aws_lambda_powertools import Logger

from skipscan.aws.bucket import Bucket
from skipscan.sample import requests as sample_requests
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import Faulty
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.handlers.loading import loaded
from tests.fakes.s3 import FakeS3
from tests.fakes.services import Denied
from tests.simulation.world.clock import Clock
from tests.unit.handlers.conftest import VARIABLES

STATUSES = ("open", "paid", "sent")
ORDERS = TableDefinition(
    "Orders",
    KeySchema.of(("customer", "S"), ("order", "N")),
    (
        IndexDefinition("by-status", KeySchema.of(("status", "S"))),
        IndexDefinition("by-day", KeySchema.of(("customer", "S"), ("day", "S")), kind="local"),
    ),
)


@pytest.fixture
def tables() -> Faulty:
    """`Orders` with two indexes, and `Plain` without a sort key."""
    fake = FakeDynamoDB()
    items: list[dict[str, Any]] = [
        {"customer": {"S": f"c{n}"}, "order": {"N": str(m)}, "day": {"S": f"d{m}"}, "status": {"S": STATUSES[m % 3]}}
        for n in range(7)
        for m in range(1 + n * n)
    ]
    fake.add(ORDERS, items)
    fake.add(TableDefinition("Plain", KeySchema.of(("id", "B"))), [{"id": {"B": bytes([n])}} for n in range(5)])
    return Faulty(fake)


@pytest.fixture
def fake_bucket() -> FakeS3:
    return FakeS3(BUCKET)


@pytest.fixture(scope="session")
def handlers() -> Any:
    """The handlers' modules, loaded once: their clients take a second, and none of them is used here."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in VARIABLES.items():
            patch.setenv(name, value)
        return [loaded(name) for name in ("plan", "scan", "finish")]


@pytest.fixture
def counted_listing(handlers: Any, tables: Faulty, fake_bucket: FakeS3, monkeypatch: pytest.MonkeyPatch) -> Machine:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    plan, scan, finish = handlers
    clock = Clock()
    client: Any = fake_bucket
    for module in handlers:
        function = module.function
        dependencies = replace(function.dependencies, clock=clock.monotonic, sleep=clock.sleep)
        monkeypatch.setattr(function, "storage", Bucket(client, BUCKET))
        monkeypatch.setattr(function, "dependencies", dependencies)
        function.logger.setLevel("INFO")
    for module in (plan, scan, finish):
        monkeypatch.setattr(module, "dynamodb", tables)
    for service in ("pricing", "lambda_", "stepfunctions"):
        monkeypatch.setattr(plan, service, Denied())
    monkeypatch.setattr(sample_requests, "time", clock)
    return Machine(fake_bucket, plan, scan, finish)


@pytest.fixture
def unlogged(counted_listing: Machine) -> Iterator[None]:
    """Handlers that log nothing, for thousands of runs; they share one logger with all others."""
    logger: Logger = counted_listing.plan.function.logger
    logger.setLevel("CRITICAL")
    yield
    logger.setLevel("INFO")
