"""A function on a table's stream: its rights to read it, how it gets records, and the queue for those it gives up."""

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from .grant import acknowledge, allow

RETRIES = 10
BATCH_RECORDS = 100
WHY_WILDCARD = "Lambda asks for ListStreams when a mapping is made; it has no resources that could be named."


def follow(scope: Construct, function: lambda_.Function, role: iam.Role, stream: str, *events: str) -> sqs.Queue:
    """Give a function the stream's records of these kinds of event; return the queue for what it could not do."""
    allow(role, ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], [stream])
    allow(role, "dynamodb:ListStreams", ["*"], why_wildcard=WHY_WILDCARD)
    failures = sqs.Queue(
        scope,
        "Failures",
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=Duration.days(14),
    )
    acknowledge(failures, "AwsSolutions-SQS3", "It is a dead-letter queue itself: the one of a stream.")
    lambda_.EventSourceMapping(
        scope,
        "Stream",
        target=function,
        event_source_arn=stream,
        # All that the stream still holds, so that nothing is lost between a run over the table and keeping it.
        starting_position=lambda_.StartingPosition.TRIM_HORIZON,
        filters=[lambda_.FilterCriteria.filter({"eventName": lambda_.FilterRule.or_(*events)})],
        batch_size=BATCH_RECORDS,
        max_batching_window=Duration.seconds(1),  # events of one thing in one invocation cost one look
        parallelization_factor=1,
        report_batch_item_failures=True,
        bisect_batch_on_error=True,
        retry_attempts=RETRIES,
        on_failure=sources.SqsDlq(failures),
    )
    return failures
