"""Queues of messages that a person has to look at, or a function."""

from aws_cdk import Duration
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from .grant import acknowledge


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


def dead_letters(scope: Construct, id: str, what: str, key: kms.IKey | None = None) -> sqs.Queue:
    """Return a queue that keeps what somebody gave up until a person looks at it. `what`: whose it is."""
    kept = queue(scope, id, retention=Duration.days(14), key=key)
    acknowledge(kept, "AwsSolutions-SQS3", f"It is a dead-letter queue itself: the one of {what}.")
    return kept
