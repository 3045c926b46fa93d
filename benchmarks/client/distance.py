"""A distant server: everything that is sent to it arrives some milliseconds later.

As a program: `python -m benchmarks.client.distance PORT UPSTREAM_PORT MILLISECONDS`. It forwards bytes without parsing
HTTP, so it takes little processor time; asyncio sets TCP_NODELAY by itself.
"""

import asyncio
import sys
from contextlib import AbstractContextManager
from urllib.parse import urlsplit

from local.checkout import environ
from local.server import HOST, free_port, serving


def away(url: str, milliseconds: float) -> AbstractContextManager[str]:
    """Yield the URL that reaches the server at `url` with so many milliseconds added to every request."""
    port = free_port()
    upstream = str(urlsplit(url).port)
    command = [sys.executable, "-m", "benchmarks.client.distance", str(port), upstream, str(milliseconds)]
    return serving("distance", port, command, environ=environ(), health="/")


async def main(port: int, upstream: int, delay: float) -> None:
    later = asyncio.get_running_loop().call_later

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_connection(HOST, upstream)
        await asyncio.gather(forward(reader, requests, delay), forward(answers, writer, 0))

    async def forward(source: asyncio.StreamReader, sink: asyncio.StreamWriter, delay: float) -> None:
        while data := await source.read(1 << 20):
            # Never slept on: head and body of a request come apart, and are late by the same time.
            later(delay, sink.write, data) if delay else sink.write(data)
        later(delay, sink.close)

    server = await asyncio.start_server(talk, HOST, port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1000))
