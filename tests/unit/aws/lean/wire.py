"""A server of a few bytes: what a client sends is kept, and what it gets is up to the test, down to the last byte."""

import json
import socket
import ssl
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Condition, Event, Thread
from typing import Any

from local.server import HOST

VALUE = "a-key-value-of-a-customer"
PAGE: dict[str, Any] = {
    "Items": [{"k": {"S": VALUE}, "n": {"N": "12345678901234567890123456789012345678"}, "b": {"B": "AP8="}}],
    "Count": 1,
    "ScannedCount": 1,
    "LastEvaluatedKey": {"k": {"S": VALUE}, "b": {"B": "AP8="}},
    "ConsumedCapacity": {"TableName": "T", "CapacityUnits": 0.5},
}
DONE: dict[str, Any] = {"ConsumedCapacity": {"TableName": "T", "CapacityUnits": 1.0}}


@dataclass(frozen=True)
class Asked:
    """A request as it came. `connection`: the number of the connection that brought it, from 1."""

    connection: int
    headers: dict[str, str]
    body: bytes
    caller: socket.socket | None = None

    @property
    def operation(self) -> str:
        return self.headers["x-amz-target"].rpartition(".")[2]


Reply = Callable[[Asked], bytes | None]
"""What a request is answered with; after `None`, or an answer that says so, the connection is closed."""


def answer(document: Any, status: str = "200 OK", **headers: str) -> bytes:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return framed(body, status, **{"Content-Length": str(len(body)), "x-amz-crc32": str(zlib.crc32(body)), **headers})


def framed(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    """Return an answer whose headers need not fit its body."""
    lines = [f"HTTP/1.1 {status}", "x-amzn-RequestId: 1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def usual(asked: Asked) -> bytes:
    return answer(PAGE if asked.operation in ("Scan", "Query") else DONE)


@dataclass
class Wire:
    """`replies` are used up first, one a request, then `usual` ones; `asked` is all that came."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    open: set[socket.socket] = field(default_factory=set)
    news: Condition = field(default_factory=Condition)

    def serve(self, caller: socket.socket, number: int) -> None:
        with caller, suppress(OSError):
            incoming = caller.makefile("rb")
            while head := list(iter(incoming.readline, b"\r\n")) if incoming.peek(1) else []:
                pairs = [line.decode().partition(":") for line in head[1:]]
                headers = {name.lower(): value.strip() for name, _, value in pairs}
                one = Asked(number, headers, incoming.read(int(headers["content-length"])), caller)
                with self.news:
                    self.asked.append(one)
                    self.news.notify_all()
                    reply = self.replies.pop(0) if self.replies else usual
                sent = reply(one)
                if sent is None:
                    break
                caller.sendall(sent)
                if b"Connection: close" in sent:
                    break
        self.open.discard(caller)

    def until_asked(self, times: int) -> None:
        """Wait until so many requests came: a client that waits no more may be ahead of this server."""
        with self.news:
            assert self.news.wait_for(lambda: len(self.asked) >= times, 600)

    def hang_up(self) -> None:
        """Close all connections, as a server does with idle ones."""
        for caller in [*self.open]:
            with suppress(OSError):
                caller.shutdown(socket.SHUT_RDWR)


@contextmanager
def wire(context: ssl.SSLContext | None = None) -> Iterator[Wire]:
    """A server on a free port for the length of the block, with TLS if there is a context."""
    with socket.create_server((HOST, 0)) as listener:
        server = Wire(f"http{'s' if context else ''}://{HOST}:{listener.getsockname()[1]}")
        threads: list[Thread] = []
        is_over = Event()

        def serve(caller: socket.socket, number: int) -> None:
            with suppress(OSError):
                whole = context.wrap_socket(caller, server_side=True) if context else caller
                server.open.add(whole)
                server.serve(whole, number)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    caller, _ = listener.accept()
                    if is_over.is_set():
                        return caller.close()
                    caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    server.connections += 1
                    threads.append(Thread(target=serve, args=(caller, server.connections)))
                    threads[-1].start()

        accepting = Thread(target=accept)
        accepting.start()
        try:
            yield server
        finally:
            is_over.set()
            with socket.create_connection(listener.getsockname()):  # only Linux ends an accept by a shutdown
                accepting.join()
            server.hang_up()
            for thread in threads:
                thread.join()
