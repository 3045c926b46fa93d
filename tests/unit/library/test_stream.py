"""What a stream finds is handed on whole, however slow its pages or its reader are."""

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError
from skipscan.library import stream
from skipscan.library.stream import Patience, Stream, check_priced, found, throttled
from skipscan.listing.execution_input import parse
from skipscan.pace.pace import Fault
from tests.fakes.small_table import DESCRIPTION
from tests.refusal import refused

THROUGHPUT = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
PROVISIONED = TableDescription.from_json({**DESCRIPTION, "BillingModeSummary": {}, "ProvisionedThroughput": THROUGHPUT})


class Paged:
    """Pages of one number each, with a wait before each of them."""

    def __init__(self, pages: int, seconds: float = 0.0) -> None:
        self.pages, self.seconds, self.is_stopped = pages, seconds, False

    def run(self, write: Callable[[Sequence[Any]], int]) -> None:
        for number in range(self.pages):
            time.sleep(self.seconds)
            if self.is_stopped:
                return
            write([number])

    def stop(self) -> None:
        self.is_stopped = True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LISTEN_SECONDS", 0.01)
    monkeypatch.setattr(stream, "PAGES_AHEAD", 1)


def test_a_reader_that_leaves_ends_the_listing() -> None:
    paged = Paged(10**6)
    numbers = found(cast("Stream", paged), int)
    assert next(numbers) == 0
    numbers.close()
    assert paged.is_stopped


def test_a_slow_reader_slows_the_listing() -> None:
    written = []

    class Fast(Paged):
        def run(self, write: Callable[[Sequence[Any]], int]) -> None:
            for number in range(20):
                write([number])
                written.append(number)

    numbers = found(cast("Stream", Fast(20)), int)
    next(numbers)
    time.sleep(0.1)
    assert len(written) <= 3
    assert sum(1 for _ in numbers) == 19


def test_dollars_are_no_budget_where_reads_have_no_price() -> None:
    with refused(InputError, "max_dollars", 2, "max_dollars max_read_units"):
        check_priced(parse({"table": "Orders", "max_dollars": 2}), PROVISIONED)
    check_priced(parse({"table": "Orders", "max_read_units": 2}), PROVISIONED)


THROTTLED = ClientError({"Error": {"Code": "ThrottlingException", "Message": ""}}, "Scan")


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


def test_the_error_says_what_to_do() -> None:
    assert str(throttled("Orders", "go on")).startswith('table "Orders" was throttled for 5 min 00 s without a page: ')
    assert str(throttled("Orders", "go on")).endswith("then go on")
