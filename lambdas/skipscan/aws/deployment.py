"""A deployed environment, found by its stack."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.errors import InputError, NotFoundError
from skipscan.inputs.names import quoted

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

PREFIX = "skipscan"
"""The prefix of every result's name, which the stack sets for all environments."""

MACHINES = {
    "run": "StateMachineArn",
    "act": "ActStateMachineArn",
    "retrofit": "RetrofitStateMachineArn",
    "copy": "CopyStateMachineArn",
}
"""The stack's output with the ARN of the state machine, by kind of work. A job has one if a table enables it."""


@dataclass(frozen=True)
class Deployment:
    """An environment's state machines and bucket. `machines`: ARNs by kind of work."""

    environment: str
    bucket: str
    machines: Mapping[str, str] = field(default_factory=dict)


def client(session: boto3.Session) -> "CloudFormationClient":
    found: CloudFormationClient = clients.make(session, "cloudformation")
    return found


def find(cloudformation: "CloudFormationClient", environment: str) -> Deployment:
    """Return the environment; raise `InputError` for an invalid name, `NotFoundError` if it is not deployed."""
    if not re.fullmatch(r"[a-zA-Z0-9-]{1,24}", environment):
        raise InputError(
            f"env is {quoted(environment)}; it must be the name of an environment in cdk.json (1 to 24 of a-z, A-Z, "
            "0-9 and -): correct it"
        )
    stack = f"skipscan-{environment}"
    try:
        described = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        described = []
    outputs = {entry["OutputKey"]: entry["OutputValue"] for one in described for entry in one.get("Outputs", [])}
    if "StateMachineArn" not in outputs or "BucketName" not in outputs:
        raise NotFoundError(
            f'env is "{environment}"; there is no stack {stack} in {cloudformation.meta.region_name}: deploy it '
            f"(skipscan deploy --table TABLE --env {environment}), or give another --env, --region or --profile"
        )
    machines = {noun: outputs[output] for noun, output in MACHINES.items() if output in outputs}
    return Deployment(environment, outputs["BucketName"], machines)
