"""Each way alone on the same table, then again without any work left, then while an application writes."""

import random
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import boto3

from benchmarks.retrofit.naive import naive
from benchmarks.retrofit.ours import THREADS, ours
from local import audit_table
from local.checkout import ACCESS_KEY, REGION
from local.dynalite import dynalite
from local.embedded import dynamodb_client
from skipscan.aws import lean

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Way = Callable[["DynamoDBClient", str], dict[str, float]]
WRITE_SECONDS = 0.01
"""Seconds between two writes of the application: a hundred a second, far below the engine's capacity."""


def race(items: int) -> dict[str, Any]:
    """Return the figures of both ways on a table of so many items."""
    with dynalite() as url:
        session = boto3.Session(ACCESS_KEY, ACCESS_KEY, region_name=REGION)
        own = lean.lean_dynamodb(session, THREADS, url, notify=print)
        plain = dynamodb_client(url)
        figures = {"items": items}
        ways: dict[str, tuple[Way, DynamoDBClient]] = {"ours": (ours, own), "naive": (naive, plain)}
        return figures | {name: _run(way, client, plain, name, items) for name, (way, client) in ways.items()}


def _run(way: Way, client: "DynamoDBClient", plain: "DynamoDBClient", name: str, items: int) -> dict[str, Any]:
    rows = list(audit_table.items(items))
    for kind in ("alone", "among-writers"):
        audit_table.create(plain, f"{name}-{kind}")
        audit_table.load(plain, f"{name}-{kind}", rows)
    begun = time.perf_counter()
    first = way(client, f"{name}-alone")
    seconds = time.perf_counter() - begun
    again = way(client, f"{name}-alone")
    writes, lost = _among_writers(way, client, plain, f"{name}-among-writers", [row["id"]["S"] for row in rows])
    return {
        **first,
        "items_per_second": round(first["items"] / seconds),
        "again": {unit: again[unit] for unit in ("requests", "read_units", "write_units")},
        "writes_meanwhile": writes,
        "writes_lost": lost,
    }


def _among_writers(
    way: Way, client: "DynamoDBClient", plain: "DynamoDBClient", table: str, ids: list[str]
) -> tuple[int, int]:
    """Return how many items an application changed during the work, and how many of these changes are lost."""
    written: dict[str, str] = {}
    over = Event()
    chance = random.Random(1)

    def write() -> None:
        while not over.wait(WRITE_SECONDS):
            id_, value = chance.choice(ids), str(len(written))
            plain.update_item(
                TableName=table,
                Key={"id": {"S": id_}},
                UpdateExpression="SET seen = :s",
                ExpressionAttributeValues={":s": {"S": value}},
            )
            written[id_] = value

    writer = Thread(target=write)
    writer.start()
    way(client, table)
    over.set()
    writer.join()
    lost = 0
    for page in plain.get_paginator("scan").paginate(TableName=table):
        for item in page["Items"]:
            lost += item["id"]["S"] in written and item.get("seen", {}).get("S") != written[item["id"]["S"]]
    return len(written), lost
