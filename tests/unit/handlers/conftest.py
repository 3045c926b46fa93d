"""The handlers as Lambda imports them, over the strict fake of DynamoDB and of S3."""

import json
from collections.abc import Iterator

import boto3
import moto  # noqa: F401  # it answers only for sessions made after its import
import pytest

from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import FIFO, KEYS, MARKERS, QUEUE, SCHEMA, TARGET, Acting
from tests.fakes.handlers.execution import BUCKET, Machine
from tests.fakes.handlers.loading import Loaded, loaded
from tests.fakes.s3 import FakeS3
from tests.fakes.services import Denied
from tests.fakes.session import Session

VARIABLES = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "skipscan",
    "SKIPSCAN_BUCKET": BUCKET,
    "SKIPSCAN_PREFIX": "skipscan",
    "SKIPSCAN_PLACE": "us-east-1:000000000000",
    "SKIPSCAN_BATCH_PAGES": "3",
    "SKIPSCAN_WRITING": json.dumps({"arn:aws:dynamodb:us-east-1:000000000000:table/T-1": [TARGET, QUEUE, FIFO]}),
}

# One session for all tests: it keeps the services' models and the clients, which take longer to make than most tests.
SESSION = Session("test", "test", region_name="us-east-1")


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> FakeS3:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(boto3, "Session", lambda: SESSION)
    return FakeS3(BUCKET)


@pytest.fixture
def dynamodb() -> FakeDynamoDB:
    return FakeDynamoDB()


@pytest.fixture
def listing(s3: FakeS3, dynamodb: FakeDynamoDB) -> Machine:
    plan, scan, finish = (loaded(name, s3) for name in ("plan", "scan", "finish"))
    for module in (plan, scan, finish):
        module.dynamodb = dynamodb
    plan.pricing = plan.lambda_ = plan.stepfunctions = Denied()
    return Machine(s3, plan, scan, finish)


@pytest.fixture
def compare(s3: FakeS3) -> Loaded:
    return loaded("compare", s3)


@pytest.fixture
def acting(listing: Machine, s3: FakeS3, dynamodb: FakeDynamoDB) -> Acting:
    plan_act, act, finish_act = (loaded(name, s3) for name in ("plan_act", "act", "finish_act"))
    for module in (plan_act, act, finish_act):
        module.dynamodb = dynamodb
    plan_act.pricing = Denied()
    return Acting(listing.s3, plan_act, act, finish_act, listing)


@pytest.fixture
def run_over_table(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """A table and a finished run over it, `run-1`."""
    items: Iterator[Item] = ({"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}} for pk in range(KEYS) for sk in range(3))
    dynamodb.add(TableDefinition("T-1", SCHEMA, (MARKERS,)), items)
    assert listing.run({"table": "T-1"})["keys"] == KEYS
