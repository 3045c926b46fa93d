"""Keep attribute: after writes to a table, set the attribute that a retrofit set on older items."""

import json
import os
from typing import Any

import boto3
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.dynamodb.source import Source
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator
from skipscan.metrics.metric import Metric
from skipscan.retrofit.aws.table import AttributeKeeping, RetrofitItems
from skipscan.stream.aws.followed_table import FollowedTable
from skipscan.stream.aws.follower import THREADS, Follower, described
from skipscan.stream.delivery import from_stream

follower = Follower.of(Metric.ATTRIBUTE_KEEPER_LAG)
dynamodb = clients.dynamodb(boto3.Session(), connections=THREADS, attempts=clients.ATTEMPTS)


@follower.logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the records to deliver again.

    The keeper's own updates come back as records, too; then there is nothing to do.
    """
    table = os.environ["SKIPSCAN_TABLE"]
    description = described(dynamodb, table)
    kept = json.loads(os.environ["SKIPSCAN_KEPT"])
    assignments = Assignments.parse(kept["set"], Separator(kept.get("separator", Separator.REFUSE))).described(
        description
    )
    key = [attribute.name for attribute in Source.described(table, description, None).key]
    items = RetrofitItems(dynamodb, table, key[0], tuple(dict.fromkeys((*assignments.sources, *assignments.names))))
    followed = FollowedTable(dynamodb, table, os.environ["SKIPSCAN_STREAM"])
    keeping = AttributeKeeping(assignments, items, key, check=followed.check)
    return follower.handle(from_stream(event["Records"], key), keeping, context, table=table)
