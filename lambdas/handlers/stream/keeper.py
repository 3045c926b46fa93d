"""Keeper: after writes to a table, put markers into new item collections, and delete those of ended ones."""

import json
import os
from typing import Any

import boto3
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.items import mark
from skipscan.markers.aws.requests import Markers
from skipscan.markers.marker import Marker
from skipscan.metrics.metric import Metric
from skipscan.stream.aws.followed_table import FollowedTable
from skipscan.stream.aws.follower import THREADS, Follower, described
from skipscan.stream.delivery import from_stream

follower = Follower.of(Metric.KEEPER_LAG)
dynamodb = clients.dynamodb(boto3.Session(), connections=THREADS, attempts=clients.ATTEMPTS)


@follower.logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the records to deliver again.

    A table that cannot be described, or a marker that does not fit it, fails the whole batch: no single record is at
    fault.
    """
    table = os.environ["SKIPSCAN_TABLE"]
    description = described(dynamodb, table)
    home = mark.home(follower.metrics.environment, context.invoked_function_arn, description)
    marker = Marker.described(json.loads(os.environ["SKIPSCAN_MARKER"]), table, description, home)
    delivery = from_stream(event["Records"], marker.key_names)
    followed = FollowedTable(dynamodb, table, os.environ["SKIPSCAN_STREAM"])
    return follower.handle(delivery, Markers(dynamodb, marker, check=followed.check), context, table=table)
