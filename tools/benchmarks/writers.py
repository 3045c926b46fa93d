"""What the jobs write a second, and what they lose of an application's changes."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from queue import Queue
from statistics import median
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.canned import AUDIT, canned
from benchmarks.jobs import Copy, put, retrofit
from local import audit_table
from local.audit_table import ATTRIBUTE
from local.dynalite import dynalite
from local.embedded import SESSION, dynamodb_client
from skipscan.aws import lean
from skipscan.aws.table import describe
from skipscan.dynamodb.source import Item
from skipscan.items.job import THREADS
from skipscan.items.progress import ItemCounts

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGE_ITEMS = 100
"""Of a page of the server that has its answers ready."""

MOST_TOGETHER = 25  # items of one BatchWriteItem

WRITE_SECONDS = 0.01
"""Seconds between two writes of the application: a hundred a second, far below the engine's capacity."""

DELETES = 0.3
"""The part of the application's changes that are deletes."""

Figures = dict[str, Any]

JOBS: Mapping[str, Callable[["DynamoDBClient", int], int]] = {
    "act put": put,
    "retrofit": lambda client, count: retrofit(client, AUDIT, count // PAGE_ITEMS).items,
    "copy": lambda client, count: Copy(client, AUDIT, replace(AUDIT, name="New")).copy(count // PAGE_ITEMS).items,
}


def rates(count: int, *, rounds: int) -> Figures:
    """Return items a second, and processor time an item, of each way; medians of rounds in which they take turns.

    One worker writes to a server that has its answers ready, so its processor time is the bound. Beside it are the
    same worker over boto3, and BatchWriteItem of boto3 on as many threads, which knows no condition.
    """
    taken: dict[str, list[tuple[float, float]]] = {}
    with canned(PAGE_ITEMS) as of:
        JOBS["retrofit"](of.lean, PAGE_ITEMS)  # opens its connections, and passes its trial
        ways: dict[str, Callable[[int], int]] = {name: partial(job, of.lean) for name, job in JOBS.items()}
        ways |= {f"{name}, over boto3": partial(job, of.over_boto3) for name, job in JOBS.items()}
        ways["BatchWriteItem"] = partial(in_batches, of.bare)
        for _ in range(rounds):
            for name, way in ways.items():
                start, processor = time.perf_counter(), time.process_time()
                written = way(count)
                if written < count:
                    raise RuntimeError(f"{name} wrote {written} items of {count}")
                spent = (time.perf_counter() - start) / written, 1000 * (time.process_time() - processor) / written
                taken.setdefault(name, []).append(spent)
    medians = {name: [median(column) for column in zip(*spent, strict=True)] for name, spent in taken.items()}
    return {name: {"rate": round(1 / seconds), "cpu_ms": round(cpu, 3)} for name, (seconds, cpu) in medians.items()}


def in_batches(client: "DynamoDBClient", count: int) -> int:
    """Write items by BatchWriteItem, its maximum in each request."""
    left = ({"pk": {"S": f"customer-{key:06d}"}, "sk": {"S": "#static"}} for key in range(count))
    batches = list(iter(lambda: [{"PutRequest": {"Item": item}} for item in islice(left, MOST_TOGETHER)], []))
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda batch: client.batch_write_item(RequestItems={AUDIT.name: batch}), batches))
    return count


class Way(Protocol):
    """`copy`: does the work. `follow`: handles a record of the stream. `come_to_rest`: does what is due later."""

    def copy(self) -> ItemCounts: ...
    def follow(self, key: Item, image: Item | None) -> object: ...
    def come_to_rest(self) -> object: ...


class Retrofit:
    """A retrofit, which nothing follows."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client, self._table = client, table

    def copy(self) -> ItemCounts:
        return retrofit(self._client, describe(self._client, self._table))

    def follow(self, key: Item, image: Item | None) -> None: ...
    def come_to_rest(self) -> None: ...


class Article:
    """The article's loop, which puts whole items in tens without a condition, and its replicator.

    Its Java has `DynamoDBMapper.parallelScan` over ten segments, a queue of 10,000, and `batchSave`, which is
    BatchWriteItem. The replicator of a copy obeys each record of the stream.
    """

    SEGMENTS, QUEUE_ITEMS, TOGETHER = 10, 10_000, 10

    def __init__(self, client: "DynamoDBClient", source: str, target: str) -> None:
        self._client, self._source, self._target = client, source, target

    def copy(self) -> ItemCounts:
        self._counts = ItemCounts()
        queue: Queue[dict[str, Any] | None] = Queue(self.QUEUE_ITEMS)
        scanner = Thread(target=self._scan, args=(queue,))
        scanner.start()
        left = iter(queue.get, None)
        while batch := [{**item, **made(item)} for item in islice(left, self.TOGETHER)]:
            puts: Any = [{"PutRequest": {"Item": item}} for item in batch]
            answer = self._client.batch_write_item(RequestItems={self._target: puts}, ReturnConsumedCapacity="TOTAL")
            units = sum(entry["CapacityUnits"] for entry in answer["ConsumedCapacity"])
            self._counts += ItemCounts(items=len(batch), requests=1, write_units=units)
        scanner.join()
        return self._counts

    def _scan(self, queue: "Queue[dict[str, Any] | None]") -> None:
        for segment in range(self.SEGMENTS):
            pages = self._client.get_paginator("scan").paginate(
                TableName=self._source, Segment=segment, TotalSegments=self.SEGMENTS, ReturnConsumedCapacity="TOTAL"
            )
            for page in pages:
                self._counts += ItemCounts(requests=1, read_units=page["ConsumedCapacity"]["CapacityUnits"])
                for item in page["Items"]:
                    queue.put(item)
        queue.put(None)

    def follow(self, key: Item, image: Item | None) -> None:
        if self._source == self._target:
            return
        if image is None:
            self._client.delete_item(TableName=self._target, Key=key)
        else:
            self._client.put_item(TableName=self._target, Item={**image, **made(image)})

    def come_to_rest(self) -> None:
        """Do nothing: the article's way checks nothing again."""


def made(item: Item) -> dict[str, Any]:
    """Return the attribute that an item gets."""
    return {ATTRIBUTE: {"S": "-".join(item[name]["S"] for name in ("resourceId", "action", "accessedBy"))}}


def races(items: int) -> Figures:
    """Return what each way takes of the audit table, and loses of an application's changes meanwhile, on dynalite."""
    rows = list(audit_table.items(items))
    with dynalite() as url, closing(lean.lean_dynamodb(SESSION, THREADS, url, notify=print)) as own:
        plain = dynamodb_client(url)

        def copy(old: str, new: str) -> Way:
            return Copy(own, describe(own, old), describe(own, new))

        return {
            "retrofit": raced(plain, rows, "retrofit", lambda old, _: Retrofit(own, old), into_itself=True),
            "the article's loop": raced(plain, rows, "loop", partial(Article, plain), into_itself=True),
            "copy": raced(plain, rows, "copy", copy),
            "the article's loop and replicator": raced(plain, rows, "both", partial(Article, plain)),
        }


def raced(
    plain: "DynamoDBClient",
    rows: Sequence[dict[str, Any]],
    name: str,
    make: Callable[[str, str], Way],
    *,
    into_itself: bool = False,
) -> Figures:
    """Return the figures of one way: alone, once more with nothing left to do, and while an application writes."""

    def tables(kind: str) -> tuple[str, str]:
        old, new = f"{name}-{kind}-old", f"{name}-{kind}-new"
        for table in (old, new):
            audit_table.create(plain, table)
        audit_table.load(plain, old, rows)
        return old, old if into_itself else new

    alone = make(*tables("alone"))
    start = time.perf_counter()
    first = alone.copy()
    seconds = time.perf_counter() - start
    again = alone.copy()
    source, target = tables("raced")
    changes, truth = _meanwhile(make(source, target), plain, source, rows)
    pages = plain.get_paginator("scan").paginate(TableName=target)
    found = {item["id"]["S"]: item for page in pages for item in page["Items"]}
    return {
        "items_per_second": round(first.items / seconds),
        "requests": first.requests,
        "write_units": first.write_units,
        "write_units_again": again.write_units,
        "changes": changes,
        "changes_lost": sum(found.get(key) != {**item, **made(item)} for key, item in truth.items()),
        "deletes_undone": len(found.keys() - truth.keys()),
    }


def _meanwhile(way: Way, plain: "DynamoDBClient", table: str, rows: Sequence[Item]) -> tuple[int, Mapping[str, Item]]:
    """Do the work while an application writes; return its changes, and the items as it left them."""
    truth = {item["id"]["S"]: item for item in rows}
    over, chance = Event(), random.Random(1)
    changes = 0

    def write() -> None:
        nonlocal changes
        while not over.wait(WRITE_SECONDS):
            changes += 1
            key: Item = {"id": {"S": chance.choice(sorted(truth))}}
            if chance.random() < DELETES:
                plain.delete_item(TableName=table, Key=key)
                del truth[key["id"]["S"]]
                way.follow(key, None)
                continue
            answer = plain.update_item(
                TableName=table,
                Key=key,
                UpdateExpression="SET seen = :s",
                ExpressionAttributeValues={":s": {"S": str(changes)}},
                ReturnValues="ALL_NEW",
            )
            truth[key["id"]["S"]] = dict(answer["Attributes"])
            way.follow(key, truth[key["id"]["S"]])

    writer = Thread(target=write)
    writer.start()
    way.copy()
    over.set()
    writer.join()
    way.come_to_rest()
    return changes, truth
