"""Keeper: after writes to a table, put markers where item collections began, delete them where collections ended."""

import json
import os
import time
from functools import cache
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, table
from skipscan.aws.keeping import THREADS, keep_all
from skipscan.aws.markers import Markers
from skipscan.markers.keeper import Outcome
from skipscan.markers.marker import Marker
from skipscan.stream.stream_record import changes

logger = Logger()
dynamodb = clients.dynamodb(boto3.Session(), connections=THREADS, attempts=clients.ATTEMPTS)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the records that are to be delivered again; Lambda goes on from the lowest of them.

    A table that cannot be described, or a marker that does not fit it, fails the whole batch: no record is at fault.
    """
    marker = _marker()
    changed, unreadable = changes(event["Records"], marker)
    markers = Markers(dynamodb, marker)
    seconds = context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
    kept = keep_all(changed, marker, markers, until=time.monotonic() + seconds)
    failed = [*unreadable, *kept.failed]
    counts = {
        "records": len(event["Records"]),
        "collections": dict(kept.outcomes),
        "unreadable": len(unreadable),
        "failed": len(failed),
        **markers.spent.to_json(),
    }
    if failed or kept.outcomes.keys() - {Outcome.AGREES.value}:
        logger.warning("kept in part", counts=counts)
    else:
        logger.info("kept", counts=counts)
    return {"batchItemFailures": [{"itemIdentifier": record} for record in failed]}


@cache
def _marker() -> Marker:
    """Return the marker of the environment, checked against its table once per function instance."""
    name = os.environ["SKIPSCAN_TABLE"]
    return Marker.described(json.loads(os.environ["SKIPSCAN_MARKER"]), name, table.describe(dynamodb, name))
