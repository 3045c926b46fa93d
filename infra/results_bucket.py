"""The bucket for the results of an environment."""

from typing import Any

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from skipscan.environment import KINDS
from skipscan.listing.fields import ONLY_PREFIX
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import Kind
from skipscan.loop.layout import CHECKPOINT_DAYS

from .grant import acknowledge, allow, via

PREFIX = "skipscan"


def root_of(kind: Kind[Any]) -> str:
    """Return what the names of a kind's objects begin with, for any table and work: see `skipscan.loop.layout`."""
    return f"{PREFIX}/*/{kind.folder}/*"


RUNS = root_of(LISTING)
RUN_MANIFEST, RUN_PARTS, RUN_ALLOTMENTS = f"{RUNS}/manifest.json", f"{RUNS}/{LISTING.lines}/*", f"{RUNS}/allotments/*"
DIFF, DIFF_PARTS = f"{RUNS}/diff.json", f"{RUNS}/diff/*"
PROFILE, PROFILE_PAGE = f"{RUNS}/profile.json", f"{RUNS}/profile.html"
GIVEN_KEYS = f"{RUNS}/only/*"
"""The keys of runs that list only these."""

LISTS = f"{ONLY_PREFIX}*"
"""The lists of keys that people put."""

FINISHED = f"{PREFIX}/*/finished/*"
"""The index of finished runs, in the order of their starts."""

WHY_WILDCARD = "Runs, workers and batches get their names when they run; what kind of object it is, is named."


class ResultsBucket(s3.Bucket):
    """Private, encrypted, TLS only; results never change.

    `key`: the ARN of the KMS key for the objects; `None` for S3 managed keys. `keep`: the bucket outlives the stack.
    `results_days`: after how many days results expire; `None` for never.
    """

    def __init__(self, scope: Construct, id: str, *, key: str | None, keep: bool, results_days: int | None) -> None:
        super().__init__(
            scope,
            id,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.KMS if key else s3.BucketEncryption.S3_MANAGED,
            encryption_key=kms.Key.from_key_arn(scope, f"{id}Key", key) if key else None,
            bucket_key_enabled=True if key else None,  # one KMS call for many objects
            enforce_ssl=True,
            minimum_tls_version=1.2,
            lifecycle_rules=[
                s3.LifecycleRule(
                    id="checkpoints",
                    tag_filters={"skipscan": "checkpoint"},
                    expiration=Duration.days(CHECKPOINT_DAYS),
                ),
                s3.LifecycleRule(id="uploads", abort_incomplete_multipart_upload_after=Duration.days(1)),
            ],
            # Not retained if its creation is rolled back: each failed first deployment would leave an empty bucket.
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if keep else RemovalPolicy.DESTROY,
        )
        if results_days:
            self.add_lifecycle_rule(id="results", prefix=f"{PREFIX}/", expiration=Duration.days(results_days))
        self._key = key
        kept = [(kind, ("plan.json", f"{kind.lines}/*", "checkpoints/*", "manifest.json")) for kind in KINDS.values()]
        written_once = [f"{root_of(kind)}/{name}" for kind, names in kept for name in names]
        self._forbid_overwriting(*written_once, DIFF, DIFF_PARTS, PROFILE, GIVEN_KEYS)
        acknowledge(
            self,
            "AwsSolutions-S1",
            "CloudTrail's data events tell who read a result, and an account has them for all its buckets or for "
            "none; a log bucket in every stack would be one more to guard, and would itself have no log.",
        )

    def _forbid_overwriting(self, *objects: str) -> None:
        """Deny overwriting these objects to everybody: no permission can undo a commit."""
        self.add_to_resource_policy(
            iam.PolicyStatement(
                effect=iam.Effect.DENY,
                principals=[iam.AnyPrincipal()],
                actions=["s3:PutObject"],
                resources=[self.arn_for_objects(name) for name in objects],
                conditions={"Null": {"s3:if-none-match": "true"}},
            )
        )

    def allow_read(self, role: iam.IRole, *objects: str) -> None:
        self._grant(role, "s3:GetObject", "kms:Decrypt", objects)

    def allow_put(self, role: iam.IRole, *objects: str) -> None:
        self._grant(role, "s3:PutObject", "kms:GenerateDataKey", objects)

    def allow_tagging(self, role: iam.IRole, *objects: str) -> None:
        """Grant a role the right to put objects with the tag by which they expire."""
        self._grant(role, "s3:PutObjectTagging", None, objects)

    def allow_absence(self, role: iam.IRole) -> None:
        """Grant a role the right to list the objects, and so to learn that one is missing.

        S3 answers 404 only to those who may list the bucket, and 403 to others. A condition on the listed prefix would
        not match when a single object is requested (API reference, GetObject and HeadObject, "Permissions").
        """
        allow(role, "s3:ListBucket", [self.bucket_arn])

    def _grant(self, role: iam.IRole, action: str, key_action: str | None, objects: tuple[str, ...]) -> None:
        allow(role, action, [self.arn_for_objects(name) for name in objects], why_wildcard=WHY_WILDCARD)
        if self._key and key_action:
            allow(role, key_action, [self._key], conditions=via(self, "s3"))
