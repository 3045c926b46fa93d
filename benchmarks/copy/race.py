"""Each way alone on the same table, then again without any work left, then while an application writes."""

import random
import time
from contextlib import closing
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from benchmarks.copy.naive import Naive
from benchmarks.copy.ours import THREADS, Ours
from benchmarks.retrofit.naive import made
from local import audit_table
from local.dynalite import dynalite
from local.embedded import SESSION, dynamodb_client
from skipscan.aws import lean
from skipscan.dynamodb.source import Item

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WRITE_SECONDS = 0.01
"""Seconds between two writes of the application: a hundred a second, far below the engine's capacity."""

DELETES = 0.3


def race(items: int) -> dict[str, Any]:
    """Return the figures of both ways on a table of so many items."""
    with dynalite() as url, closing(lean.lean_dynamodb(SESSION, THREADS, url, notify=print)) as own:
        plain = dynamodb_client(url)
        ways: dict[str, tuple[type[Ours] | type[Naive], DynamoDBClient]] = {
            "ours": (Ours, own),
            "naive": (Naive, plain),
        }
        return {"items": items} | {name: run(way, client, plain, name, items) for name, (way, client) in ways.items()}


def run(
    way: type[Ours] | type[Naive], client: "DynamoDBClient", plain: "DynamoDBClient", name: str, items: int
) -> dict[str, Any]:
    """Return the figures of one way."""
    rows = list(audit_table.items(items))
    for kind in ("alone", "among-writers"):
        for side in ("old", "new"):
            audit_table.create(plain, f"{name}-{kind}-{side}")
        audit_table.load(plain, f"{name}-{kind}-old", rows)
    alone = way(client, f"{name}-alone-old", f"{name}-alone-new")
    begun = time.perf_counter()
    first = alone.copy()
    seconds = time.perf_counter() - begun
    again = alone.copy()
    old, new = f"{name}-among-writers-old", f"{name}-among-writers-new"
    changes = _among_writers(way(client, old, new), plain, old, [row["id"]["S"] for row in rows])
    return {
        **first,
        "items_per_second": round(first["items"] / seconds),
        "again": {unit: again[unit] for unit in ("requests", "read_units", "write_units")},
        "changes_meanwhile": changes,
        **_wrong(plain, old, new),
    }


def _among_writers(way: Ours | Naive, plain: "DynamoDBClient", old: str, ids: list[str]) -> int:
    """Return how many items an application changed or deleted while the way copied and followed."""
    over = Event()
    chance = random.Random(1)
    changes = 0

    def write() -> None:
        nonlocal changes
        while not over.wait(WRITE_SECONDS):
            key: Any = {"id": {"S": chance.choice(ids)}}
            changes += 1
            if chance.random() < DELETES:
                plain.delete_item(TableName=old, Key=key)
                way.follow(key, None)
                continue
            item: Any = {**key, "resourceId": {"S": str(changes)}, "action": {"S": "viewed"}}
            item |= {"accessedBy": {"S": "ann"}, "timestamp": {"S": "2026-01-01"}}
            plain.put_item(TableName=old, Item=item)
            way.follow(key, item)

    writer = Thread(target=write)
    writer.start()
    way.copy()
    over.set()
    writer.join()
    way.come_to_rest()
    return changes


def _wrong(plain: "DynamoDBClient", old: str, new: str) -> dict[str, int]:
    """Return how many items of the new table differ from the old table."""
    source, target = _items(plain, old), _items(plain, new)
    wanted = {id_: {**item, **made(item)} for id_, item in source.items()}
    return {
        "changes_lost": sum(target.get(id_) != item for id_, item in wanted.items()),
        "deletes_undone": len(target.keys() - wanted.keys()),
    }


def _items(client: "DynamoDBClient", table: str) -> dict[str, Item]:
    pages = client.get_paginator("scan").paginate(TableName=table)
    return {item["id"]["S"]: dict(item) for page in pages for item in page["Items"]}
