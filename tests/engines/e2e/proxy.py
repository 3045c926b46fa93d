"""An HTTP proxy before one engine, where a test decides what becomes of a call: it is handed on, refused or cut."""

import http.client
import select
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

from local.server import HOST

BETWEEN_TWO = {"connection", "content-length", "date", "expect", "keep-alive", "server", "transfer-encoding"}
"""Headers that concern one connection, not the call."""

SECONDS = 600.0
"""After which an engine, or a caller, that says nothing has failed."""


@dataclass(frozen=True)
class ProxyResponse:
    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Raw:
    """An answer to the last byte. `ends`: the connection is closed behind it."""

    content: bytes
    ends: bool = True


@dataclass(frozen=True)
class Call:
    """A request as a Lambda sent it.

    `name`: method and path, such as `PUT /bucket/key`, or the operation of DynamoDB, such as `Scan`. `forward`: lets
    the engine carry it out and returns the answer.
    """

    name: str
    body: bytes
    forward: Callable[[], ProxyResponse]


Fault = Callable[[Call], ProxyResponse | Raw | None]
"""What becomes of a call: the answer, or `None` to cut the connection without one."""


class Proxy(ThreadingHTTPServer):
    """Forwards to the engine at the URL `upstream`; `fault` has every call, from several threads at once."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Handler)
        self.upstream = ""
        self.fault: Fault = Proxy.forward
        self.failures: list[BaseException] = []
        """What `fault` raised: a defect of the test."""

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}"

    @staticmethod
    def forward(call: Call) -> ProxyResponse | Raw | None:
        return call.forward()

    @contextmanager
    def failing(self, fault: Fault) -> Iterator[None]:
        """Give every call to `fault` for the length of the block; raise what it raised."""
        self.fault = fault
        try:
            yield
        finally:
            self.fault = Proxy.forward
        if self.failures:
            raise self.failures[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if error and not isinstance(error, ConnectionError | TimeoutError):  # a caller that is gone is no defect
            self.failures.append(error)

    def shutdown_request(self, request: Any) -> None:
        self.close_request(request)  # no farewell, so that a cut connection shows as reset


class _Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # buffered, or each answer would be several packets, and take 40 ms with Nagle's algorithm
    disable_nagle_algorithm = True
    timeout = SECONDS
    _engine: http.client.HTTPConnection | None = None

    def _carry(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            raise ConnectionResetError("the caller ended in mid-request")  # as a service, which takes no half of it
        operation = self.headers.get("X-Amz-Target", "").rpartition(".")[2]
        name = operation or f"{self.command} {unquote(urlsplit(self.path).path)}"
        answer = self.server.fault(Call(name, body, lambda: self._forwarded(body)))
        if answer is None:
            self._cut()
        elif isinstance(answer, Raw):
            self.wfile.write(answer.content)
            self.close_connection = answer.ends
        else:
            self._answer(answer)

    do_DELETE = do_GET = do_HEAD = do_POST = do_PUT = _carry  # noqa: N815

    def _forwarded(self, body: bytes) -> ProxyResponse:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in BETWEEN_TWO}
        engine = self._connected()
        engine.request(self.command, self.path, body, headers)
        response = engine.getresponse()
        return ProxyResponse(response.status, response.read(), tuple(response.getheaders()))

    def _connected(self) -> http.client.HTTPConnection:
        """Return the connection to the engine; a new one if the engine has closed the idle one."""
        idle = self._engine and self._engine.sock
        if self._engine is None or (idle and select.select([idle], [], [], 0)[0]):
            if self._engine:
                self._engine.close()
            place = urlsplit(self.server.upstream)
            self._engine = http.client.HTTPConnection(str(place.hostname), place.port, timeout=SECONDS)
        return self._engine

    def _answer(self, answer: ProxyResponse) -> None:
        self.send_response_only(answer.status)
        length = len(answer.body)
        for name, value in answer.headers:
            if name.lower() == "content-length" and self.command == "HEAD":
                length = int(value)
            elif name.lower() not in BETWEEN_TWO:
                self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(answer.body)

    def _cut(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def handle_expect_100(self) -> bool:
        met = super().handle_expect_100()
        self.wfile.flush()  # or boto3 waits a second for it, before every object it puts
        return met

    def finish(self) -> None:
        if self._engine:
            self._engine.close()
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: tests look at what came of the calls."""


@contextmanager
def proxy() -> Iterator[Proxy]:
    """A proxy that listens on a free port for the length of the block; set its `upstream`."""
    with Proxy() as server:
        thread = Thread(target=server.serve_forever, args=(0.05,), name="proxy")
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
