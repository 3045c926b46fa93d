"""A DynamoDB with prepared answers, so that a measurement contains no server work.

As a program: `python -m benchmarks.canned PORT ITEMS KEYS` answers every Scan with the next of some pages of so many
items in so many item collections, and every write and GetItem as successful. A Scan without a start key gets its
segment's page each time, or the first item of that page with Limit=1, because a worker makes its first read twice and
compares the answers. All other answers ignore Limit.
"""

import asyncio
import itertools
import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from botocore.config import Config

from local.audit_table import SEED, items
from local.checkout import environ
from local.embedded import SESSION
from local.server import HOST, free_port, serving
from skipscan.aws import clients
from skipscan.aws.lean import LeanClient
from skipscan.dynamodb.table_description import TableDescription
from skipscan.scan.plan import WALKS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGES, MOST_ITEMS = 64, 1 << 16
"""Different pages: so many, or more of short ones, because a walk must not meet a page again soon."""


def _description(name: str, *keys: str, **more: Any) -> TableDescription:
    schema = [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)]
    attributes = [{"AttributeName": key, "AttributeType": "S"} for key in keys]
    document = {"TableName": name, "TableStatus": "ACTIVE", "KeySchema": schema, "AttributeDefinitions": attributes}
    return TableDescription.from_json({**document, "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}, **more})


LISTED = _description("Canned", "pk", "sk")
AUDIT = _description("Audit", "id", ItemCount=100_000, TableSizeBytes=15_000_000)
"""A table whose items need an attribute: its pages are those of the audit table."""


@dataclass(frozen=True)
class Clients:
    """`lean`: a worker's. `over_boto3`: the same with boto3 for all calls. `bare`: an ordinary client of boto3."""

    lean: "DynamoDBClient"
    over_boto3: "DynamoDBClient"
    bare: "DynamoDBClient"


@contextmanager
def canned(page_items: int, keys: int | None = None) -> Iterator[Clients]:
    """Yield clients, for 16 requests at once, of a server whose pages have so many items. `keys`: of a page."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.canned", str(port), str(page_items), str(keys or page_items)]
    with serving("canned", port, command, environ=environ(), health="/") as url:
        inner, over_boto3 = (clients.dynamodb(SESSION, WALKS, url) for _ in range(2))
        bare = SESSION.client("dynamodb", endpoint_url=url, config=Config(max_pool_connections=WALKS, proxies={}))
        notices: list[str] = []
        lean = LeanClient(inner, SESSION, lambda reason, _: notices.append(reason))
        try:
            yield Clients(cast("DynamoDBClient", lean), over_boto3, bare)
        finally:
            for client in (inner, over_boto3, bare):
                client.close()
    if notices:
        raise RuntimeError(f"boto3 made the hot calls, so nothing was measured: {notices[0]}")


def page(number: int, count: int, of: int) -> bytes:
    """Return a page of so many items of `of` keys."""
    keys = [{"pk": {"S": f"customer-{number * of + place * of // count:09d}"}} for place in range(count)]
    return _page("Canned", keys, {**keys[-1], "sk": {"S": "2026-01-01#00001"}})


def audit_page(number: int, count: int) -> bytes:
    """Return a page of the audit table, with items that lack the attribute."""
    rows = list(items(count, SEED + number))[-count:]
    named = [{**row, "id": {"S": f"{number}-{row['id']['S']}"}} for row in rows]
    return _page("Audit", named, {"id": named[-1]["id"]})


def _page(table: str, found: list[Any], last: object) -> bytes:
    document = {
        "Items": found,
        "Count": len(found),
        "ScannedCount": len(found),
        "LastEvaluatedKey": last,
        "ConsumedCapacity": {"TableName": table, "CapacityUnits": max(1, len(found) * 150 // 4096) / 2},
    }
    return json.dumps(document, separators=(",", ":")).encode()


def _first_of(body: bytes) -> bytes:
    """Return a page with Limit=1."""
    document: dict[str, Any] = json.loads(body)
    return json.dumps({**document, "Items": document["Items"][:1], "Count": 1, "ScannedCount": 1}).encode()


REQUEST_ID = b"x-amzn-RequestId: "
_numbers = itertools.count()


def _request_id() -> str:
    """Return an id that no other answer has: the clients take a second one over a connection for a repeated answer."""
    return f"{next(_numbers):052d}"


def _response(body: bytes = b"") -> bytes:
    return (
        f"HTTP/1.1 200 OK\r\nServer: Server\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
        f"Content-Type: application/x-amz-json-1.0\r\nContent-Length: {len(body)}\r\nConnection: keep-alive\r\n"
        f"x-amzn-RequestId: {_request_id()}\r\nx-amz-crc32: {zlib.crc32(body)}\r\n\r\n"
    ).encode() + body


class _Server:
    def __init__(self, count: int, keys: int) -> None:
        self._items, self._keys = count, keys
        self._number = itertools.count()
        self._done = _response(json.dumps({"ConsumedCapacity": {"TableName": "Audit", "CapacityUnits": 1.0}}).encode())
        self._all_written = _response(b'{"UnprocessedItems": {}}')
        self._pages = [_response(page(number, count, keys)) for number in range(max(PAGES, MOST_ITEMS // count))]

    @cached_property
    def _audit_pages(self) -> list[bytes]:
        return [_response(audit_page(number, self._items)) for number in range(PAGES)]

    def _answer(self, head: bytes, body: bytes) -> bytes:
        if b".Scan\r\n" not in head:
            return self._all_written if b".BatchWriteItem\r\n" in head else self._done
        is_audit = b'"Audit"' in body
        pages = self._audit_pages if is_audit else self._pages
        if b'"ExclusiveStartKey"' in body:
            return pages[next(self._number) % len(pages)]
        requested = json.loads(body)
        number = int(requested["Segment"]) % PAGES
        if requested.get("Limit") != 1:
            return pages[number]
        found = audit_page(number, self._items) if is_audit else page(number, self._items, self._keys)
        return _response(_first_of(found))

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
                length = next((int(value) for name, _, value in lines if name == b"content-length"), 0)
                answer = self._answer(head, await reader.readexactly(length))
                begin = answer.index(REQUEST_ID) + len(REQUEST_ID)  # of an answer that was made before
                writer.write(answer[:begin] + _request_id().encode() + answer[begin + 52 :])
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def main(port: int, count: int, keys: int) -> None:
    server = await asyncio.start_server(_Server(count, keys).talk, HOST, port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
