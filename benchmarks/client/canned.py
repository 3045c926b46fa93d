"""A DynamoDB with prepared answers, so that a measurement contains no server work.

As a program: `python -m benchmarks.client.canned PORT ITEMS [TLS_PORT CERTIFICATE]` answers every Scan with the next of
some pages of so many items, each an item collection of its own; every write and GetItem as successful; and, for S3,
HEAD with 404 and PUT with 200. A Scan without a start key gets its segment's page each time, or the first item of that
page with Limit=1, because a worker makes its first read twice and compares the answers. All other answers ignore Limit.
"""

import asyncio
import itertools
import json
import ssl
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from local.audit_table import SEED, items
from local.authority import Authority
from local.checkout import environ
from local.server import HOST, free_port, serving
from skipscan.dynamodb.table_description import TableDescription

PAGES, MOST_ITEMS = 64, 1 << 16
"""Different pages: so many, or more of short ones, because a walk must not meet a page again soon."""

EMPTY_LIST = (
    b'<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
    b"<Name>results</Name><KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>"
    b"</ListBucketResult>"
)
"""S3's answer for an object that does not exist."""

DESCRIPTION = TableDescription.from_json(
    {
        "TableName": "Canned",
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
    }
)
"""The answer of DescribeTable."""

AUDIT = TableDescription.from_json(
    {
        "TableName": "Audit",
        "TableArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Audit",
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
        "ItemCount": 100_000,
        "TableSizeBytes": 15_000_000,
    }
)
"""The name of a table whose items need an attribute: its pages are those of the audit table."""


@contextmanager
def canned(items: int, authority: Authority | None = None) -> Iterator[str]:
    """Yield the endpoint URL of a server whose pages all have so many items; with TLS, if there is an authority."""
    port, tls_port = free_port(), free_port()
    secure = [str(tls_port), authority.server_file] if authority else []
    command = [sys.executable, "-m", "benchmarks.client.canned", str(port), str(items), *secure]
    with serving("canned", port, command, environ=environ(), health="/") as url:
        yield f"https://{HOST}:{tls_port}" if authority else url


def page(number: int, items: int) -> bytes:
    keys = [{"pk": {"S": f"customer-{number * items + place:09d}"}} for place in range(items)]
    last = {**keys[-1], "sk": {"S": "2026-01-01#00001"}}
    return _page("Canned", keys, last)


def audit_page(number: int, count: int) -> bytes:
    """Return a page of the audit table, with items that lack the attribute."""
    rows = list(items(count, SEED + number))[-count:]
    named = [{**row, "id": {"S": f"{number}-{row['id']['S']}"}} for row in rows]
    return _page("Audit", named, {"id": named[-1]["id"]})


def first_of(page: bytes) -> bytes:
    """Return a page with Limit=1."""
    document: dict[str, Any] = json.loads(page)
    return json.dumps({**document, "Items": document["Items"][:1], "Count": 1, "ScannedCount": 1}).encode()


def _page(table: str, items: object, last: object) -> bytes:
    count = len(list(items)) if isinstance(items, list) else 0
    document = {
        "Items": items,
        "Count": count,
        "ScannedCount": count,
        "LastEvaluatedKey": last,
        "ConsumedCapacity": {"TableName": table, "CapacityUnits": max(1, count * 150 // 4096) / 2},
    }
    return json.dumps(document, separators=(",", ":")).encode()


REQUEST_ID = b"x-amzn-RequestId: "
_numbers = itertools.count()


def request_id() -> str:
    """Return an id that no other answer has: the clients take a second one over a connection for a repeated answer."""
    return f"{next(_numbers):052d}"


def response(status: str, body: bytes = b"") -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nServer: Server\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
        f"Content-Type: application/x-amz-json-1.0\r\nContent-Length: {len(body)}\r\nConnection: keep-alive\r\n"
        f'x-amzn-RequestId: {request_id()}\r\nETag: "any"\r\nx-amz-crc32: {zlib.crc32(body)}\r\n\r\n'
    ).encode() + body


class Server:
    def __init__(self, items: int) -> None:
        self._items = items
        self._count = max(PAGES, MOST_ITEMS // items)
        self._number = itertools.cycle(range(self._count))
        self._answers = {b"GET": response("200 OK"), b"PUT": response("200 OK"), b"HEAD": response("404 Not Found")}
        done = {"ConsumedCapacity": {"TableName": "Audit", "CapacityUnits": 1.0}}
        self._done = response("200 OK", json.dumps(done).encode())
        self._all_written = response("200 OK", b'{"UnprocessedItems": {}}')
        self._pages = [response("200 OK", page(number, items)) for number in range(self._count)]

    def _answer(self, head: bytes, body: bytes) -> bytes:
        if b"list-type=2" in head.split(b"\r\n", 1)[0]:
            return response("200 OK", EMPTY_LIST)
        if known := self._answers.get(head.split(b" ", 1)[0]):
            return known
        if b".Scan\r\n" not in head:
            return self._all_written if b".BatchWriteItem\r\n" in head else self._done
        is_audit = b'"Audit"' in body
        pages = self._audit_pages if is_audit else self._pages
        if b'"ExclusiveStartKey"' in body:
            return pages[next(self._number) % len(pages)]
        asked = json.loads(body)
        number = int(asked["Segment"]) % PAGES
        if asked.get("Limit") != 1:
            return pages[number]
        return response("200 OK", first_of(audit_page(number, self._items) if is_audit else page(number, self._items)))

    @cached_property
    def _audit_pages(self) -> list[bytes]:
        return [response("200 OK", audit_page(number, self._items)) for number in range(PAGES)]

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if b"\r\nexpect:" in head.lower():
                    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                answer = self._answer(head, await reader.readexactly(content_length(head)))
                begin = answer.index(REQUEST_ID) + len(REQUEST_ID)  # of an answer that was made before
                writer.write(answer[:begin] + request_id().encode() + answer[begin + 52 :])
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def content_length(head: bytes) -> int:
    """Return what the header lines of a request or an answer show about its body."""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


async def main(port: int, items: int, tls_port: str = "", certificate: str = "") -> None:
    answers = Server(items)
    server = await asyncio.start_server(answers.talk, HOST, port)
    if tls_port:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        await asyncio.start_server(answers.talk, HOST, int(tls_port), ssl=context)
    await server.serve_forever()


if __name__ == "__main__":
    given_port, given_items, *secure = sys.argv[1:]
    asyncio.run(main(int(given_port), int(given_items), *secure))
