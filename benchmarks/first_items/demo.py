"""The demo's table on dynalite, 5 ms away, with every way really executed."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.client.distance import away
from benchmarks.client.ours import listed
from benchmarks.client.wall import DISTANCE_MILLISECONDS
from benchmarks.client.workers import workers
from benchmarks.first_items.way import KEYS, KNOWN, LAST, THEN, WHOLE, Way
from local import sample_table
from local.dynalite import dynalite
from local.embedded import dynamodb_client
from local.server import HOST
from skipscan.aws.table import describe
from skipscan.dynamodb.write_units import item_bytes
from skipscan.listing.estimate.cost import worker_seconds
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE = "Orders"
THREADS = 16


class Spent(NamedTuple):
    read_units: float
    requests: int
    seconds: float = 0.0


def demo(rounds: int) -> list[Way]:
    """Return what each way takes; seconds are medians over rounds in which the ways take turns."""
    os.environ["no_proxy"] = HOST
    orders = sample_table.customers()
    with dynalite() as near, away(near, DISTANCE_MILLISECONDS) as far, workers(far) as of:
        client = dynamodb_client(near)
        sample_table.create(client, TABLE)
        sample_table.load(client, TABLE, orders)
        runs: dict[str, Callable[[], Spent]] = {
            KEYS: lambda: ours(of.lean, len(orders)),
            LAST: lambda: ours(of.lean, len(orders), last=True),
            KNOWN: lambda: queries(of.over_boto3, list(orders)),
            WHOLE: lambda: whole(of.over_boto3, len(orders)),
        }
        ours(of.lean, len(orders), last=True)  # opens its connections, and passes its trial
        taken = [{name: timed(run) for name, run in runs.items()} for _ in range(rounds)]
    found = {}
    for name in runs:
        spent = taken[0][name]
        seconds = round(median(each[name].seconds for each in taken), 3)
        found[name] = Way(name, spent.read_units, spent.requests, seconds)
        if name in (KEYS, LAST):  # the seconds are this machine's; a plan's rule gives those of Lambda
            paid = round(worker_seconds(spent.read_units, spent.requests), 3)
            found[name] = replace(found[name], workers=1, paid_seconds=paid)
    table_bytes = sum(map(item_bytes, sample_table.items(orders)))
    then = found[KEYS].then(found[KNOWN], THEN)
    return [found[KEYS], found[LAST], found[KNOWN], then, found[WHOLE], Way.exported(table_bytes)]


def ours(client: "DynamoDBClient", keys: int, *, last: bool = False) -> Spent:
    """Return a worker's consumption, with the plan of a table of unknown size, because dynalite shows none."""
    asked = {"table": TABLE, "workers": 1, **({"take": {"last": "all"}} if last else {})}
    counts = listed(client, plan_listing(parse(asked), describe(client, TABLE)))
    if counts.keys != keys:
        raise RuntimeError(f"{counts.keys} keys of {keys}")
    return Spent(counts.read_units, counts.requests)


def queries(client: "DynamoDBClient", keys: list[str]) -> Spent:
    """Ask for each key's last item, with boto3 and sixteen threads."""

    def last(key: str) -> float:
        answer = client.query(
            TableName=TABLE,
            KeyConditionExpression="customer = :key",
            ExpressionAttributeValues={":key": {"S": key}},
            ScanIndexForward=False,
            Limit=1,
            ReturnConsumedCapacity="TOTAL",
        )
        return answer["ConsumedCapacity"]["CapacityUnits"]

    with ThreadPoolExecutor(THREADS) as pool:
        return Spent(sum(pool.map(last, keys)), len(keys))


def whole(client: "DynamoDBClient", keys: int) -> Spent:
    """Read everything with boto3 in sixteen segments, and keep each key's item with the greatest sort key."""

    def part(segment: int) -> tuple[float, int, set[str]]:
        units, requests, last = 0.0, 0, {}
        pages = client.get_paginator("scan").paginate(
            TableName=TABLE, ReturnConsumedCapacity="TOTAL", Segment=segment, TotalSegments=THREADS
        )
        for page in pages:
            units, requests = units + page["ConsumedCapacity"]["CapacityUnits"], requests + 1
            last.update({item["customer"]["S"]: item for item in page["Items"]})
        return units, requests, set(last)

    with ThreadPoolExecutor(THREADS) as pool:
        parts = list(pool.map(part, range(THREADS)))
    if sum(len(found) for _, _, found in parts) != keys:
        raise RuntimeError("the full scan found other keys")
    return Spent(sum(units for units, _, _ in parts), sum(requests for _, requests, _ in parts))


def timed(run: Callable[[], Spent]) -> Spent:
    begun = perf_counter()
    spent = run()
    return spent._replace(seconds=perf_counter() - begun)
