"""The bytes of answers that wait are bounded, and whoever waits for room gets it or gives up in time."""

import errno
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from skipscan.aws.lean.connection import AnswerRoom


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
