"""The existing stack of an environment: its owner, and whether it can be changed."""

from collections.abc import Mapping
from dataclasses import dataclass

from botocore.exceptions import ClientError

from skipscan.cli.stack.place import StackPlace, code
from skipscan.errors import InputError, NotFoundError
from skipscan.inputs.names import ENVIRONMENT_NAME, quoted

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

    def check_whose(self, place: StackPlace) -> None:
        """Raise `InputError` for a stack that `skipscan deploy` did not create: an update could remove resources."""
        if self.tags.get(MARK) != BY:
            raise InputError(
                f"stack {place.stack} was deployed in another way (the CDK, Terraform or the console): use the same "
                f"way again, such as make deploy ENV={place.environment}, or use another environment with --env"
            )

    def check_idle(self, place: StackPlace) -> None:
        """Raise `InputError` while CloudFormation works on the stack, or if a person must correct it first."""
        if self.status.endswith("_IN_PROGRESS"):
            raise InputError(f"stack {place.stack} is {self.status}: wait until CloudFormation has finished")
        if self.status == "UPDATE_ROLLBACK_FAILED":
            raise InputError(
                f"stack {place.stack} is {self.status}: its last update and its rollback failed. Its events in the "
                "console show why; correct that, then run aws cloudformation continue-update-rollback --stack-name "
                f"{place.stack}"
            )


def check_environment(environment: str) -> None:
    """Raise `InputError` for an invalid name of an environment."""
    if not ENVIRONMENT_NAME.fullmatch(environment):
        raise InputError(f"env is {quoted(environment)}; it must be 1 to 24 of a-z, A-Z, 0-9 and -: correct it")


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
            f"there is no stack {place.stack} in {place.region} of account {place.account}: use another environment, "
            "--region or --profile"
        )
    return found
