"""The bucket that the runs of an environment are written to."""

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

PREFIX = "skipscan"


class ResultsBucket(s3.Bucket):
    """Private, encrypted, reached by TLS alone; results stay until somebody removes them."""

    def __init__(self, scope: Construct, id: str, *, keep: bool) -> None:
        super().__init__(
            scope,
            id,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            lifecycle_rules=[
                # A finished run needs its checkpoints no longer; 30 days leave time to resume one that is not.
                s3.LifecycleRule(
                    id="checkpoints", tag_filters={"skipscan": "checkpoint"}, expiration=Duration.days(30)
                ),
                s3.LifecycleRule(id="uploads", abort_incomplete_multipart_upload_after=Duration.days(1)),
            ],
            removal_policy=RemovalPolicy.RETAIN if keep else RemovalPolicy.DESTROY,
        )

    def grant_run(self, function: iam.IGrantable) -> None:
        """Let a function read and write the objects of a run, and learn that one of them is not there.

        S3 answers 404 only to those who may list the bucket, 403 to others; a condition on the listed prefix
        would not hold when a single object is asked for.
        """
        objects = self.arn_for_objects(f"{PREFIX}/*")
        iam.Grant.add_to_principal(grantee=function, actions=["s3:GetObject", "s3:PutObject"], resource_arns=[objects])
        iam.Grant.add_to_principal(grantee=function, actions=["s3:ListBucket"], resource_arns=[self.bucket_arn])

    def grant_tagging(self, function: iam.IGrantable) -> None:
        """Let a function put objects with the tag by which they expire."""
        iam.Grant.add_to_principal(
            grantee=function,
            actions=["s3:PutObjectTagging"],
            resource_arns=[self.arn_for_objects(f"{PREFIX}/*")],
        )
