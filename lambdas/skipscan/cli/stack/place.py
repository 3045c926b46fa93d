"""A stack: its account, region and clients, the existing one and its owner, and how to ask the person about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.errors import InputError, NotFoundError, SkipscanError
from skipscan.inputs.names import ENVIRONMENT_NAME

GLOBAL_ONLY = ("me-central-1", "me-south-1")
"""The regions without account-regional names of buckets."""
ATTEMPTS = 10
"""CloudFormation throttles per account, and other tools poll it, too."""


@dataclass(frozen=True)
class StackPlace:
    """One environment's stack in an account and region."""

    environment: str
    account: str
    partition: str
    region: str
    cloudformation: Any
    s3: Any
    dynamodb: Any

    @classmethod
    def of(cls, session: boto3.Session, environment: str) -> "StackPlace":
        """Return the place for the credentials and the region of a session; raise `InputError` for an invalid name."""
        if not ENVIRONMENT_NAME.fullmatch(environment):
            raise InputError("env", environment, "it must be 1 to 24 of a-z, A-Z, 0-9 and -", "correct it")
        patient = Config(connect_timeout=5, retries={"mode": "standard", "total_max_attempts": ATTEMPTS})
        cloudformation = clients.make(session, "cloudformation", patient)
        identity = clients.make(session, "sts", patient).get_caller_identity()
        s3 = clients.make(session, "s3", patient)
        if cloudformation.meta.region_name not in GLOBAL_ONLY:
            s3.meta.events.register("before-call.s3.CreateBucket", _in_own_namespace)
        return cls(
            environment=environment,
            account=identity["Account"],
            partition=identity["Arn"].split(":")[1],
            region=cloudformation.meta.region_name,
            cloudformation=cloudformation,
            s3=s3,
            dynamodb=clients.make(session, "dynamodb", patient),
        )

    @property
    def stack(self) -> str:
        return f"skipscan-{self.environment}"

    @property
    def code_bucket(self) -> str:
        """The bucket for code that `skipscan deploy` creates once for each account and region.

        With this ending no other account can create it, or use its name after it was deleted. S3 user guide,
        "Namespaces for general purpose buckets": https://docs.aws.amazon.com/AmazonS3/latest/userguide/gpbucketnamespaces.html
        """
        name = f"skipscan-code-{self.account}-{self.region}"
        return name if self.region in GLOBAL_ONLY else f"{name}-an"


def code(error: ClientError) -> str:
    """Return the error code of a refused request."""
    return str(error.response["Error"].get("Code"))


def _in_own_namespace(params: dict[str, Any], **_: Any) -> None:
    """Create a bucket in the account's regional namespace. As a header: boto3 has the parameter since 2026 only."""
    params["headers"]["x-amz-bucket-namespace"] = "account-regional"


MARK = "skipscan-deployed-by"
"""The tag of a stack that `skipscan deploy` created. The CDK, Terraform and the console set other tags or none."""
BY = "skipscan deploy"

READY = {
    *("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"),
    *("IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE"),
}
STILLBORN = {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"}
"""The creation failed. CloudFormation cannot update such a stack, only remove it."""
PLANNED = "REVIEW_IN_PROGRESS"
"""A stack without resources, whose change set was never executed."""


@dataclass(frozen=True)
class ExistingStack:
    """A stack as CloudFormation describes it."""

    arn: str
    status: str
    parameters: Mapping[str, str]
    tags: Mapping[str, str]
    outputs: Mapping[str, str]
    is_protected: bool

    def check_changeable(self, place: StackPlace) -> None:
        """Raise `InputError` for a stack that must not be changed, or not now.

        One that `skipscan deploy` did not create, whose resources an update could remove; one on which CloudFormation
        works; and one that a person must correct first.
        """
        if self.status == PLANNED:
            return
        if self.tags.get(MARK) != BY:
            raise InputError(
                f"stack {place.stack}",
                rule="was deployed in another way (the CDK, Terraform or the console)",
                remedy=f"use the same way again, such as make deploy ENV={place.environment} (or make destroy), or use "
                "another environment with --env",
            )
        stack = f"stack {place.stack}"
        if self.status.endswith("_IN_PROGRESS"):
            raise InputError(stack, rule=f"is {self.status}", remedy="wait until CloudFormation has finished")
        if self.status == "UPDATE_ROLLBACK_FAILED":
            raise InputError(
                stack,
                rule=f"is {self.status}, because its last update and its rollback failed; its events in the console "
                "show why",
                remedy=f"correct that, then run aws cloudformation continue-update-rollback --stack-name {place.stack}",
            )


def find_stack(place: StackPlace) -> ExistingStack | None:
    """Return the stack of an environment; `None` if there is no stack."""
    try:
        [stack] = place.cloudformation.describe_stacks(StackName=place.stack)["Stacks"]
    except ClientError as error:
        if code(error) != "ValidationError" or "does not exist" not in error.response["Error"].get("Message", ""):
            raise
        return None
    if stack["StackStatus"] == "DELETE_COMPLETE":
        return None
    return ExistingStack(
        arn=stack["StackId"],
        status=stack["StackStatus"],
        parameters={each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])},
        tags={each["Key"]: each["Value"] for each in stack.get("Tags", [])},
        outputs={each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])},
        is_protected=bool(stack.get("EnableTerminationProtection")),
    )


def existing(place: StackPlace) -> ExistingStack:
    """Return the stack of an environment; raise `NotFoundError` if there is no stack."""
    found = find_stack(place)
    if found is None:
        raise NotFoundError(
            "env",
            place.environment,
            f"there is no stack {place.stack} in {place.region} of account {place.account}",
            "use another environment, --region or --profile",
        )
    return found


@dataclass(frozen=True)
class Prompter:
    """How to show a line to a person, and how to ask a question with the answer yes or no.

    `live`: shows a line in place of the one before; an empty one clears it. `is_verbose`: every resource is shown.
    """

    say: Callable[[str], None]
    confirm: Callable[[str], bool]
    live: Callable[[str], None]
    is_verbose: bool

    def demand(self, question: str, *, otherwise: str) -> None:
        """Ask; raise `SkipscanError` for the answer no."""
        if not self.confirm(question):
            raise SkipscanError(otherwise, rule="", remedy="")
