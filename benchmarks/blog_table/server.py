"""The virtual table behind HTTP, in a process of its own, so that a client's processor time can be measured alone."""

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection

from benchmarks.blog_table.table import VirtualTable, answer


@contextmanager
def served(table: VirtualTable) -> Iterator[str]:
    """Yield the URL of an endpoint that answers Scan, and end it afterwards."""
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(table, there), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    table: VirtualTable


class _Scan(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one write

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, _Server)  # noqa: S101 - tells mypy, not the user
        body = json.dumps(answer(self.server.table, asked), separators=(",", ":")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("x-amz-crc32", str(zlib.crc32(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def _serve(table: VirtualTable, there: Connection) -> None:
    server = _Server(("127.0.0.1", 0), _Scan)
    server.table = table
    there.send(server.server_address[1])
    server.serve_forever()
