"""The proxy takes requests as a service does."""

import socket
from urllib.parse import urlsplit

import pytest

from tests.engines.e2e.proxy import Call, proxy

pytestmark = pytest.mark.engine


def test_half_a_request_is_no_call() -> None:
    """A Lambda that is killed while it sends a body has sent nothing."""
    seen: list[Call] = []
    with proxy() as server, server.failing(seen.append):
        place = urlsplit(server.url)
        with socket.create_connection((str(place.hostname), place.port or 0), timeout=20) as sender:
            sender.sendall(b"PUT /bucket/key HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            sender.shutdown(socket.SHUT_WR)
            assert sender.recv(1) == b""
    assert seen == []
