"""An account on the embedded AWS with one of everything, and the product's clients for it, through a proxy."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from unittest.mock import patch

import boto3
from botocore.config import Config

from local.checkout import ACCESS_KEY, ACCOUNT, REGION
from local.ministack import ministack
from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.environment import executions
from skipscan.environment.executions import Executions
from skipscan.listing import concurrency_requests, price_requests
from tests.engines.e2e.proxy import Proxy, proxy

BUCKET, TABLE, COPY, QUEUE, FUNCTION = "wire", "Wire", "Wire-2", "late", "receiver"
INDEXED, INDEX = "Wire-3", "by-v"
ARN = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{TABLE}"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/any"
PASS = json.dumps({"StartAt": "A", "States": {"A": {"Type": "Wait", "Seconds": 600, "End": True}}})
TEMPLATE = {
    "Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "wire-of-stack"}}},
    "Outputs": {"BucketName": {"Value": "b"}, "StateMachineArn": {"Value": "m"}},
}
KEY = {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}


@dataclass
class World:
    """`aws`: a client of boto3 for any service, past the proxy. `session`: for the product's clients, through it.

    Those ask for nothing twice by themselves.
    """

    proxy: Proxy
    endpoint: str
    session: boto3.Session
    arns: dict[str, str]

    def aws(self, service: Any) -> Any:
        return self.session.client(service, endpoint_url=self.endpoint, config=Config(proxies={}))

    @cached_property
    def direct(self) -> Any:
        """DynamoDB past the proxy, for what a test prepares."""
        return self.aws("dynamodb")

    def connect(self) -> None:
        """Create the product's clients."""
        retries: Any = {"mode": "standard", "total_max_attempts": 1}
        config = Config(connect_timeout=20, read_timeout=60, retries=retries, proxies={})
        with ExitStack() as patched:
            patched.enter_context(patch.object(clients, "_config", lambda *_, **__: config))
            patched.enter_context(patch.object(clients, "IMPATIENT", config))
            patched.enter_context(patch.object(executions, "Config", lambda **_: config))
            self._make(self.session)

    def _make(self, session: boto3.Session) -> None:
        self.dynamodb: Any = clients.dynamodb(session, 1)
        self.s3 = Bucket(clients.s3(session), BUCKET)
        self.sqs: Any = clients.sqs(session, 1)
        self.lambda_: Any = clients.lambda_(session, 1)
        self.settings: Any = concurrency_requests.lambda_client(session)
        self.pricing: Any = price_requests.pricing_client(session)
        self.kms: Any = clients.single(session, "kms")
        self.mappings: Any = clients.single(session, "lambda")
        self.cloudwatch: Any = clients.single(session, "cloudwatch")
        self.streams: Any = clients.single(session, "dynamodbstreams")
        self.cloudformation: Any = executions.cloudformation_client(session)
        self.executions = Executions(executions.sfn_client(session), self.arns["machine"])


NOW = datetime.now(UTC)


@contextmanager
def world() -> Iterator[World]:
    session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
    with ministack(dynamodb=None) as endpoint, proxy() as between:
        between.upstream = endpoint
        with patch.dict("os.environ", {"AWS_ENDPOINT_URL": between.url, "NO_PROXY": "127.0.0.1"}):
            made = World(between, endpoint, session, {})
            made.arns.update(_furnished(made))
            made.connect()
            yield made


def _furnished(world: World) -> dict[str, str]:
    dynamodb, sqs, awslambda = world.aws("dynamodb"), world.aws("sqs"), world.aws("lambda")
    definition = {
        "KeySchema": KEY,
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        "BillingMode": "PAY_PER_REQUEST",
    }
    streamed = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    made = dynamodb.create_table(TableName=TABLE, StreamSpecification=streamed, **definition)["TableDescription"]
    dynamodb.create_table(TableName=COPY, **definition)
    index = {
        "IndexName": INDEX,
        "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
    attributes = [*definition["AttributeDefinitions"], {"AttributeName": "v", "AttributeType": "S"}]
    indexed = {**definition, "AttributeDefinitions": attributes}
    dynamodb.create_table(TableName=INDEXED, GlobalSecondaryIndexes=[index], **indexed)
    for name in (TABLE, COPY, INDEXED):
        dynamodb.put_item(TableName=name, Item={"pk": {"S": "a"}, "sk": {"S": "1"}, "v": {"S": "x"}})
    world.aws("s3").create_bucket(Bucket=BUCKET)
    world.aws("s3").put_object(Bucket=BUCKET, Key="there", Body=b"content", Metadata={"attempt": "a"})
    url = sqs.create_queue(QueueName=QUEUE)["QueueUrl"]
    queue = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as file:
        file.writestr("index.py", "def handler(event, context):\n    return {'batchItemFailures': []}\n")
    function = awslambda.create_function(
        FunctionName=FUNCTION,
        Runtime="python3.12",
        Role=ROLE,
        Handler="index.handler",
        Code={"ZipFile": zipped.getvalue()},
    )["FunctionArn"]
    mapping = ""
    for source in (made["LatestStreamArn"], queue):
        start = {"StartingPosition": "LATEST"} if ":dynamodb:" in source else {}
        mapping = awslambda.create_event_source_mapping(
            FunctionName=FUNCTION, EventSourceArn=source, Enabled=False, **start
        )["UUID"]
    dimensions = [{"Name": "FunctionName", "Value": FUNCTION}]
    throttled = {"MetricName": "Throttles", "Dimensions": dimensions, "Timestamp": NOW, "Value": 1.0}
    world.aws("cloudwatch").put_metric_data(Namespace="AWS/Lambda", MetricData=[throttled])
    machine = world.aws("stepfunctions").create_state_machine(name="wire", definition=PASS, roleArn=ROLE)
    world.aws("stepfunctions").start_execution(stateMachineArn=machine["stateMachineArn"], name="running", input="{}")
    world.aws("cloudformation").create_stack(StackName="skipscan-wire", TemplateBody=json.dumps(TEMPLATE))
    return {
        "machine": machine["stateMachineArn"],
        "stream": made["LatestStreamArn"],
        "queue": queue,
        "url": url,
        "function": function,
        "mapping": mapping,
    }
