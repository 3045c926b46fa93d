"""A DynamoDB that has its answers ready, so that a measurement holds no work of a server.

As a program: `python -m benchmarks.client.canned PORT ITEMS` answers every Scan with the next of some pages of so many
items, each an item collection of its own; and for S3's sake HEAD with 404 and PUT with 200.
"""

import asyncio
import itertools
import json
import sys
import zlib
from contextlib import AbstractContextManager

from local.checkout import environ
from local.server import HOST, free_port, serving
from skipscan.dynamodb.table_description import TableDescription

PAGES = 64
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
"""What DescribeTable would say."""


def canned(items: int) -> AbstractContextManager[str]:
    """The endpoint URL of a server whose pages all hold so many items."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.client.canned", str(port), str(items)]
    return serving("canned", port, command, environ=environ(), health="/")


def page(number: int, items: int) -> bytes:
    keys = [{"pk": {"S": f"customer-{number * items + place:09d}"}} for place in range(items)]
    document = {
        "Items": keys,
        "Count": items,
        "ScannedCount": items,
        "LastEvaluatedKey": {**keys[-1], "sk": {"S": "2026-01-01#00001"}},
        "ConsumedCapacity": {"TableName": "Canned", "CapacityUnits": max(1, items * 150 // 4096) / 2},
    }
    return json.dumps(document, separators=(",", ":")).encode()


def response(status: str, body: bytes = b"") -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nx-amzn-RequestId: {'A' * 52}\r\nx-amz-crc32: {zlib.crc32(body)}\r\n"
        f"Content-Type: application/x-amz-json-1.0\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


class Server:
    def __init__(self, items: int) -> None:
        self._pages = itertools.cycle([response("200 OK", page(number, items)) for number in range(PAGES)])
        self._answers = {b"GET": response("200 OK"), b"PUT": response("200 OK"), b"HEAD": response("404 Not Found")}

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if b"\r\nexpect:" in head.lower():
                    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                await reader.readexactly(content_length(head))
                writer.write(self._answers.get(head.split(b" ", 1)[0]) or next(self._pages))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def content_length(head: bytes) -> int:
    """Return what the header lines of a request or an answer say of its body."""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


async def main(port: int, items: int) -> None:
    server = await asyncio.start_server(Server(items).talk, HOST, port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:3])))
