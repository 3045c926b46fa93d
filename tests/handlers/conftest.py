"""The handlers as Lambda imports them, over the strict fake of DynamoDB and moto's S3."""

import json
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from skipscan.aws import clients
from tests.fakes.dynamodb import FakeDynamoDB
from tests.handlers.acting import FIFO, QUEUE, TARGET, Acting
from tests.handlers.execution import BUCKET, Machine
from tests.handlers.loading import loaded

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

VARIABLES = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "skipscan",
    "SKIPSCAN_BUCKET": BUCKET,
    "SKIPSCAN_PREFIX": "skipscan",
    "SKIPSCAN_BATCH_PAGES": "3",
    "SKIPSCAN_WRITING": json.dumps({"arn:aws:dynamodb:us-east-1:000000000000:table/T-1": [TARGET, QUEUE, FIFO]}),
}

# One session for all tests: it keeps the services' models, which take longer to read than most tests.
SESSION = boto3.Session("test", "test", region_name="us-east-1")


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator["S3Client"]:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(boto3, "Session", lambda: SESSION)
    with mock_aws():
        client = SESSION.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client


class NoPrices:
    """The price list as it is for who may not read it."""

    def get_products(self, **_: Any) -> dict[str, Any]:
        raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "GetProducts")


@pytest.fixture
def dynamodb() -> FakeDynamoDB:
    return FakeDynamoDB()


@pytest.fixture
def dynalite_client(dynalite: str) -> "DynamoDBClient":
    """The client that the handlers would have, for dynalite."""
    return clients.dynamodb(SESSION, connections=16, endpoint_url=dynalite)


@pytest.fixture
def listing(s3: "S3Client", dynamodb: FakeDynamoDB) -> Machine:
    plan, scan, finish = map(loaded, ("plan", "scan", "finish"))
    for module in (plan, scan, finish):
        module.dynamodb = dynamodb  # type: ignore[attr-defined]
    plan.pricing = NoPrices()  # type: ignore[attr-defined]
    return Machine(s3, plan, scan, finish)


@pytest.fixture
def compare(s3: "S3Client") -> ModuleType:
    return loaded("compare")


@pytest.fixture
def acting(listing: Machine, dynamodb: FakeDynamoDB) -> Acting:
    plan_act, act, finish_act = map(loaded, ("plan_act", "act", "finish_act"))
    for module in (plan_act, act):
        module.dynamodb = dynamodb  # type: ignore[attr-defined]
    plan_act.pricing = NoPrices()  # type: ignore[attr-defined]
    return Acting(listing, plan_act, act, finish_act)
