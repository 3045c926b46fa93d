"""The handlers of the functions that follow a table's stream."""

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import boto3
from aws_lambda_powertools.utilities.typing import LambdaContext

from handlers import handlers
from skipscan.aws import clients
from skipscan.aws.follower import THREADS, Follower, described, followed_table
from skipscan.dynamodb.delivery import from_stream
from skipscan.loop.metric import Metric

if TYPE_CHECKING:
    from skipscan.aws.function import Handler

follower = Follower.of()


def _keeper() -> "Handler":
    """Keeper: after writes to a table, put markers into new item collections, and delete those of ended ones."""
    from skipscan.items import mark
    from skipscan.markers.marker import Marker
    from skipscan.markers.requests import marker_keeping

    dynamodb = clients.dynamodb(boto3.Session(), connections=THREADS, attempts=clients.ATTEMPTS)

    @follower.logger.inject_lambda_context
    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the records to deliver again.

        A table that cannot be described, or a marker that does not fit it, fails the whole batch: no single record is
        at fault.
        """
        table = os.environ["SKIPSCAN_TABLE"]
        description = described(dynamodb, table)
        home = mark.home(follower.metrics.environment, context.invoked_function_arn, description)
        of_table = partial(Marker.described, json.loads(os.environ["SKIPSCAN_MARKER"]), table, home=home)
        marker = of_table(description)
        delivery = from_stream(event["Records"], marker.key_names)
        followed = followed_table(dynamodb, table, os.environ["SKIPSCAN_STREAM"], fits=of_table)
        effect = marker_keeping(dynamodb, marker, check=followed.check)
        return follower.handle(Metric.KEEPER_LAG, delivery, effect, context, table=table)

    return handler


def _keep_attribute() -> "Handler":
    """Keep attribute: after writes to a table, set the attribute that a retrofit set on older items."""
    from skipscan.dynamodb.source import Source
    from skipscan.items.assignments import Assignments
    from skipscan.items.concatenation import Separator
    from skipscan.retrofit.item import set_attributes
    from skipscan.retrofit.requests import attribute_keeping

    dynamodb = clients.dynamodb(boto3.Session(), connections=THREADS, attempts=clients.ATTEMPTS)

    @follower.logger.inject_lambda_context
    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the records to deliver again.

        The keeper's own updates come back as records, too; then there is nothing to do.
        """
        table = os.environ["SKIPSCAN_TABLE"]
        description = described(dynamodb, table)
        kept = json.loads(os.environ["SKIPSCAN_KEPT"])
        separator = Separator(kept.get("separator", Separator.REFUSE))
        requested = (kept.get("set", {}), separator, kept.get("remove", ()))
        assignments = Assignments.parse(*requested).described(description)
        key = Source.described(table, description, None).key_names
        followed = followed_table(dynamodb, table, os.environ["SKIPSCAN_STREAM"])
        steps = partial(set_attributes, assignments, table, assignments.attributes)
        keeping = attribute_keeping(dynamodb, steps, key, check=followed.check)
        delivery = from_stream(event["Records"], key)
        return follower.handle(Metric.ATTRIBUTE_KEEPER_LAG, delivery, keeping, context, table=table)

    return handler


def _replicator() -> "Handler":
    """Replicator: after writes to a table, make the new table agree, and look again when no old request can arrive."""
    from skipscan.aws.faults import scrubbed
    from skipscan.copy.replica import Replica, check_apart, from_queue
    from skipscan.copy.requests import recheck, replication
    from skipscan.dynamodb.source import Source
    from skipscan.inputs.names import table_name

    session = boto3.Session()
    dynamodb = clients.dynamodb(session, connections=THREADS, attempts=clients.ATTEMPTS)
    sqs = clients.sqs(session, connections=THREADS)

    @follower.logger.inject_lambda_context
    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the records, or the messages, to deliver again.

        For records of the stream, the late looks are promised before anything else is done. Raises `TableError` for a
        pair that is one table: synth cannot see that of names that AWS fills in later, and a copy may never have been
        planned.
        """
        replica = Replica.configured(json.loads(os.environ["SKIPSCAN_REPLICA"]))
        check_apart(replica)
        key = Source.described(replica.source, described(dynamodb, replica.source), None).key_names
        is_stream = "dynamodb" in event["Records"][0]
        if is_stream:
            delivery = from_stream(event["Records"], key)
            with scrubbed():
                recheck(sqs, replica, (change.key for change in delivery.changes(key)))
        else:
            delivery = from_queue(event["Records"], key, replica.stream)
        followed = followed_table(dynamodb, replica.source, replica.stream)
        effect = replication(dynamodb, replica, key, is_late=not is_stream, check=followed.check)
        return follower.handle(Metric.REPLICATOR_LAG, delivery, effect, context, table=table_name(replica.source))

    return handler


__getattr__ = handlers(keeper=_keeper, keep_attribute=_keep_attribute, replicator=_replicator)
