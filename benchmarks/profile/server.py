"""A DynamoDB with one table of a made-up shape and of any size, whose pages are prepared.

As a program: `python -m benchmarks.profile.server PORT SHAPE BYTES`. A page is one of a few prepared ones, whatever the
segment, so the server takes no time of its own. Each segment has as many pages as its part of the bytes.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from random import Random
from typing import Any

from benchmarks.client.canned import content_length, response
from local.checkout import environ
from local.profile_tables import EXPIRES, INDEX_KEY, KEYS, TABLES
from local.server import HOST, free_port, serving
from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES, STEP_UNITS
from skipscan.dynamodb.table_description import KeyAttribute, key_schema
from skipscan.dynamodb.write_units import item_bytes

PREPARED = 6
PAGE_BYTES = PAGE_STEPS * STEP_BYTES


def pages(shape: str) -> list[list[dict[str, Any]]]:
    """Return the items of the prepared pages of a shape, of 1 MB each."""
    items = chain.from_iterable(TABLES[shape](Random(seed)) for seed in repeat(7))
    return [list(_page(items)) for _ in range(PREPARED)]


def _page(items: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    left = PAGE_BYTES
    for item in items:
        left -= item_bytes(item)
        if left < 0:
            return
        yield item


def body(items: list[dict[str, Any]], last: dict[str, Any] | None) -> bytes:
    """Return the answer to Scan with these items."""
    more = {} if last is None else {"LastEvaluatedKey": last}
    units = PAGE_STEPS * STEP_UNITS
    consumed = {"ConsumedCapacity": {"TableName": "Made", "CapacityUnits": units}}
    document = {"Items": items, "Count": len(items), "ScannedCount": len(items), **more, **consumed}
    return json.dumps(document, separators=(",", ":")).encode()


@contextmanager
def served(shape: str, size_bytes: int) -> Iterator[str]:
    """Yield the endpoint URL of the server."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.profile.server", str(port), shape, str(size_bytes)]
    with serving("profile", port, command, environ=environ(), health="/") as url:
        yield url


class Server:
    def __init__(self, shape: str, size_bytes: int) -> None:
        self._keys = [KeyAttribute(*one) for one in KEYS[shape]]
        prepared = pages(shape)
        keys = [{key.name: items[-1][key.name] for key in self._keys} for items in prepared]
        self._pages = [body(items, key) for items, key in zip(prepared, keys, strict=True)]
        self._last = [body(items, None) for items in prepared]
        self._bytes = size_bytes
        self._items = size_bytes // PAGE_BYTES * len(prepared[0])
        self._shape = shape
        self._done: dict[int, int] = {}

    def answer(self, head: bytes, asked: dict[str, int]) -> bytes:
        if b".DescribeTable\r\n" in head:
            return json.dumps({"Table": self._described}).encode()
        if b".DescribeTimeToLive\r\n" in head:
            on = {"TimeToLiveStatus": "ENABLED", "AttributeName": EXPIRES}
            off = {"TimeToLiveStatus": "DISABLED"}
            return json.dumps({"TimeToLiveDescription": on if self._shape == "Sessions" else off}).encode()
        segment = asked["Segment"]
        done = self._done[segment] = self._done.get(segment, 0) + 1
        of_segment = round(self._bytes / PAGE_BYTES / asked["TotalSegments"])
        prepared = self._pages if done < of_segment else self._last
        return prepared[(segment + done) % PREPARED]

    @property
    def _described(self) -> dict[str, Any]:
        index = {
            "IndexName": "by-status",
            "KeySchema": key_schema(*([KeyAttribute(*one)] for one in INDEX_KEY)),
            "Projection": {"ProjectionType": "ALL"},
        }
        is_shop = self._shape == "Shop"
        attributes = [*KEYS[self._shape], *(INDEX_KEY if is_shop else ())]
        return {
            "TableName": "Made",
            "TableStatus": "ACTIVE",
            "KeySchema": key_schema(self._keys[:1], self._keys[1:]),
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in attributes],
            "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
            "ItemCount": self._items,
            "TableSizeBytes": self._bytes,
            **({"GlobalSecondaryIndexes": [index]} if is_shop else {}),
        }

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                asked = await reader.readexactly(content_length(head))
                writer.write(response("200 OK", self.answer(head, json.loads(asked)) if asked else b""))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def main(port: int, shape: str, size_bytes: int) -> None:
    server = await asyncio.start_server(Server(shape, size_bytes).talk, HOST, port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
