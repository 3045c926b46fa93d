"""One DynamoDB made of two engines: one for tables that need a stream, the other for the rest.

dynalite scans like DynamoDB and has no streams; MiniStack has streams and scans differently. Neither has point-in-time
recovery, so the router answers for it: these tables can be created again at any time.
"""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from local.server import HOST

NAME = re.compile(r"(?:.*:table/)?([^/]+)")
RECOVERY = "DescribeContinuousBackups"
PASSED_ON = ("X-Amz-Target", "Content-Type", "Authorization", "X-Amz-Date")


class Router(ThreadingHTTPServer):
    """`streamed`: the URL of the engine with streams, and `names` the tables in it; all others are in `scanned`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, scanned: str, names: frozenset[str]) -> None:
        super().__init__((HOST, 0), _Request)
        self.url = f"http://{HOST}:{self.server_address[1]}"
        self.scanned, self.streamed, self.names = scanned, scanned, names

    def engine_of(self, target: str, requested: Mapping[str, Any]) -> str:
        """Return the URL of the engine that has the table of a request."""
        if target.startswith("DynamoDBStreams"):
            return self.streamed
        named = (
            requested.get("TableName")
            or requested.get("ResourceArn")
            or next(iter(requested.get("RequestItems", {})), "")
        )
        found = NAME.match(named)
        return self.streamed if found and found[1] in self.names else self.scanned


class _Request(BaseHTTPRequestHandler):
    server: Router
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        target, requested = self.headers.get("X-Amz-Target", ""), json.loads(body or b"{}")
        if target.endswith(f".{RECOVERY}"):
            self._answer(200, {"Content-Type": "application/x-amz-json-1.0"}, _recovery())
            return
        headers = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
        # A connection for each request: dynalite closes an idle one after five seconds, also while a request is sent.
        engine = urlsplit(self.server.engine_of(target, requested))
        with closing(http.client.HTTPConnection(engine.netloc, timeout=60)) as connection:
            connection.request("POST", "/", body, headers)
            answer = connection.getresponse()
            kept = {
                name: value for name, value in answer.getheaders() if name.lower().startswith(("x-amz", "content-type"))
            }
            self._answer(answer.status, kept, answer.read())

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        with suppress(ConnectionError, TimeoutError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the terminal is a person's shell."""


def _recovery() -> bytes:
    described = {
        "ContinuousBackupsStatus": "ENABLED",
        "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "ENABLED"},
    }
    return json.dumps({"ContinuousBackupsDescription": described}).encode()


@contextmanager
def routed(scanned: str, names: frozenset[str]) -> Iterator[Router]:
    """Run a router in its own thread; the caller sets the URL of the engine with streams."""
    router = Router(scanned, names)
    thread = threading.Thread(target=router.serve_forever, daemon=True)
    thread.start()
    try:
        yield router
    finally:
        router.shutdown()
        thread.join()
        router.server_close()
