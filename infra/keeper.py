"""The keeper of one table: a function on the table's stream, and the queue for what it could not do."""

import hashlib
import json
import re

from aws_cdk import CfnOutput, Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.functions import Functions
from infra.grant import acknowledge, allow
from infra.tables import Tables
from infra.writing import Kept

RETRIES = 10
BATCH_RECORDS = 100
WHY_WILDCARD = "Lambda asks for ListStreams when a mapping is made; it has no resources that could be named."


class Keeper(Construct):
    """Puts and deletes markers of `table` (a name or ARN), and nothing else: its role knows no other table."""

    def __init__(
        self, scope: Construct, id: str, *, table: str, kept: Kept, functions: Functions, tables: Tables
    ) -> None:
        super().__init__(scope, id)
        name = table.rpartition("/")[2]
        role = functions.role(id)
        tables.grant_keep(role, table)
        allow(role, ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], [kept.stream])
        allow(role, "dynamodb:ListStreams", ["*"], why_wildcard=WHY_WILDCARD)

        failures = sqs.Queue(
            self,
            "Failures",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(14),
        )
        acknowledge(failures, "AwsSolutions-SQS3", "It is a dead-letter queue itself: the one of a stream.")

        function = functions.function(
            id,
            role,
            handler="keeper",
            name=f"keeper-{short(name)}",
            memory_mb=512,
            timeout=Duration.minutes(5),
            SKIPSCAN_TABLE=name,
            SKIPSCAN_MARKER=json.dumps(kept.marker),
        )
        lambda_.EventSourceMapping(
            self,
            "Stream",
            target=function,
            event_source_arn=kept.stream,
            # All that the stream still holds, so that nothing is lost between listing a table and keeping it.
            starting_position=lambda_.StartingPosition.TRIM_HORIZON,
            filters=[lambda_.FilterCriteria.filter({"eventName": lambda_.FilterRule.or_("INSERT", "REMOVE")})],
            batch_size=BATCH_RECORDS,
            max_batching_window=Duration.seconds(1),  # a collection's events in one invocation cost one look
            parallelization_factor=1,
            report_batch_item_failures=True,
            bisect_batch_on_error=True,
            retry_attempts=RETRIES,
            on_failure=sources.SqsDlq(failures),
        )
        CfnOutput(
            self,
            "FailuresUrl",
            key=f"KeeperFailures{''.join(filter(str.isalnum, name))}",
            description=f"The queue for changes of {name} that the keeper could not follow",
            value=failures.queue_url,
        )


def short(table: str) -> str:
    """Return a table's name as part of a function's: cut and told apart by a hash where it is too long for that."""
    fitting = re.sub(r"[^A-Za-z0-9_-]", "-", table)
    if len(table) <= 23 and fitting == table:  # skipscan-<24>-keeper- leaves so many of 64
        return table
    return f"{fitting[:14]}-{hashlib.sha256(table.encode()).hexdigest()[:8]}"
