"""One keep-alive connection of one thread, and its answers.

http.client connects and verifies certificates. This module reads the head of an answer itself: http.client uses the
parser of e-mail for it, which takes more processor time than the rest of a short page. Of the headers it looks up the
five that it needs, because a dictionary of all of them takes as long as reading the answer.
"""

import socket
import ssl
import time
import zlib
from http.client import HTTPConnection, HTTPSConnection
from mmap import mmap
from threading import Condition, Lock
from typing import Self

from botocore.exceptions import (
    ChecksumError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    IncompleteReadError,
    ReadTimeoutError,
    SSLError,
)
from botocore.parsers import ResponseParserError
from urllib3.util.wait import wait_for_read

from skipscan.aws.clients import HEADER, REPEATED, Answered
from skipscan.aws.lean.request import Raw, Route

ROOM_BYTES = 1 << 24
"""The bodies that a client holds at once, in bytes: at least five full pages of keys, or one body that is longer.

128 walks of a worker may wait for one that parses its page, and no more bodies than it parses meanwhile save time.
"""


class AnswerRoom:
    """The bytes for bodies, shared by a client's connections. A connection leaves the rest of an answer to the network.

    The longest head start of short answers costs nothing: a body that came with its head is not counted.
    """

    def __init__(self, count: int = ROOM_BYTES) -> None:
        self._all = self._left = count
        self._freed = Condition()
        self._next = Lock()

    def body(self, length: int, until: float) -> "Body":
        """Return a body of this length when there is room; raise `TimeoutError` if there is none `until` then."""
        # One waits at a time, or short bodies would take what a long one waits for.
        if not self._next.acquire(timeout=max(0.0, until - time.monotonic())):
            raise TimeoutError
        try:
            with self._freed:
                least = min(length, self._all)
                if not self._freed.wait_for(lambda: self._left >= least, until - time.monotonic()):
                    raise TimeoutError
                self._left -= length
        finally:
            self._next.release()
        try:
            return Body(self, length)
        except Exception:  # such as a system without memory
            self.free(length)
            raise

    def free(self, count: int) -> None:
        with self._freed:
            self._left += count
            self._freed.notify()


class Body(mmap):
    """A body that takes its room until nobody holds it any more.

    Memory of its own, which the system gets back at once: malloc has heaps for each few threads, and keeps in all of
    them what the longest answers took.
    """

    _room: AnswerRoom | None = None
    _length: int

    def __new__(cls, room: AnswerRoom, length: int) -> Self:
        self = super().__new__(cls, -1, length)
        self._room, self._length = room, length
        return self

    def __del__(self) -> None:
        if self._room:  # Python also ends a body whose memory the system refused
            self._room.free(self._length)


IDLE_SECONDS = 5.0
"""After this many idle seconds a connection is replaced: the server, or a device in between, may have dropped it."""

ANSWER_SECONDS = 60.0
"""The longest time of one answer, head and body, in seconds; the read time-out applies to each piece of it."""

HEAD_BYTES, BODY_BYTES, PIECE_BYTES = 1 << 16, 1 << 26, 1 << 14
"""The longest answer. A page of 1 MB has at most about 14 MB of JSON, if its items are lists of nulls."""

LENGTH, KEEPS, CHECKSUM = b"\r\ncontent-length:", b"\r\nconnection:", b"\r\nx-amz-crc32:"
REQUEST_ID = f"\r\n{HEADER}:".encode()
ENCODINGS = (b"\r\ntransfer-encoding:", b"\r\ncontent-encoding:")


class Connection:
    """A connection for a route, opened when first needed, used by one thread, and closed when that thread ends.

    `room`: for the bodies of all connections together.
    """

    def __init__(
        self,
        route: Route,
        context: ssl.SSLContext | None,
        connect_seconds: float,
        read_seconds: float,
        room: AnswerRoom,
    ) -> None:
        self._url, self._read_seconds, self._room = route.url, read_seconds, room
        self._http = (
            HTTPSConnection(route.host, route.port, timeout=connect_seconds, context=context)
            if route.is_secure
            else HTTPConnection(route.host, route.port, timeout=connect_seconds)
        )
        self._used = 0.0, 0.0
        self._answered = Answered()

    def __del__(self) -> None:
        self._http.close()

    def exchange(self, request: bytes, *, is_read: bool) -> Raw:
        """Send a request and return the answer; raises botocore's exceptions, which quote neither.

        Raises `NotImplementedError` for an answer in a form that boto3 may read and this client does not. `is_read`:
        the request is sent again at once, on a new connection, if an older connection ends without a whole answer.
        """
        # A server may close a kept connection just as a request is sent.
        is_older = self._is_usable()
        try:
            return self._exchange(request)
        except (ConnectionClosedError, IncompleteReadError):
            if not (is_older and is_read):
                raise
        return self._exchange(request)

    def _is_usable(self) -> bool:
        """Return whether a connection is open; close one that was idle for long, or that the server ended."""
        if self._http.sock is None:
            return False
        # Two clocks: one of them stops while a Lambda is frozen or a laptop sleeps.
        idle = max(time.time() - self._used[0], time.monotonic() - self._used[1])
        # Bytes, or an end, before a request was sent: the server has closed the connection.
        if idle > IDLE_SECONDS or wait_for_read(self._http.sock, timeout=0):
            self._http.close()
        return self._http.sock is not None

    def _exchange(self, request: bytes) -> Raw:
        if self._http.sock is None:
            self._connect()
        keeps = False  # until all of an answer is read: its rest would be taken for the next one
        try:
            self._http.sock.sendall(request)
            raw, keeps = self._receive()
        except TimeoutError:
            raise ReadTimeoutError(endpoint_url=self._url) from None
        except OSError:
            raise ConnectionClosedError(endpoint_url=self._url) from None
        finally:
            if not keeps:
                self._http.close()
        self._used = time.time(), time.monotonic()
        return raw

    def _connect(self) -> None:
        try:
            self._http.connect()
        except OSError as error:
            self._http.close()
            if isinstance(error, TimeoutError):
                raise ConnectTimeoutError(endpoint_url=self._url) from None
            kind = SSLError if isinstance(error, ssl.SSLError) else EndpointConnectionError
            raise kind(endpoint_url=self._url, error=error) from None
        connected: socket.socket = self._http.sock
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connected.settimeout(self._read_seconds)

    def _receive(self) -> tuple[Raw, bool]:
        """Return the answer, and whether the connection can be used again."""
        until = time.monotonic() + ANSWER_SECONDS
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            piece = self._http.sock.recv(PIECE_BYTES)
            if not piece or len(data) > HEAD_BYTES:
                raise ConnectionClosedError(endpoint_url=self._url)
            if time.monotonic() > until:
                raise TimeoutError
            data += piece
        status, head, fields, length, keeps = _head(data[:end])
        body: bytes | Body = data[end + 4 :]
        if (filled := len(body)) > length:
            raise ResponseParserError("an answer is longer than its Content-Length")
        if filled < length:
            received = self._room.body(length, until)
            received[:filled], body = body, received
            with memoryview(body) as view:
                while filled < length:
                    count = self._http.sock.recv_into(view[filled:])
                    if not count:
                        raise IncompleteReadError(actual_bytes=filled, expected_bytes=length)
                    if time.monotonic() > until:
                        raise TimeoutError
                    filled += count
        if self._answered.is_repeat(_field(fields, REQUEST_ID)):
            raise ResponseParserError(REPEATED)
        checksum, found = _field(fields, CHECKSUM), str(zlib.crc32(body))
        if checksum not in (None, found):
            raise ChecksumError(checksum_type="crc32", expected_checksum=checksum, actual_checksum=found)
        return Raw(status, head, body), keeps


def _head(head: bytes) -> tuple[int, bytes, bytes, int, bool]:
    """Return status, headers, headers in lower case, the length of the body, and whether the connection is kept."""
    first, _, headers = head.partition(b"\r\n")
    version, _, status = first.partition(b" ")
    if version not in (b"HTTP/1.1", b"HTTP/1.0") or not status[:3].isdigit():
        raise ResponseParserError("an answer does not start with an HTTP status line")
    fields = b"\r\n%b\r\n" % headers.lower()
    length = _field(fields, LENGTH)
    if not length or ENCODINGS[0] in fields or ENCODINGS[1] in fields:
        raise NotImplementedError("an answer is encoded, or has no length")
    # The number of digits first: int is slow for a long text.
    if not (length.isdigit() and len(length) <= 8 and int(length) <= BODY_BYTES):
        raise ResponseParserError("an answer has an invalid length")
    keeps = _field(fields, KEEPS) or ("keep-alive" if version == b"HTTP/1.1" else "close")
    return int(status[:3]), headers, fields, int(length), keeps != "close"


def _field(fields: bytes, name: bytes) -> str | None:
    """Return the last header of this name; `None` if there is none."""
    begin = fields.rfind(name)
    if begin < 0:
        return None
    begin += len(name)
    return fields[begin : fields.index(b"\r\n", begin)].decode("latin-1").strip()
