"""Replicator: after writes to a table, make the new table agree, and look again when nothing old can arrive."""

import json
import os
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, table
from skipscan.aws.copy_tables import LateLooks, PairedItems
from skipscan.aws.replication import THREADS, Replication, is_done
from skipscan.copy.late_look import keys_of
from skipscan.copy.reconciling import Ending
from skipscan.copy.replica import Replica
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import TableDescription
from skipscan.stream.changed_items import changed_items

logger = Logger()
session = boto3.Session()
dynamodb = clients.dynamodb(session, connections=THREADS, attempts=clients.ATTEMPTS)
sqs = clients.sqs(session, connections=THREADS)

QUIET = {Ending.RIGHT.value, Ending.WRITTEN.value}


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the records or messages that are to be delivered again."""
    replica = Replica.from_json(json.loads(os.environ["SKIPSCAN_REPLICA"]))
    key_names = _key_names(replica.source)
    queue = LateLooks(sqs, replica.queue)
    replication = Replication(replica.transform, PairedItems(dynamodb, replica, key_names[0]), queue)
    until = time.monotonic() + context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
    records = event["Records"]
    if "dynamodb" in records[0]:
        failed = _follow(records, key_names, replication, queue, until)
    else:
        failed = list(_look_again(records, key_names, replication, until))
    counts = {"records": len(records), "keys": dict(replication.endings), "failed": len(failed)}
    if failed or replication.endings.keys() - QUIET:
        logger.warning("replicated in part", counts=counts)
    else:
        logger.info("replicated", counts=counts)
    return {"batchItemFailures": [{"itemIdentifier": identifier} for identifier in failed]}


def _follow(
    records: list[dict[str, Any]],
    key_names: tuple[str, ...],
    replication: Replication,
    queue: LateLooks,
    until: float,
) -> list[str]:
    """Reconcile the keys of a stream's records, each once; the late look is promised before anything else is done."""
    changed, unreadable = changed_items(records, key_names)
    queue.promise([one.key for one in changed])
    endings = replication.reconcile([one.key for one in changed], promised=True, until=until)
    again = [one for one, ending in zip(changed, endings, strict=True) if not is_done(ending)]
    return [*unreadable, *(record for one in again for record in one.records)]


def _look_again(
    messages: list[dict[str, Any]], key_names: tuple[str, ...], replication: Replication, until: float
) -> Iterator[str]:
    """Reconcile the keys of each message; what the new table refuses ends in the dead-letter queue, for a person."""
    for message in messages:
        try:
            keys: list[Item] = keys_of(message["body"], key_names)
        except ValueError:
            yield message["messageId"]
            continue
        endings = replication.reconcile(keys, promised=False, until=until)
        if not all(is_done(ending) and ending != Ending.REFUSED for ending in endings):
            yield message["messageId"]


@cache
def _key_names(name: str) -> tuple[str, ...]:
    """Return the table's key attributes, asked for once per function instance."""
    description: TableDescription = table.describe(dynamodb, name)
    return tuple(attribute.name for attribute in Source.described(name, description, None).key)
