"""A deployed environment, found by its stack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.environment.kinds import KINDS
from skipscan.errors import InputError, NotFoundError
from skipscan.inputs.names import ENVIRONMENT_NAME
from skipscan.listing.kind import LISTING

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.literals import StackStatusType

PREFIX = "skipscan"
"""The prefix of every result's name, which the stack sets for all environments."""


@dataclass(frozen=True)
class Deployment:
    """An environment's state machines and bucket. `machines`: ARNs by kind of work."""

    environment: str
    bucket: str
    machines: Mapping[str, str] = field(default_factory=dict)


def cloudformation_client(session: boto3.Session, config: Config | None = None) -> "CloudFormationClient":
    # Without one of ours, botocore's default decides how often it asks: five times, or three from version 1.44 on.
    made: CloudFormationClient = (
        clients.make(session, "cloudformation", config) if config else clients.single(session, "cloudformation")
    )
    return made


IMPATIENT = Config(connect_timeout=2, read_timeout=3, retries={"total_max_attempts": 1})
"""For answers that a command can do without."""
USABLE: "Sequence[StackStatusType]" = (
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_IN_PROGRESS",
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    "UPDATE_ROLLBACK_COMPLETE",
)
MOST_STACKS = 1000


def environment_names(cloudformation: "CloudFormationClient") -> list[str]:
    """Return the deployed environments of the region by the names of their stacks, of its newest 1,000 stacks."""
    pages = cloudformation.get_paginator("list_stacks").paginate(
        StackStatusFilter=USABLE, PaginationConfig={"MaxItems": MOST_STACKS}
    )
    names = (stack["StackName"].partition(f"{PREFIX}-") for page in pages for stack in page["StackSummaries"])
    return sorted(name for before, _, name in names if not before and ENVIRONMENT_NAME.fullmatch(name))


def find_deployment(cloudformation: "CloudFormationClient", environment: str) -> Deployment:
    """Return the environment; raise `InputError` for an invalid name, `NotFoundError` if it is not deployed."""
    if not ENVIRONMENT_NAME.fullmatch(environment):
        raise InputError(
            "env",
            environment,
            "it must be the name of an environment in cdk.json (1 to 24 of a-z, A-Z, 0-9 and -)",
            "correct it",
        )
    stack = f"skipscan-{environment}"
    try:
        described = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        described = []
    outputs = {entry["OutputKey"]: entry["OutputValue"] for one in described for entry in one.get("Outputs", [])}
    if LISTING.output not in outputs or "BucketName" not in outputs:
        raise NotFoundError(
            "env",
            environment,
            f"there is no stack {stack} in {cloudformation.meta.region_name}",
            f"deploy it (skipscan deploy --table TABLE --env {environment}), or give another --env, --region "
            "or --profile",
        )
    machines = {noun: outputs[kind.output] for noun, kind in KINDS.items() if kind.output in outputs}
    return Deployment(environment, outputs["BucketName"], machines)
