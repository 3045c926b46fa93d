"""Truncated, wrong, late or misdirected answers, and connections that end: each is a fault with a name."""

import errno
import os
import select
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import (
    ChecksumError,
    ConnectionClosedError,
    EndpointConnectionError,
    IncompleteReadError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from skipscan.aws.faults import fault
from skipscan.aws.lean import connection
from skipscan.aws.lean.connection import AnswerRoom
from skipscan.pace.pace import Fault
from tests.unit.aws.lean.conftest import CALLS, READ_SECONDS, READS, WRITES, Clients, call, patience
from tests.unit.aws.lean.wire import PAGE, VALUE, Asked, Wire, answer, framed, wire

WHOLE = answer(PAGE)


def late(asked: Asked) -> bytes:
    """Answer when the client waits no more: it has closed the connection, or sends another request over it."""
    assert asked.caller
    select.select([asked.caller], [], [])
    return answer({**PAGE, "Items": [{"k": {"S": "an answer to another request"}}]})


BROKEN: dict[str, tuple[Any, type[Exception]]] = {
    "cut in its body": (
        lambda _: framed(b'{"Items": [', **{"Content-Length": "400", "Connection": "close"}),
        IncompleteReadError,
    ),
    "cut in its head": (lambda _: b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Le", ConnectionClosedError),
    "none at all": (lambda _: None, ConnectionClosedError),
    "late": (late, ReadTimeoutError),
    "shorter than it says": (lambda _: framed(b"{}", **{"Content-Length": "3"}), ReadTimeoutError),
    "longer than it says": (lambda _: WHOLE + b"HTTP/1.1 200 OK", ResponseParserError),
    "of an impossible length": (lambda _: framed(b"{}", **{"Content-Length": "-2"}), ResponseParserError),
    "of a huge length": (lambda _: framed(b"{}", **{"Content-Length": "99999999"}), ResponseParserError),
    "of another checksum": (lambda _: answer(PAGE, **{"x-amz-crc32": "1"}), ChecksumError),
    "not HTTP": (lambda _: b"SSH-2.0-OpenSSH_9.6\r\n\r\n", ResponseParserError),
    "a web page": (lambda _: answer(b"<html>" + VALUE.encode()), ResponseParserError),
    "half a document": (lambda _: answer(b'{"Items": [{"k": {"S": "' + VALUE.encode()), ResponseParserError),
    "empty": (lambda _: answer(b""), ResponseParserError),
    "an empty document": (lambda _: answer({}), ResponseParserError),
    "a list": (lambda _: answer([VALUE]), ResponseParserError),
    "a null": (lambda _: answer(None), ResponseParserError),
    "no text": (lambda _: answer(b"\xff\xfe\xff"), ResponseParserError),
}


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_answer_is_a_passing_fault_and_shows_no_key_value(
    make: Clients, server: Wire, broken: str, name: str
) -> None:
    reply, kind = BROKEN[broken]
    client = make.proven(server)
    server.replies += [reply, reply]  # the second is for a read that is sent again
    with patience(client, READ_SECONDS if kind is ReadTimeoutError else 60), pytest.raises(kind) as caught:
        call(client, name)
    assert type(caught.value) is kind or kind is ResponseParserError
    assert fault(caught.value) is Fault.PASSING
    assert VALUE not in f"{caught.value!r} {caught.value}"
    assert caught.value.__suppress_context__ or not caught.value.__context__  # which would be logged with it
    server.replies.clear()
    assert call(client, name)["ConsumedCapacity"]["CapacityUnits"]  # its own answer, and no other's
    if name in READS[:2]:
        assert call(client, name)["Items"][0]["k"] == {"S": VALUE}
    assert make.notices == []


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("broken", BROKEN)
def test_a_write_is_sent_once_with_any_outcome(make: Clients, server: Wire, broken: str, name: str) -> None:
    reply, kind = BROKEN[broken]
    client = make.proven(server)
    server.replies.append(reply)
    with patience(client, READ_SECONDS if kind is ReadTimeoutError else 60), pytest.raises(kind):
        call(client, name)
    server.until_asked(1)
    assert len(server.asked) == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_server_that_is_gone_is_a_passing_fault(make: Clients, name: str) -> None:
    with wire() as gone:
        client = make.proven(gone)
    with pytest.raises(EndpointConnectionError) as caught:
        call(client, name)
    assert fault(caught.value) is Fault.PASSING


@pytest.mark.parametrize("stopped", ["time", "monotonic"])
@pytest.mark.parametrize("name", CALLS)
def test_a_connection_is_replaced_after_a_freeze_by_whichever_clock_has_run(
    make: Clients, server: Wire, monkeypatch: pytest.MonkeyPatch, name: str, stopped: str
) -> None:
    client = make.proven(server)
    before = server.connections
    ahead = {"time": 300.0, "monotonic": 300.0, stopped: 0.0}
    clocks = SimpleNamespace(
        time=lambda: time.time() + ahead["time"], monotonic=lambda: time.monotonic() + ahead["monotonic"]
    )
    monkeypatch.setattr(connection, "time", clocks)
    call(client, name)
    assert [asked.connection for asked in server.asked] == [before + 1]


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_drips_in_has_a_deadline(
    make: Clients, server: Wire, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """Each byte comes within the read time-out."""
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.2)
    head = WHOLE.index(b"\r\n\r\n") + 4
    start, end = {"head": (0, head), "body": (head, len(WHOLE))}[part]
    dripped: list[int] = []

    def drip(asked: Asked) -> None:
        assert asked.caller
        asked.caller.sendall(WHOLE[:start])
        for place in range(start, len(WHOLE)):
            asked.caller.sendall(WHOLE[place : place + 1])
            dripped.append(place)
            time.sleep(0.02)

    client = make.proven(server)
    server.replies.append(drip)
    with pytest.raises(ReadTimeoutError):
        call(client, "put_item")
    assert max(dripped) < end - 1


def chunked(_: Asked) -> bytes:
    body = answer(PAGE).partition(b"\r\n\r\n")[2]
    return framed(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body), **{"Transfer-Encoding": "chunked"})


@pytest.mark.parametrize("calls_before", [(), ("get_item",), ("get_item", "scan")])
def test_a_read_whose_answer_has_another_form_is_left_to_boto3(
    make: Clients, server: Wire, calls_before: tuple[str, ...]
) -> None:
    """Be it the very first read, the first of an operation, or a later one."""
    client = make.lean(server.url)
    for name in calls_before:
        call(client, name)
    server.asked.clear()
    server.replies += [chunked] * 3
    for _ in range(2):
        assert call(client, "scan")["Items"][0]["k"] == {"S": VALUE}
    assert len(server.asked) == 3  # by this client, and twice by boto3
    assert make.notices == ["an answer is encoded, or has no length"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_write_whose_answer_has_another_form_is_not_sent_again(make: Clients, server: Wire, is_first: bool) -> None:
    client = make.lean(server.url)
    for name in ("get_item", *["put_item"][is_first:]):
        call(client, name)
    server.asked.clear()
    server.replies.append(chunked)
    with pytest.raises(ResponseParserError) as caught:
        call(client, "put_item")
    assert len(server.asked) == 1
    assert fault(caught.value) is Fault.PASSING  # so a conditional write is repeated by its own rules
    assert make.notices == ["an answer is encoded, or has no length"]
    call(client, "put_item")
    assert "amz-sdk-invocation-id" in server.asked[-1].headers


# The bytes of answers that wait are bounded, and whoever waits for room gets it or gives up in time.


def test_a_short_body_does_not_overtake_a_long_one() -> None:
    room, soon = AnswerRoom(10), time.monotonic() + 60
    first = room.body(5, soon)
    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(room.body, 10, soon)
        while not room._next.locked():
            time.sleep(0.001)
        with pytest.raises(TimeoutError):
            room.body(1, time.monotonic())
        del first
        assert len(long.result(60)) == 10


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_body_whose_memory_the_system_refuses_takes_no_room() -> None:
    room = AnswerRoom(10)
    with pytest.raises(OSError, match=os.strerror(errno.ENOMEM)):
        room.body(sys.maxsize, time.monotonic() + 60)
    assert len(room.body(10, time.monotonic())) == 10
    held = room.body(10, time.monotonic())
    with pytest.raises(TimeoutError):
        room.body(1, time.monotonic())
    del held
