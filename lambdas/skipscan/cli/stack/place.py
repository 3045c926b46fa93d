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
ATTEMPTS = 10
"""CloudFormation throttles per account, and other tools poll it, too."""


@dataclass(frozen=True)
class Place:
    """One environment's stack in an account and region."""

    environment: str
    account: str
    partition: str
    region: str
    cloudformation: Any
    s3: Any
    dynamodb: Any

    @classmethod
    def of(cls, session: boto3.Session, environment: str) -> "Place":
        """Return the place for the credentials and the region of a session."""
        patient = Config(connect_timeout=5, retries={"mode": "standard", "total_max_attempts": ATTEMPTS})
        cloudformation = clients.make(session, "cloudformation", patient)
        identity = clients.make(session, "sts", patient).get_caller_identity()
        return cls(
            environment=environment,
            account=identity["Account"],
            partition=identity["Arn"].split(":")[1],
            region=cloudformation.meta.region_name,
            cloudformation=cloudformation,
            s3=clients.make(session, "s3", patient),
            dynamodb=clients.make(session, "dynamodb", patient),
        )

    @property
    def stack(self) -> str:
        return f"skipscan-{self.environment}"

    @property
    def code_bucket(self) -> str:
        """The bucket for code that `skipscan deploy` creates once for each account and region."""
        return f"skipscan-code-{self.account}-{self.region}"

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
