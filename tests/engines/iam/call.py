"""Calls as the recorder wrote them down, and the permissions that each of them takes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skipscan.inputs.names import table_arn
from tests.fakes.iam.policy import Need

# Calls that take one permission each, on what one of their parameters names.
SIMPLE = {
    "cloudformation:DescribeStacks": (
        "cloudformation:DescribeStacks",
        "arn:aws:cloudformation:{region}:{account}:stack/{StackName}/*",
    ),
    "cloudwatch:GetMetricStatistics": ("cloudwatch:GetMetricStatistics", "*"),
    "dynamodbstreams:DescribeStream": ("dynamodb:DescribeStream", "{StreamArn}"),
    "dynamodbstreams:GetRecords": ("dynamodb:GetRecords", "{ShardIterator}"),  # which begins with the stream's ARN
    "dynamodbstreams:GetShardIterator": ("dynamodb:GetShardIterator", "{StreamArn}"),
    "lambda:ListEventSourceMappings": ("lambda:ListEventSourceMappings", "*"),
    "kms:DescribeKey": ("kms:DescribeKey", "arn:aws:kms:{region}:{account}:{KeyId}"),
    "lambda:GetEventSourceMapping": (
        "lambda:GetEventSourceMapping",
        "arn:aws:lambda:{region}:{account}:event-source-mapping:{UUID}",
    ),
    "lambda:GetAccountSettings": ("lambda:GetAccountSettings", "*"),
    "lambda:Invoke": ("lambda:InvokeFunction", "{FunctionName}"),
    "pricing:GetProducts": ("pricing:GetProducts", "*"),
    "sqs:GetQueueUrl": ("sqs:GetQueueUrl", "arn:aws:sqs:{region}:{account}:{QueueName}"),
    "stepfunctions:DescribeExecution": ("states:DescribeExecution", "{executionArn}"),
    "stepfunctions:DescribeMapRun": ("states:DescribeMapRun", "{mapRunArn}"),
    "stepfunctions:GetExecutionHistory": ("states:GetExecutionHistory", "{executionArn}"),
    "stepfunctions:ListExecutions": ("states:ListExecutions", "{stateMachineArn}"),
    "stepfunctions:ListMapRuns": ("states:ListMapRuns", "{executionArn}"),
    "stepfunctions:StartExecution": ("states:StartExecution", "{stateMachineArn}"),
    "stepfunctions:StopExecution": ("states:StopExecution", "{executionArn}"),
}

TLS = (("aws:SecureTransport", "true"), ("s3:TlsVersion", "1.3"))

OF_TABLES = {
    f"dynamodb:{operation}"
    for operation in (
        *("GetItem", "PutItem", "DeleteItem", "UpdateItem"),
        *("CreateTable", "DescribeContinuousBackups", "DescribeTimeToLive", "UpdateContinuousBackups"),
        *("TagResource", "ListTagsOfResource"),
    )
}
"""Calls that take a permission of their own name on their table."""


OF_ITEMS = {f"dynamodb:{verb}" for verb in ("Scan", "Query", "PutItem", "DeleteItem", "UpdateItem", "GetItem")}


@dataclass(frozen=True)
class Call:
    """One call to AWS: its caller and its answer, after so many attempts. `violations`: why AWS would refuse it."""

    caller: str
    service: str
    operation: str
    parameters: Mapping[str, Any]
    status: int
    attempts: int = 1
    violations: Sequence[str] = ()

    def needs(self, *, region: str, account: str) -> Iterator[Need]:
        """Return what must be allowed for the call, to the role it is made with."""
        match f"{self.service}:{self.operation}", self.parameters:
            case ("dynamodb:DescribeTable" | "dynamodb:Scan" | "dynamodb:Query") as action, {
                "TableName": table,
                **rest,
            }:
                index = f"/index/{rest['IndexName']}" if "IndexName" in rest else ""
                arn = f"{table_arn(table, f'arn:aws:dynamodb:{region}:{account}')}{index}"
                yield Need(action, arn, () if action == "dynamodb:DescribeTable" else read_context(rest))
            case action, {"TableName": table} if action in OF_TABLES:
                yield Need(action, f"arn:aws:dynamodb:{region}:{account}:table/{table}")
            case "lambda:UpdateEventSourceMapping", {"UUID": mapping, "FunctionArn": function}:
                context = (("lambda:FunctionArn", function),)  # which the test knows, and not the call
                mapping = f"arn:aws:lambda:{region}:{account}:event-source-mapping:{mapping}"
                yield Need("lambda:UpdateEventSourceMapping", mapping, context)
            case ("sqs:SendMessageBatch" | "sqs:GetQueueAttributes") as call, {"QueueUrl": url}:
                yield Need(call.removesuffix("Batch"), f"arn:aws:sqs:{region}:{account}:{url.rpartition('/')[2]}")
            case (("s3:GetObject" | "s3:HeadObject"), {"Bucket": bucket, "Key": key}):
                yield Need("s3:GetObject", f"{bucket}/{key}", TLS)
                if self.status == 404:  # a caller without ListBucket gets 403
                    yield Need("s3:ListBucket", bucket, TLS)
            case "s3:PutObject", {"Bucket": bucket, "Key": key, **rest}:
                condition = (("s3:if-none-match", rest["IfNoneMatch"]),) if "IfNoneMatch" in rest else ()
                yield Need("s3:PutObject", f"{bucket}/{key}", TLS + condition)
                if "Tagging" in rest:
                    yield Need("s3:PutObjectTagging", f"{bucket}/{key}", TLS)
            case "s3:ListObjectsV2", {"Bucket": bucket, "Prefix": prefix}:
                yield Need("s3:ListBucket", bucket, (*TLS, ("s3:prefix", prefix)))
            case call, named if call in SIMPLE:
                action, resource = SIMPLE[call]
                yield Need(action, resource.format(region=region, account=account, **named))
            case unknown:
                raise NotImplementedError(unknown)

    def key_needs(self, *, region: str, results: str, table: str) -> Iterator[Need]:
        """Return what must be allowed besides where the results and the table are encrypted with these KMS keys."""
        via = (("kms:ViaService", f"{self.service}.{region}.amazonaws.com"),)
        match f"{self.service}:{self.operation}":
            case "s3:GetObject" | "s3:HeadObject":  # for the checksum (API reference, HeadObject, "Permissions")
                yield Need("kms:Decrypt", results, via)
            case "s3:PutObject":
                yield Need("kms:GenerateDataKey", results, via)
            case call if call in OF_ITEMS:
                yield Need("kms:Decrypt", table, via)


def read_context(parameters: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the condition keys of a Scan or a Query: which attributes it names, and what it returns.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
    """
    whole = "ALL_PROJECTED_ATTRIBUTES" if "IndexName" in parameters else "ALL_ATTRIBUTES"
    select = parameters.get("Select", "SPECIFIC_ATTRIBUTES" if "ProjectionExpression" in parameters else whole)
    names = sorted(parameters.get("ExpressionAttributeNames", {}).values())
    return (("dynamodb:Select", select), ("dynamodb:Attributes", "\n".join(names)))


def read_calls(file: Path) -> list[Call]:
    """Return the calls that were recorded; fail if AWS would refuse one for its parameters.

    The emulators accept more than AWS does, and the product's client of DynamoDB validates nothing.
    """
    calls = [Call(**json.loads(line)) for line in file.read_text().splitlines()]
    assert {(call.caller, call.operation, *call.violations) for call in calls if call.violations} == set()
    return calls


def in_words(call: Call, bucket: str) -> Call:
    """Return a call with the bucket called as the template calls it."""
    named = {name: "the bucket" if value == bucket else value for name, value in call.parameters.items()}
    return replace(call, parameters=named)
