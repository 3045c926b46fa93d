"""The bucket for code and template: private, accessible by TLS only, and owned by this account.

A bucket's name is guessable and global, so somebody else may own it. Every call names the owner that is expected
(S3 user guide, "Verifying bucket ownership with bucket owner condition").
"""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.clients import domains, is_aws
from skipscan.cli.stack.place import StackPlace, code
from skipscan.errors import InputError
from skipscan.pace.pace import retrying

CONFLICTS = 5
"""Attempts to create the bucket while S3 still works on an earlier request for it (409 OperationAborted)."""
CONFLICT_SECONDS = 5.0
NO_REGION = "us-east-1"
"""The one region that CreateBucket does not take as a location constraint."""
PRIVATE = {
    "BlockPublicAcls": True,
    "BlockPublicPolicy": True,
    "IgnorePublicAcls": True,
    "RestrictPublicBuckets": True,
}
TLS_ONLY = "SkipscanTlsOnly"


@dataclass(frozen=True)
class CodeBucket:
    """`is_own`: `skipscan deploy` creates the bucket and keeps it private; otherwise the user named a bucket."""

    place: StackPlace
    name: str
    is_own: bool
    sleep: Callable[[float], None]

    def exists(self) -> bool:
        """Return whether the bucket exists; raise `InputError` for a bucket of another account or region."""
        try:
            found = _or_none(lambda: self.place.s3.head_bucket(**self._named), "404")
        except ClientError as error:
            if code(error) == "403":
                raise InputError(
                    f"bucket {self.name}",
                    rule=f"does not belong to account {self.place.account}, or these credentials do not allow its use",
                    remedy=f"see `skipscan deploy --env {self.place.environment} --permissions`, or give another "
                    "bucket with --code-bucket",
                ) from None
            raise
        if found is None:
            return False
        region = found.get("BucketRegion") or self.place.region
        if region != self.place.region:
            raise InputError(
                f"bucket {self.name}",
                rule=f"is in {region}; Lambda takes code from a bucket in {self.place.region} only",
                remedy="give a bucket of that region with --code-bucket",
            )
        return True

    def make(self) -> None:
        """Create the bucket; raise `InputError` if another account has a bucket with this name."""
        place = {} if self.place.region == NO_REGION else {"LocationConstraint": self.place.region}
        parameters: dict[str, Any] = {"CreateBucketConfiguration": place} if place else {}
        try:
            retrying(
                lambda: self.place.s3.create_bucket(Bucket=self.name, **parameters),
                [CONFLICT_SECONDS] * (CONFLICTS - 1),
                passes=lambda error: isinstance(error, ClientError) and code(error) == "OperationAborted",
                sleep=self.sleep,
            )
        except ClientError as error:
            if code(error) == "BucketAlreadyExists":
                raise InputError(
                    f"bucket {self.name}",
                    rule="belongs to another account",
                    remedy="give one of your buckets with --code-bucket",
                ) from None
            if code(error) != "BucketAlreadyOwnedByYou":  # an earlier request for it, whose answer was lost
                raise

    def secure(self) -> None:
        """Make the bucket private and accessible only by TLS. Statements that others added to its policy stay."""
        blocked = _or_none(
            lambda: self.place.s3.get_public_access_block(**self._named)["PublicAccessBlockConfiguration"],
            "NoSuchPublicAccessBlockConfiguration",
        )
        if blocked != PRIVATE:
            self.place.s3.put_public_access_block(PublicAccessBlockConfiguration=PRIVATE, **self._named)
        written = _or_none(lambda: self.place.s3.get_bucket_policy(**self._named)["Policy"], "NoSuchBucketPolicy")
        policy: dict[str, Any] = json.loads(written) if written else {"Version": "2012-10-17", "Statement": []}
        found = policy["Statement"] if isinstance(policy["Statement"], list) else [policy["Statement"]]
        statements = [each for each in found if each.get("Sid") != TLS_ONLY]
        updated = {**policy, "Statement": [*statements, self._tls_only()]}
        if updated != policy:
            self.place.s3.put_bucket_policy(Policy=json.dumps(updated), **self._named)

    def upload(self, name: str, content: bytes) -> str:
        """Put an object unless the same content exists; return its URL for CloudFormation."""
        digest = b64encode(sha256(content).digest()).decode()
        earlier = _or_none(lambda: self.place.s3.head_object(Key=name, ChecksumMode="ENABLED", **self._named), "404")
        if earlier is None or earlier.get("ChecksumSHA256") != digest:
            self.place.s3.put_object(Key=name, Body=content, ChecksumSHA256=digest, **self._named)
        address = self.place.s3.meta.endpoint_url
        if is_aws(self.place.s3):  # without FIPS or IPv6, whose names of S3 CloudFormation does not say that it takes
            address = f"https://s3.{self.place.region}.{domains()[self.place.partition][0]}"
        return f"{address}/{self.name}/{name}"

    @property
    def _named(self) -> dict[str, str]:
        return {"Bucket": self.name, "ExpectedBucketOwner": self.place.account}

    def _tls_only(self) -> dict[str, Any]:
        arn = f"arn:{self.place.partition}:s3:::{self.name}"
        return {
            "Sid": TLS_ONLY,
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [arn, f"{arn}/*"],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }


def _or_none(ask: Callable[[], Any], missing: str) -> Any:
    """Return the answer to a request; `None` for the code of an error that says that nothing is there."""
    try:
        return ask()
    except ClientError as error:
        if code(error) != missing:
            raise
        return None
