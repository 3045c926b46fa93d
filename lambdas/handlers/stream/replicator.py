"""Replicator: after writes to a table, make the new table agree, and look again when no old request can arrive."""

import json
import os
from typing import Any

import boto3
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.faults import scrubbed
from skipscan.copy.aws.replication import Replication
from skipscan.copy.aws.tables import LateLooks, PairedItems
from skipscan.copy.late_look import from_queue
from skipscan.copy.replica import Replica
from skipscan.dynamodb.source import Source
from skipscan.inputs.names import table_name
from skipscan.metrics.metric import Metric
from skipscan.stream.aws.followed_table import FollowedTable
from skipscan.stream.aws.follower import THREADS, Follower, described
from skipscan.stream.delivery import from_stream

follower = Follower.of(Metric.REPLICATOR_LAG)
session = boto3.Session()
dynamodb = clients.dynamodb(session, connections=THREADS, attempts=clients.ATTEMPTS)
sqs = clients.sqs(session, connections=THREADS)


@follower.logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the records, or the messages, to deliver again.

    For records of the stream, the late looks are promised before anything else is done.
    """
    replica = Replica.from_json(json.loads(os.environ["SKIPSCAN_REPLICA"]))
    source = Source.described(replica.source, described(dynamodb, replica.source), None)
    key = [attribute.name for attribute in source.key]
    is_stream = "dynamodb" in event["Records"][0]
    if is_stream:
        delivery = from_stream(event["Records"], key)
        with scrubbed():
            LateLooks(sqs, replica).promise(change.key for change in delivery.changes(key))
    else:
        delivery = from_queue(event["Records"], key, replica.stream)
    items = PairedItems(dynamodb, replica, key[0])
    followed = FollowedTable(dynamodb, replica.source, replica.stream)
    replication = Replication(replica.transform, items, key, is_late=not is_stream, check=followed.check)
    return follower.handle(delivery, replication, context, table=table_name(replica.source))
