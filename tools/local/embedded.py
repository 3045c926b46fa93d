"""Both engines together, and clients for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from local import cdk
from local.checkout import ACCESS_KEY, REGION
from local.dynalite import dynalite
from local.ministack import ministack
from local.router import routed

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_stepfunctions import SFNClient

SESSION = boto3.Session(aws_access_key_id=ACCESS_KEY, aws_secret_access_key=ACCESS_KEY, region_name=REGION)
CONFIG = Config(proxies={}, retries={"mode": "standard"}, max_pool_connections=32)


@dataclass
class Embedded:
    """An AWS account on this machine: `dynamodb_endpoint` for DynamoDB, `endpoint` for everything else."""

    endpoint: str
    dynamodb_endpoint: str
    _bootstrapped: bool = field(default=False, init=False)

    def deploy(self, environment: str, *, folder: Path | cdk.Synthesis) -> Mapping[str, str]:
        """The outputs of the stack of `environment`, deployed from `folder`'s `cdk.json`, or from a synthesis."""
        if not self._bootstrapped:
            cdk.bootstrap(self.cloudformation)
            self._bootstrapped = True
        return cdk.deploy(environment, endpoint=self.endpoint, folder=folder)

    @cached_property
    def dynamodb(self) -> DynamoDBClient:
        return dynamodb_client(self.dynamodb_endpoint)

    @cached_property
    def s3(self) -> S3Client:
        return SESSION.client("s3", endpoint_url=self.endpoint, config=CONFIG)

    @cached_property
    def stepfunctions(self) -> SFNClient:
        return SESSION.client("stepfunctions", endpoint_url=self.endpoint, config=CONFIG)

    @cached_property
    def cloudformation(self) -> CloudFormationClient:
        return SESSION.client("cloudformation", endpoint_url=self.endpoint, config=CONFIG)

    @cached_property
    def awslambda(self) -> LambdaClient:
        return SESSION.client("lambda", endpoint_url=self.endpoint, config=CONFIG)

    @cached_property
    def scheduler(self) -> EventBridgeSchedulerClient:
        return SESSION.client("scheduler", endpoint_url=self.endpoint, config=CONFIG)


def dynamodb_client(endpoint: str) -> DynamoDBClient:
    """Return a client for the DynamoDB at the URL `endpoint`."""
    return SESSION.client("dynamodb", endpoint_url=endpoint, config=CONFIG)


@contextmanager
def embedded_with_streams() -> Iterator[Embedded]:
    """Yield an empty account whose DynamoDB is MiniStack's: its Scan differs from AWS, but its tables have streams."""
    with ministack(dynamodb=None) as endpoint:
        yield Embedded(endpoint, endpoint)


@contextmanager
def embedded() -> Iterator[Embedded]:
    """Yield an empty account for the duration of the block."""
    with dynalite() as dynamodb, ministack(dynamodb=dynamodb) as endpoint:
        yield Embedded(endpoint, dynamodb)


@contextmanager
def embedded_with_both(streamed: frozenset[str]) -> Iterator[Embedded]:
    """Yield an empty account in which the tables of these names have streams, and all others are scanned as on AWS."""
    with dynalite() as scanned, routed(scanned, streamed) as router, ministack(dynamodb=router.url) as endpoint:
        router.streamed = endpoint
        yield Embedded(endpoint, router.url)
