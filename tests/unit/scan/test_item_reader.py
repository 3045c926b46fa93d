"""The Queries for last items, one by one: what a page waits for, and what ends without them."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.aws.table import Table
from skipscan.pace.bill import UNLIMITED
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.scan.batch import Batch, Request
from skipscan.scan.cursor import Cursor
from skipscan.scan.progress import ScanProgress, first_progress
from skipscan.scan.taken import Taken
from skipscan.scan.width import Width
from tests.fakes.turns import planned
from tests.unit.scan.take.test_last import customers


class Driven:
    """A batch over one segment, driven by hand up to its first Query."""

    def __init__(self, bounds: Bounds | None = None, **asked: Any) -> None:
        self.fake, self.seconds, self.written = customers(), 0.0, list[Taken]()
        self.plan = planned(self.fake, table="Customers", segments=1, take={"last": ["name"]}, **asked)
        self.table = Table(self.fake, self.plan)  # type: ignore[arg-type]
        self.begin(first_progress(self.plan, 0), bounds)
        self.pages = 0
        while (request := self.taken()).lookup is None:
            self.give(request)
            self.pages += 1
        self.query = request

    def begin(self, progress: ScanProgress, bounds: Bounds | None = None) -> None:
        self.batch = Batch(
            self.plan,
            progress,
            bounds=bounds or Bounds(),
            clock=Clock(lambda: self.seconds),
            random=lambda: 0.0,
            write=self.write,
        )

    def write(self, lines: Any) -> int:
        self.written += lines
        return len(lines)

    def taken(self) -> Request:
        request = self.batch.take()
        assert isinstance(request, Request)
        return request

    def give(self, request: Request) -> None:
        self.batch.give(request, self.table.scan(request))

    @property
    def cursor(self) -> Cursor:
        (cursor,) = self.batch.progress.position.cursors
        return cursor


def test_a_page_whose_query_was_not_answered_is_read_again() -> None:
    driven = Driven()
    before = driven.cursor
    assert not driven.written
    driven.batch.stop()
    progress = driven.batch.progress
    assert (progress.position.cursors, progress.counts.keys) == ((before,), 0)
    assert progress.counts.read_units > 0  # what was consumed stays counted
    driven.begin(progress)
    while (request := driven.batch.take()) is not None:
        assert isinstance(request, Request)
        driven.give(request)
    assert sorted(line.key["S"] for line in driven.written) == sorted(f"c{n}" for n in range(30))


def test_a_batch_that_is_over_reads_no_page_while_its_query_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Width, "after", lambda *_, **__: Width(2, ceiling=2))
    fake, now = customers(), [0.0]
    plan = planned(fake, table="Customers", segments=2, workers=1, take={"last": ["name"]})
    table = Table(fake, plan)  # type: ignore[arg-type]
    batch = Batch(
        plan,
        first_progress(plan, 0),
        bounds=Bounds(pages=2),
        clock=Clock(lambda: now[0]),
        random=lambda: 1.0,
        write=len,
    )
    first, second = batch.take(), batch.take()
    assert isinstance(first, Request)
    assert isinstance(second, Request)
    assert batch.fail(second, Fault.PASSING)  # its walk may go on after 0.1 s
    batch.give(first, table.scan(first))
    query = batch.take()
    assert isinstance(query, Request)
    assert query.lookup is not None
    now[0] = 0.05
    assert batch.fail(query, Fault.KEY_RANGE)
    now[0] = 0.12
    assert isinstance(batch.take(), Pause)
    now[0] = 0.2
    again = batch.take()
    assert isinstance(again, Request)
    assert again.lookup == query.lookup


def test_a_query_that_the_engine_calls_invalid_ends_the_batch_and_no_skip_is_blamed() -> None:
    driven = Driven()
    assert not driven.batch.fail(driven.query, Fault.INVALID)
    assert driven.batch.progress.counts.skips_ignored == 0
    assert driven.batch.take() is None


@pytest.mark.parametrize(("left", "may"), [(0.4, False), (0.5, True)])
def test_a_query_begins_only_where_the_budget_has_room(left: float, may: bool) -> None:
    """The page may have exceeded the budget, and a Query on top of it would exceed what the plan states."""
    driven = Driven(max_read_units=100.0)
    driven.begin(first_progress(driven.plan, 0), Bounds(allotted=replace(UNLIMITED, read_units=50.0)))
    request = driven.taken()
    driven.batch.give(request, driven.table.scan(request)._replace(read_units=50.0 - left))
    assert isinstance(driven.batch.take(), Request) is may
