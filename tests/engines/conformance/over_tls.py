"""A server over TLS in front of one that has only HTTP: it decrypts, and forwards bytes without parsing them."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit

from local.authority import Authority
from local.server import HOST


@contextmanager
def over_tls(url: str, authority: Authority) -> Iterator[str]:
    """Yield the URL at which the server at `url` answers with a certificate of this authority."""
    started: Future[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    upstream = urlsplit(url).port

    async def serve() -> None:
        stop = asyncio.Event()
        server = await asyncio.start_server(talk, HOST, 0, ssl=authority.context)
        async with server:
            started.set_result((server.sockets[0].getsockname()[1], asyncio.get_running_loop(), stop))
            await stop.wait()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_connection(HOST, upstream)
        try:
            with suppress(OSError, asyncio.CancelledError):  # a slow machine also meets time-outs of TLS
                await asyncio.gather(forward(reader, requests), forward(answers, writer))
        finally:
            for each in (requests, writer):
                each.transport.abort()

    thread = Thread(target=lambda: asyncio.run(serve()), name="over_tls")
    thread.start()
    port, loop, stop = started.result(timeout=60)
    try:
        yield f"https://{HOST}:{port}"
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


async def forward(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(1 << 16):
        sink.write(data)
        await sink.drain()
    sink.close()
