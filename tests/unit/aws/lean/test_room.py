"""The bytes of answers that wait are bounded, and whoever waits for room gets it or gives up in time."""

import errno
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ReadTimeoutError

from skipscan.aws.lean import connection
from skipscan.aws.lean.connection import AnswerRoom
from tests.unit.aws.lean.conftest import Clients, call
from tests.unit.aws.lean.wire import PAGE, Wire, answer

LONG = {**PAGE, "Items": PAGE["Items"] * 10_000}
"""A page of 1.1 MB: no answer of this length comes in one piece with its head."""


def test_a_body_has_its_room_until_it_is_let_go() -> None:
    room, soon = AnswerRoom(10), time.monotonic() + 60
    first = room.body(10, soon)
    assert first[:] == bytes(10)
    with pytest.raises(TimeoutError):
        room.body(1, time.monotonic())
    del first
    assert len(room.body(10, soon)) == 10


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


def test_an_answer_for_which_there_is_no_room_in_time_is_late(
    make: Clients, server: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make.proven(server)
    held = client._room.body(16 << 20, time.monotonic() + 60)
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.1)
    server.replies += [lambda _: answer(LONG)]
    with pytest.raises(ReadTimeoutError):
        call(client, "scan")
    del held
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 60.0)
    assert len(call(client, "scan")["Items"]) == 1
