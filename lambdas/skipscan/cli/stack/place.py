"""Account and region of a stack, and the clients for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from skipscan.aws import clients
from skipscan.errors import DeniedError

DENIED = {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "403"}
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
        """Return the place for the credentials and the region of a session."""
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

    @contextmanager
    def permitted(self) -> Iterator[None]:
        """Name the required permissions if AWS denies a request."""
        try:
            yield
        except ClientError as error:
            if code(error) not in DENIED:
                raise
            raise DeniedError(
                f"{error.operation_name} is denied for these credentials: "
                f"{error.response['Error'].get('Message') or 'AWS gives no reason'}. `skipscan deploy --env "
                f"{self.environment} --permissions` prints the policy that they need"
            ) from None


def code(error: ClientError) -> str:
    """Return the error code of a refused request."""
    return str(error.response["Error"].get("Code"))


def _in_own_namespace(params: dict[str, Any], **_: Any) -> None:
    """Create a bucket in the account's regional namespace. As a header: boto3 has the parameter since 2026 only."""
    params["headers"]["x-amz-bucket-namespace"] = "account-regional"
