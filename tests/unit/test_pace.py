"""A batch over a strict fake, with a clock of its own: it keeps its rate, uses it, and waits for whom it must."""

from collections.abc import Iterator
from typing import Any

import pytest

from skipscan.aws.drive import drive
from skipscan.aws.table import Table
from skipscan.backoff import Fault
from skipscan.batch import Batch, Bounds, Request
from skipscan.pace import PASSING_FAULTS, Pace
from skipscan.page import Page
from skipscan.progress import Progress
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.unit.turns import planned


class Clock:
    """Goes on when somebody sleeps, and 5 ms with every request."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pages: list[tuple[float, float]] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def timed(self, table: Table, request: Request) -> Page:
        begin = self.now
        self.now += 0.005
        page = table.scan(request)
        self.pages.append((begin, page.read_units))
        return page

    def any_ten_seconds(self) -> Iterator[float]:
        """Return what was consumed in the ten seconds from every page on, as far as they are over."""
        end = self.pages[-1][0]
        for begin, _ in self.pages:
            if begin + 10 <= end:
                yield sum(read_units for at, read_units in self.pages if begin <= at < begin + 10)


@pytest.mark.parametrize(
    ("strategy", "item_bytes", "per_second"),
    [
        ("skip", 300, 20),
        ("skip", 3000, 60),
        ("skip", 9000, 150),
        ("page", 300, 20),
        ("page", 3000, 60),
        ("page", 3000, 400),
    ],
)
def test_keeps_the_rate_and_uses_it(strategy: str, item_bytes: int, per_second: float) -> None:
    dynamodb = FakeDynamoDB()
    dynamodb.add(
        TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "N"))),
        (
            {"pk": {"S": f"{pk}"}, "sk": {"N": f"{sk}"}, "body": {"B": bytes(item_bytes)}}
            for pk in range(3000)
            for sk in range(12)
        ),
    )
    asked: dict[str, Any] = {"segments": 16, "strategy": strategy, "max_read_units_per_second": per_second}
    decided = planned(dynamodb, table="Orders", **asked)
    clock, table = Clock(), Table(dynamodb, decided)  # type: ignore[arg-type]
    batch = Batch(
        decided,
        Progress.start(decided, 0),
        bounds=Bounds(),
        clock=clock,
        random=lambda: 1.0,
        write=len,
    )
    assert drive(batch, lambda request: clock.timed(table, request), 1, sleep=clock.sleep) is None
    windows = list(clock.any_ten_seconds())
    assert len(windows) > 20
    assert max(windows) <= 1.05 * 10 * per_second
    assert min(windows) >= 0.8 * 10 * per_second


def test_a_hot_key_range_makes_its_own_walk_wait() -> None:
    pace = Pace(None, lambda: 1.0)
    assert pace.refused(7, 0, Fault.KEY_RANGE, now=100.0)
    assert pace.wait_seconds(100.0) == 0
    assert pace.walk_wait_seconds(7, 100.0) == pytest.approx(0.1)
    assert pace.walk_wait_seconds(8, 100.0) == 0


def test_want_of_capacity_makes_all_wait() -> None:
    pace = Pace(None, lambda: 1.0)
    assert pace.refused(7, 0, Fault.CAPACITY, now=100.0)
    assert pace.wait_seconds(100.0) == pytest.approx(0.1)
    pace.accepted(8, 0, 0.5)
    assert pace.wait_seconds(100.2) == 0


def test_errors_that_do_not_pass_are_given_up() -> None:
    pace = Pace(None, lambda: 0.0)
    assert all(pace.refused(7, 0, Fault.PASSING, now=0.0) for _ in range(PASSING_FAULTS))
    assert not pace.refused(7, 0, Fault.PASSING, now=0.0)
    assert not pace.refused(7, 0, Fault.FATAL, now=0.0)
