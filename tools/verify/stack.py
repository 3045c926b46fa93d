"""The kit's resources: one CloudFormation stack, so that the rights that deploy an environment make and remove them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError, WaiterError

from skipscan.inputs.names import VERIFIED
from verify.errors import NotTriedError
from verify.tables import KEPT, TABLES

TAG = "skipscan-verify"
"""The key of the tag of all resources; its value is the environment's name."""

RETRIES = 2
"""Of the mapping, for a batch that fails."""

CODE = """
class MadeUpError(Exception):
    pass

def handler(event, context):
    if event.get("fail"):
        raise MadeUpError("made up")
    if "Records" in event:  # of a stream: none whose key begins with "bad" succeeds
        bad = [each["dynamodb"] for each in event["Records"] if each["dynamodb"]["Keys"]["p"]["S"].startswith("bad")]
        return {"batchItemFailures": [{"itemIdentifier": each["SequenceNumber"]} for each in bad]}
    if event.get("models"):
        return models(event["models"])
    return event

def models(asked):
    import botocore.session
    model = botocore.session.get_session().get_service_model("dynamodb")
    lacks = [[shape, member] for shape, member in asked if member not in model.shape_for(shape).members]
    return {"botocore": botocore.__version__, "lacks": lacks}
"""
STREAM_READS = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")


def prefix(environment: str) -> str:
    """Return what every name begins with."""
    return f"{VERIFIED}{environment.lower()}-"


def stack_name(environment: str, *, is_kept: bool = False) -> str:
    """Return the stack's name, which does not begin like that of an environment."""
    return f"verify-skipscan-{environment}{'-kept' if is_kept else ''}"


class Template:
    """The resources. `machine`: the ARN of the environment's state machine, for its partition, region and account."""

    def __init__(self, environment: str, machine: str) -> None:
        self._prefix = prefix(environment)
        _, self._partition, _, self._region, self._account = machine.split(":")[:5]
        self.resources: dict[str, Any] = {}

    def arn(self, service: str, kind: str, name: str) -> str:
        """Return the ARN of a resource of the kit's own."""
        return f"arn:{self._partition}:{service}:{self._region}:{self._account}:{kind}{self._prefix}{name}"

    def add(self, identifier: str, kind: str, **properties: Any) -> None:
        self.resources[identifier] = {"Type": f"AWS::{kind}", "Properties": properties}

    def add_tables(self, names: Sequence[str], kms_key: str | None) -> None:
        for name in names:
            self.add(
                f"{name}Table", "DynamoDB::Table", TableName=self._prefix + name, **TABLES[name].requested(kms_key)
            )

    def add_all(self, runtime: Mapping[str, Any], retriers: Any, kms_key: str | None) -> None:
        """`runtime`, `retriers`: of the environment's functions, and of the task that its workers turn."""
        self.add_tables([name for name in TABLES if name not in KEPT and (name != "encrypted" or kms_key)], kms_key)
        for name in ("dead-letters", "failures", "delayed"):
            self.add(_queue(name), "SQS::Queue", QueueName=self._prefix + name)
        function = self.arn("lambda", "function:", "function")
        self._add_role("role", ("lambda", "states"), {function: ["lambda:InvokeFunction"]})
        self._add_function("function", "role", runtime)
        self._add_machines({"Type": "Task", "Resource": function, "End": True}, retriers)
        self._add_schedules()
        self._add_mapping(runtime)

    def _add_role(
        self, name: str, services: Sequence[str], allowed: Mapping[str, Sequence[str]], **condition: Any
    ) -> None:
        """Add a role that may do these actions, by resource: an ARN, or a table of the stack for its stream."""
        trusted = {"Service": [f"{service}.amazonaws.com" for service in services]}
        trust = {"Effect": "Allow", "Principal": trusted, "Action": "sts:AssumeRole", **condition}
        statements = [
            {"Effect": "Allow", "Action": actions, "Resource": on if on.startswith("arn:") else _stream(on)}
            for on, actions in allowed.items()
        ]
        self.add(
            _role(name),
            "IAM::Role",
            RoleName=self._prefix + name,
            AssumeRolePolicyDocument={"Version": "2012-10-17", "Statement": [trust]},
            Policies=[{"PolicyName": "allowed", "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}],
        )

    def _add_function(self, name: str, role: str, runtime: Mapping[str, Any]) -> None:
        self.add(
            name,
            "Lambda::Function",
            FunctionName=self._prefix + name,
            Handler="index.handler",
            Role=_arn_of(_role(role)),
            Code={"ZipFile": CODE},
            **runtime,
        )

    def _add_machines(self, task: Mapping[str, Any], retriers: Any) -> None:
        def workers(state: Mapping[str, Any], **more: Any) -> dict[str, Any]:
            processor = {"StartAt": "Worker", "States": {"Worker": {**state, "End": True}}}
            return {"Type": "Map", "ItemsPath": "$.workers", "ItemProcessor": processor, "End": True, **more}

        def catch(error: str, then: str) -> dict[str, Any]:
            return {"ErrorEquals": [error], "ResultPath": "$.caught", "Next": then}

        machines: dict[str, dict[str, Any]] = {
            "waiting": {"Workers": workers({**task, "Retry": retriers})},
            "sized": {"Workers": workers({"Type": "Pass", "OutputPath": "$.text"}, ItemSelector={"text.$": "$.text"})},
            "failing": {
                "Fail": {
                    **task,
                    "Parameters": {"fail": True},
                    "Catch": [catch("MadeUpError", "By name"), catch("States.ALL", "Otherwise")],
                },
                "By name": {"Type": "Succeed"},
                "Otherwise": {"Type": "Fail", "ErrorPath": "$.caught.Error"},
            },
            "scheduled": {"Done": {"Type": "Succeed"}},
        }
        for name, states in machines.items():
            self.add(
                f"{name}Machine",
                "StepFunctions::StateMachine",
                StateMachineName=self._prefix + name,
                RoleArn=_arn_of(_role("role")),
                DefinitionString=json.dumps({"StartAt": next(iter(states)), "States": states}),
            )

    def _add_schedules(self) -> None:
        """Add a schedule that starts a machine, and one whose start is denied, with a role like the environment's."""
        dead_letters, started = self.arn("sqs", "", "dead-letters"), self.arn("states", "stateMachine:", "scheduled")
        group = f"arn:{self._partition}:scheduler:{self._region}:{self._account}:schedule-group/default"
        source = {"aws:SourceAccount": self._account, "aws:SourceArn": group}
        allowed = {started: ["states:StartExecution"], dead_letters: ["sqs:SendMessage"]}
        self._add_role("schedule-role", ("scheduler",), allowed, Condition={"StringEquals": source})
        for name, arn in ("started", started), ("denied", self.arn("states", "stateMachine:", "denied")):
            self.add(
                f"{name}Schedule",
                "Scheduler::Schedule",
                Name=self._prefix + name,
                ScheduleExpression="rate(1 minute)",
                FlexibleTimeWindow={"Mode": "OFF"},
                Target={
                    "Arn": arn,
                    "RoleArn": _arn_of(_role("schedule-role")),
                    "Input": json.dumps({"schedule": name}),
                    "RetryPolicy": {"MaximumRetryAttempts": 0},
                    "DeadLetterConfig": {"Arn": dead_letters},
                },
            )

    def _add_mapping(self, runtime: Mapping[str, Any]) -> None:
        """Add a mapping of a stream to a function, set as those of keepers and replicators are."""
        failures = self.arn("sqs", "", "failures")
        reads = [f"dynamodb:{action}" for action in STREAM_READS]
        self._add_role("mapped-role", ("lambda",), {"mapped": reads, failures: ["sqs:SendMessage"]})
        self._add_function("mapped", "mapped-role", runtime)
        self.add(
            "Mapping",
            "Lambda::EventSourceMapping",
            FunctionName={"Ref": "mapped"},
            EventSourceArn=_stream("mapped"),
            StartingPosition="TRIM_HORIZON",
            FilterCriteria={"Filters": [{"Pattern": json.dumps({"eventName": ["INSERT"]})}]},
            FunctionResponseTypes=["ReportBatchItemFailures"],
            BisectBatchOnFunctionError=True,
            MaximumRetryAttempts=RETRIES,
            DestinationConfig={"OnFailure": {"Destination": failures}},
        )


def _arn_of(identifier: str) -> dict[str, Any]:
    return {"Fn::GetAtt": [identifier, "Arn"]}


def _stream(table: str) -> dict[str, Any]:
    return {"Fn::GetAtt": [f"{table}Table", "StreamArn"]}


def _role(name: str) -> str:
    return name.replace("-", "").capitalize()


def _queue(name: str) -> str:
    return f"{_role(name)}Queue"


def create(client: Any, template: Template, environment: str, *, role: str | None, is_kept: bool = False) -> None:
    """Create the stack, and return when all is there. `role`: which CloudFormation assumes; `None`: none.

    Raises `NotTriedError` if it cannot be made, with the first reason.
    """
    name = stack_name(environment, is_kept=is_kept)
    client.create_stack(
        StackName=name,
        TemplateBody=json.dumps({"Resources": template.resources}),
        Capabilities=["CAPABILITY_NAMED_IAM"],
        Tags=[{"Key": TAG, "Value": environment}],
        OnFailure="DELETE",
        **({"RoleARN": role} if role else {}),
    )
    try:
        client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 5, "MaxAttempts": 240})
    except WaiterError as error:
        raise NotTriedError(f"the stack {name} was not created: {_reason(client, name) or error}") from None


def _reason(client: Any, name: str) -> str | None:
    """Return what failed first in a stack that was not created, or not deleted."""
    try:
        pages = client.get_paginator("describe_stack_events").paginate(StackName=name)
        events = [event for page in pages for event in page["StackEvents"]]
    except ClientError:
        return None
    failed = [event for event in events if event["ResourceStatus"].endswith("_FAILED")]
    return f"{failed[-1]['LogicalResourceId']}: {failed[-1].get('ResourceStatusReason')}" if failed else None


def delete(client: Any, environment: str, *, is_kept: bool = False) -> list[str]:
    """Delete the stack, and return when all is gone; return a line if it is not. One that is not there is gone."""
    name = stack_name(environment, is_kept=is_kept)
    try:
        client.delete_stack(StackName=name)
        client.get_waiter("stack_delete_complete").wait(StackName=name, WaiterConfig={"Delay": 5, "MaxAttempts": 240})
    except (ClientError, WaiterError) as error:
        return [f"stack {name}: {_reason(client, name) or error}"]
    return []


def exists(client: Any, environment: str, *, is_kept: bool = False) -> bool:
    """Return whether an earlier launch has left the stack."""
    try:
        client.describe_stacks(StackName=stack_name(environment, is_kept=is_kept))
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":  # CloudFormation's code for a stack that is not there
            raise
        return False
    return True
