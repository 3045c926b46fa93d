"""The deployed loop without Lambda: the same core and threads, batch after batch."""

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from local.audit_table import ATTRIBUTE, TEMPLATE
from skipscan.aws import table as described
from skipscan.aws.faults import fault
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.items.walk import ItemProgress
from skipscan.loop.run_batch import Pump, run_batch
from skipscan.pace.bounds import Bounds, Clock
from skipscan.retrofit.batch import RetrofitBatch, RetrofitCounts, RetrofitRequest
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.plan import retrofit_plan
from skipscan.retrofit.requests import RetrofitTable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

THREADS = 16


def ours(client: "DynamoDBClient", table: str) -> dict[str, float]:
    """Return one worker's results and consumption, without its verification."""
    asked = RetrofitInput(table=table, templates={ATTRIBUTE: TEMPLATE}, workers=1, segments=16, verify=False)
    plan = retrofit_plan(asked, described.describe(client, table), US_EAST_1)
    progress: ItemProgress[RetrofitCounts] = ItemProgress(0, RetrofitCounts())
    while not progress.done(plan):
        batch = RetrofitBatch(
            plan, progress, bounds=Bounds(seconds=240), clock=Clock(time.monotonic), random=random.random, write=len
        )
        pump: Pump[RetrofitRequest, object] = batch
        if error := run_batch(pump, RetrofitTable(client, plan).do, THREADS, fault=fault):
            raise error
        progress = replace(batch.progress, batch=progress.batch + 1)
    counts = progress.counts
    return {
        "items": counts.items,
        "requests": counts.requests,
        "read_units": counts.read_units,
        "write_units": counts.write_units,
        "conflicts": counts.conflicts,
    }
