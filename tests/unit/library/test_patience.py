"""A command waits for a throttled table, says so once, and gives up after five minutes without a page."""

import time
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.library.stream import Patience, throttled
from skipscan.pace.pace import Fault

THROTTLED = ClientError({"Error": {"Code": "ThrottlingException", "Message": ""}}, "Scan")
DENIED = ClientError({"Error": {"Code": "AccessDeniedException", "Message": ""}}, "Scan")


class Waiting:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    clock = Waiting()
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    return clock


def test_it_says_once_that_the_table_throttles_and_gives_up_later(waited: Waiting) -> None:
    said: list[str] = []
    patience = Patience(said.append)
    found = []
    for seconds in (0, 15.0 - 0.1, 15.0, 300.0 - 0.1, 300.0):
        waited.now = 1000.0 + seconds
        found.append(patience.fault(THROTTLED))
        assert patience.is_over is (seconds == 300.0)
    assert Fault.FATAL not in found[:4]
    assert found[4] is Fault.FATAL
    assert said == ["throttled for 15.0 s, giving up after 5 min 00 s"]


def test_a_page_begins_the_time_anew(waited: Waiting) -> None:
    said: list[str] = []
    patience, asked = Patience(said.append), object()
    page: Any = object()
    waited.now += 300.0 - 1
    patience.fault(THROTTLED)
    scan: Any = {asked: page}.__getitem__
    request: Any = asked
    assert patience.asking(scan)(request) is page
    waited.now += 300.0 - 1
    assert patience.fault(THROTTLED) is not Fault.FATAL
    assert not patience.is_over
    assert len(said) == 2


def test_another_refusal_is_not_waited_for(waited: Waiting) -> None:
    patience = Patience()
    waited.now += 300.0
    assert patience.fault(DENIED) is Fault.FATAL
    assert not patience.is_over


def test_the_error_says_what_to_do() -> None:
    assert str(throttled("Orders", "go on")).startswith('table "Orders" was throttled for 5 min 00 s without a page: ')
    assert str(throttled("Orders", "go on")).endswith("then go on")
