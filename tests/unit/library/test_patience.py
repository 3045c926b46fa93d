"""A table that throttles every request is waited for, and not for ever."""

import time

import pytest
from botocore.exceptions import ClientError

from skipscan.library.patience import Patience, throttled
from skipscan.pace.pace import Fault
from tests.simulation.world.clock import Clock

THROTTLED = ClientError({"Error": {"Code": "ThrottlingException", "Message": ""}}, "Scan")


def test_it_says_once_that_the_table_throttles_and_gives_up_later(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, said, found = Clock(), list[str](), []
    clock.seconds = 1000.0
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    patience = Patience(said.append)
    for seconds in (0, 15.0 - 0.1, 15.0, 300.0 - 0.1, 300.0):
        clock.seconds = 1000.0 + seconds
        found.append(patience.fault(THROTTLED))
        assert patience.is_over is (seconds == 300.0)
    assert Fault.FATAL not in found[:4]
    assert found[4] is Fault.FATAL
    assert said == ["throttled for 15.0 s, giving up after 5 min 00 s"]


def test_the_error_says_what_to_do() -> None:
    assert str(throttled("Orders", "go on")).startswith('table "Orders" was throttled for 5 min 00 s without a page: ')
    assert str(throttled("Orders", "go on")).endswith("then go on")
