"""What a person must be allowed for the calls that the kit makes."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from local.checkout import ACCOUNT, REGION
from tests.fakes.iam.policy import Need

OF_TABLES = {
    *("DescribeTable", "PutItem", "DeleteItem", "UpdateItem", "GetItem", "DeleteTable"),
    *("DescribeContinuousBackups", "UpdateContinuousBackups"),
}
OF_FUNCTIONS = {
    *("DeleteFunction", "PutFunctionConcurrency", "DeleteFunctionConcurrency", "GetFunctionConfiguration"),
    *("GetFunction",),
}
OF_ROLES = {"GetRole", "PutRolePolicy", "DeleteRolePolicy", "ListRolePolicies", "DeleteRole", "ListRoleTags"}
OF_MACHINES = {"DeleteStateMachine", "DescribeStateMachine", "StartExecution", "ListExecutions"}
OF_EXECUTIONS = {"DescribeExecution", "GetExecutionHistory", "StopExecution", "RedriveExecution", "ListMapRuns"}
OF_BUCKETS = {"CreateBucket", "DeleteBucket", "PutBucketTagging", "GetBucketTagging"}
OF_QUEUES = {"DeleteQueue", "ReceiveMessage", "ListQueueTags", "GetQueueAttributes"}
OF_ALL = {
    "cloudtrail:LookupEvents": "cloudtrail:LookupEvents",
    "cloudwatch:GetMetricData": "cloudwatch:GetMetricData",
    "dynamodb:ListTables": "dynamodb:ListTables",
    "iam:ListRoles": "iam:ListRoles",
    "lambda:GetAccountSettings": "lambda:GetAccountSettings",
    "lambda:ListEventSourceMappings": "lambda:ListEventSourceMappings",
    "lambda:ListFunctions": "lambda:ListFunctions",
    "pricing:GetProducts": "pricing:GetProducts",
    "scheduler:ListScheduleGroups": "scheduler:ListScheduleGroups",
    "sqs:ListQueues": "sqs:ListQueues",
    "stepfunctions:TestState": "states:TestState",
    "s3:ListBuckets": "s3:ListAllMyBuckets",
    "stepfunctions:ListStateMachines": "states:ListStateMachines",
}
STATEMENTS = {"UPDATE": "PartiQLUpdate", "INSERT": "PartiQLInsert"}


class Call(NamedTuple):
    service: str
    operation: str
    parameters: Mapping[str, Any]


def needs(call: Call) -> Iterator[Need]:
    """Return what must be allowed for a call; raise `NotImplementedError` for one that is new."""
    name = f"{call.service}:{call.operation}"
    if name in OF_ALL:
        yield Need(OF_ALL[name], "*")
        return
    of_service = {
        "dynamodb": _of_dynamodb,
        "dynamodbstreams": _of_streams,
        "s3": _of_s3,
        "lambda": _of_lambda,
        "stepfunctions": _of_states,
        "iam": _of_iam,
        "scheduler": _of_scheduler,
        "sqs": _of_sqs,
        "cloudformation": _of_cloudformation,
        "cloudwatch": _of_cloudwatch,
    }
    found = list(of_service[call.service](call.operation, call.parameters))
    if not found:
        raise NotImplementedError(name)
    yield from found


def _arn(service: str, resource: str) -> str:
    return f"arn:aws:{service}:{REGION}:{ACCOUNT}:{resource}"


def _of_dynamodb(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    table = _arn("dynamodb", f"table/{asked.get('TableName')}")
    if operation in OF_TABLES:
        yield Need(f"dynamodb:{operation}", table)
    elif operation == "Scan":
        yield Need("dynamodb:Scan", f"{table}/index/{asked['IndexName']}" if "IndexName" in asked else table)
    elif operation == "CreateTable":
        yield from (Need(f"dynamodb:{action}", table) for action in ("CreateTable", "TagResource"))
    elif operation == "BatchWriteItem":
        for name in asked["RequestItems"]:
            yield Need("dynamodb:BatchWriteItem", _arn("dynamodb", f"table/{name}"))
    elif operation == "BatchExecuteStatement":
        for statement in asked["Statements"]:
            verb, text = statement["Statement"].split()[0], statement["Statement"]
            yield Need(f"dynamodb:{STATEMENTS[verb]}", _arn("dynamodb", "table/" + text.split('"')[1]))
    elif "ResourceArn" in asked:
        yield Need(f"dynamodb:{operation}", asked["ResourceArn"])


def _of_streams(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    # A real ShardIterator begins with the stream's ARN.
    stream = asked.get("StreamArn", _arn("dynamodb", "table/skipscan-verify-e2e-streamed/stream/now"))
    yield Need(f"dynamodb:{operation}", stream)


def _of_s3(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    bucket = f"arn:aws:s3:::{asked['Bucket']}"
    if operation in OF_BUCKETS:
        yield Need(f"s3:{operation}", bucket)
    elif operation in ("PutObject", "GetObject"):
        yield Need(f"s3:{operation}", f"{bucket}/{asked['Key']}")
    elif operation == "HeadObject":
        yield Need("s3:GetObject", f"{bucket}/{asked['Key']}")
        yield Need("s3:ListBucket", bucket)  # or a missing object is answered with 403
    elif operation == "ListObjectsV2":
        yield Need("s3:ListBucket", bucket)
    elif operation == "DeleteObjects":
        for entry in asked["Delete"]["Objects"]:
            yield Need("s3:DeleteObject", f"{bucket}/{entry['Key']}")


def _of_lambda(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    function = _arn("lambda", f"function:{str(asked.get('FunctionName')).rpartition(':function:')[2]}")
    if operation in OF_FUNCTIONS:
        yield Need(f"lambda:{operation}", function)
    elif operation.endswith("EventSourceMapping"):
        mapping = _arn("lambda", f"event-source-mapping:{asked.get('UUID', 'new')}")
        mapped = _arn("lambda", "function:skipscan-verify-e2e-ministack-mapped")
        is_new = operation == "CreateEventSourceMapping"
        yield Need(f"lambda:{operation}", "*" if is_new else mapping, (("lambda:FunctionArn", mapped),))
        if is_new:
            yield Need("lambda:TagResource", mapping)
    elif operation == "Invoke":
        yield Need("lambda:InvokeFunction", function)
    elif operation == "ListTags":
        yield Need("lambda:ListTags", asked["Resource"])
    elif operation == "CreateFunction":
        yield from (Need(f"lambda:{action}", function) for action in ("CreateFunction", "TagResource"))
        yield Need("iam:PassRole", asked["Role"], (("iam:PassedToService", "lambda.amazonaws.com"),))


def _of_states(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    if operation in OF_MACHINES:
        yield Need(f"states:{operation}", asked["stateMachineArn"])
    elif operation in OF_EXECUTIONS:
        yield Need(f"states:{operation}", asked["executionArn"])
    elif operation == "DescribeMapRun":
        yield Need("states:DescribeMapRun", asked["mapRunArn"])
    elif operation == "ListTagsForResource":
        yield Need("states:ListTagsForResource", asked["resourceArn"])
    elif operation == "CreateStateMachine":
        machine = _arn("states", f"stateMachine:{asked['name']}")
        yield from (Need(f"states:{action}", machine) for action in ("CreateStateMachine", "TagResource"))
        yield Need("iam:PassRole", asked["roleArn"], (("iam:PassedToService", "states.amazonaws.com"),))


def _of_iam(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    role = f"arn:aws:iam::{ACCOUNT}:role/{asked['RoleName']}"
    if operation in OF_ROLES:
        yield Need(f"iam:{operation}", role)
    elif operation == "CreateRole":
        yield from (Need(f"iam:{action}", role) for action in ("CreateRole", "TagRole"))


def _of_scheduler(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    if operation == "ListTagsForResource":
        yield Need("scheduler:ListTagsForResource", asked["ResourceArn"])
    elif operation == "CreateSchedule":
        yield Need("scheduler:CreateSchedule", _arn("scheduler", f"schedule/{asked['GroupName']}/{asked['Name']}"))
        yield Need("iam:PassRole", asked["Target"]["RoleArn"], (("iam:PassedToService", "scheduler.amazonaws.com"),))
    elif operation in ("CreateScheduleGroup", "DeleteScheduleGroup"):
        group = _arn("scheduler", f"schedule-group/{asked['Name']}")
        yield Need(f"scheduler:{operation}", group)
        if operation == "CreateScheduleGroup":
            yield Need("scheduler:TagResource", group)
        else:  # what deletes a group must be allowed to delete the schedules in it
            yield Need("scheduler:DeleteSchedule", _arn("scheduler", f"schedule/{asked['Name']}/started"))


def _of_sqs(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    queue = _arn("sqs", str(asked.get("QueueName") or str(asked.get("QueueUrl")).rpartition("/")[2]))
    if operation in OF_QUEUES:
        yield Need(f"sqs:{operation}", queue)
    elif operation == "SendMessageBatch":
        yield Need("sqs:SendMessage", queue)
    elif operation == "CreateQueue":
        yield from (Need(f"sqs:{action}", queue) for action in ("CreateQueue", "TagQueue"))


def _of_cloudformation(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    yield Need(f"cloudformation:{operation}", _arn("cloudformation", f"stack/{asked['StackName']}/1"))


def _of_cloudwatch(operation: str, asked: Mapping[str, Any]) -> Iterator[Need]:
    for name in asked["AlarmNames"]:
        yield Need(f"cloudwatch:{operation}", _arn("cloudwatch", f"alarm:{name}"))
