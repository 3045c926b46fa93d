"""The router answers although the engine behind it closes every connection that idles."""

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from local.router import routed
from local.server import HOST


class Impatient(BaseHTTPRequestHandler):
    """Answers one request of a connection, and closes it without a word about that."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def impatient_engine() -> Iterator[str]:
    with ThreadingHTTPServer((HOST, 0), Impatient) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_connection_that_the_engine_has_closed_is_not_used_again(impatient_engine: str) -> None:
    with routed(impatient_engine, frozenset()) as router:
        client = http.client.HTTPConnection(router.url.removeprefix("http://"), timeout=60)
        for _ in range(3):
            client.request("POST", "/", b'{"TableName": "Orders"}', {"X-Amz-Target": "DynamoDB_20120810.DescribeTable"})
            assert client.getresponse().read() == b"{}"
        client.close()
