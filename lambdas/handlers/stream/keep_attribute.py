"""Keep attribute: after writes to a table, set the attribute that a retrofit set on the items before them."""

import json
import os
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, table
from skipscan.aws.attribute_keeping import THREADS, keep_attributes
from skipscan.aws.retrofit_table import RetrofitItems
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.concatenation import Separator
from skipscan.items.targets import Targets
from skipscan.retrofit.settling import Outcome
from skipscan.stream.changed_items import changed_items

logger = Logger()
dynamodb = clients.dynamodb(boto3.Session(), connections=THREADS, attempts=clients.ATTEMPTS)

QUIET = {Outcome.WRITTEN.value, Outcome.RIGHT.value, Outcome.GONE.value}


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the records that are to be delivered again; Lambda goes on from the lowest of them.

    Its own updates come back as events too, and find nothing to do: the second look at an item ends it.
    """
    name = os.environ["SKIPSCAN_TABLE"]
    description = _description(name)
    kept_set: Mapping[str, Any] = json.loads(os.environ["SKIPSCAN_KEPT"])
    targets = Targets.parse(kept_set["set"], Separator(kept_set.get("separator", Separator.REFUSE)))
    targets = targets.described(description)
    key_names = [attribute.name for attribute in Source.described(name, description, None).key]
    changed, unreadable = changed_items(event["Records"], key_names)
    items = RetrofitItems(dynamodb, name, key_names[0], tuple(dict.fromkeys((*targets.sources, *targets.names))))
    seconds = context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
    kept = keep_attributes(changed, targets, items, until=time.monotonic() + seconds)
    failed = [*unreadable, *kept.failed]
    counts = {
        "records": len(event["Records"]),
        "items": dict(kept.outcomes),
        "unreadable": len(unreadable),
        "failed": len(failed),
    }
    if failed or kept.outcomes.keys() - QUIET:
        logger.warning("kept in part", counts=counts)
    else:
        logger.info("kept", counts=counts)
    return {"batchItemFailures": [{"itemIdentifier": record} for record in failed]}


@cache
def _description(name: str) -> TableDescription:
    """Return the table's description, asked for once per function instance."""
    return table.describe(dynamodb, name)
