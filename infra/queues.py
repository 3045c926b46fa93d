"""Queues of messages that a person has to look at, or a function."""

from aws_cdk import Duration
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs
from constructs import Construct


def queue(
    scope: Construct,
    id: str,
    *,
    retention: Duration,
    visibility_timeout: Duration | None = None,
    dead_letter_queue: sqs.DeadLetterQueue | None = None,
    key: kms.IKey | None = None,
) -> sqs.Queue:
    """Return a queue that is encrypted, with a key of SQS by default, and accepts TLS only."""
    return sqs.Queue(
        scope,
        id,
        encryption=sqs.QueueEncryption.KMS if key else sqs.QueueEncryption.SQS_MANAGED,
        encryption_master_key=key,
        enforce_ssl=True,
        retention_period=retention,
        visibility_timeout=visibility_timeout,
        dead_letter_queue=dead_letter_queue,
    )
