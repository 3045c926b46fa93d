"""What a stream finds is handed on whole, however slow its pages or its reader are."""

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError
from skipscan.library import stream
from skipscan.library.stream import Stream, check_priced, found
from skipscan.listing.execution_input import parse
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
