"""The minimum work of a client: prepared requests as bytes, over so many connections, with the answers ignored."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.client.canned import content_length

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Recorder:
    """The requests that a client sends from now on, as bytes."""

    def __init__(self, client: "DynamoDBClient") -> None:
        self.requests: list[bytes] = []
        client.meta.events.register("before-send.dynamodb.Scan", self._record)

    def _record(self, request: Any, **_event: object) -> None:
        headers = {"Host": urlsplit(request.url).netloc, **request.headers}
        lines = [f"{name}: {value.decode() if isinstance(value, bytes) else value}" for name, value in headers.items()]
        self.requests.append("\r\n".join(["POST / HTTP/1.1", *lines, "\r\n"]).encode() + request.body)


def replay(url: str, requests: Sequence[bytes], connections: int) -> None:
    """Send the requests, each as soon as a connection is free, and read the answers."""
    place, left = urlsplit(url), iter(requests)

    async def send() -> None:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        for request in left:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head[:16]:
                raise RuntimeError(f"the engine answered {head[:16]!r}")
            await reader.readexactly(content_length(head))
        writer.close()

    async def send_all() -> None:
        await asyncio.gather(*(send() for _ in range(connections)))

    asyncio.run(send_all())
