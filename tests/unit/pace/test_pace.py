"""A batch over a strict fake, with a clock of its own: it keeps its rate, uses it, and waits where it must."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from skipscan.dynamodb.page import Page
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.ledger import Account, Booking, Reserved
from skipscan.pace.pace import Backoff, Fault, jittered, retrying, throttling
from skipscan.pace.profile import FIRST_SLOT_SECONDS, SLOTS, VISITS, BatchProfile
from skipscan.pace.rate import SharedRate
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, first_progress
from tests.unit.sample.hashed_table import HashedTable


class Timer:
    """Advances when a caller sleeps, and 5 ms with every request."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pages: list[tuple[float, float]] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def timed(self, scan: Callable[[Request], Page], request: Request) -> Page:
        begin = self.now
        self.now += 0.005
        page = scan(request)
        self.pages.append((begin, page.read_units))
        return page

    def any_ten_seconds(self) -> Iterator[float]:
        """Return what was consumed in the ten seconds from every page on, as far as they are over."""
        end = self.pages[-1][0]
        for begin, _ in self.pages:
            if begin + 10 <= end:
                yield sum(read_units for at, read_units in self.pages if begin <= at < begin + 10)


def batch_of(decided: Plan, worker: int, clock: Timer) -> Batch:
    start = first_progress(decided, worker)
    return Batch(decided, start, bounds=Bounds(), clock=Clock(clock), random=lambda: 1.0, write=len)


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "per_second"), [("skip", 45), ("page", 150)])
def test_workers_keep_the_rate_together_and_use_it_while_all_have_work(strategy: str, per_second: float) -> None:
    table = HashedTable.spread(np.full(3000, 12), np.full(3000, 3000), seed=1)
    asked: dict[str, Any] = {"segments": 48, "strategy": strategy, "max_read_units_per_second": per_second}
    decided = replace(table.plan(**asked), workers=3)  # more than a plan has at such a rate
    clock = Timer()
    waiting = list(range(decided.workers))
    batches: dict[int, Batch] = {}
    free_at: dict[int, float] = {}  # when each worker comes again
    all_until = 0.0
    while waiting or batches:
        while waiting and len(batches) < decided.limits.at_once:  # as the Map does
            worker = waiting.pop(0)
            free_at[worker] = clock.now
            batches[worker] = batch_of(decided, worker, clock)
        worker = min(batches, key=lambda each: free_at[each])
        clock.now = free_at[worker]
        step = batches[worker].take()
        if isinstance(step, Request):
            batches[worker].give(step, clock.timed(lambda request: table.scan(48, request), step))
            free_at[worker] = clock.now
        elif step is not None:
            free_at[worker] += step.seconds
        else:
            del batches[worker]
            all_until = clock.now if waiting else all_until or clock.now
    assert max(clock.any_ten_seconds()) <= 1.05 * 10 * per_second
    clock.pages = [page for page in clock.pages if page[0] <= all_until]
    windows = list(clock.any_ten_seconds())
    assert len(windows) > 20
    assert min(windows) >= 0.8 * 10 * per_second


def account(rate: float | None, now: float = 0.0, chance: float = 0.0, **more: Any) -> Account:
    return Account(rate, lambda: chance, Clock(lambda: now), **more)


def test_a_hot_key_range_makes_its_own_walk_wait() -> None:
    reads = account(None, now=100.0, chance=1.0)
    assert reads.refused(7, Fault.KEY_RANGE)
    assert reads.wait_seconds(100.0) == 0
    assert reads.walk_wait_seconds(7, 100.0) == pytest.approx(0.1)
    assert reads.walk_wait_seconds(8, 100.0) == 0


def test_a_rate_without_a_burst_bounds_no_pages_beside_each_other() -> None:
    reads, large = account(10.0), Booking(7, 1.0, ceiling_units=128.5)
    assert [reads.reserve(large, 0.0) for _ in range(2)] == [Reserved.YES] * 2


def test_a_refused_request_that_consumes_nothing_gives_nothing_of_the_burst_back() -> None:
    reads, small = account(10.0, burst=1.0), Booking(8, 1.0, ceiling_units=1.0)
    assert reads.wait_seconds(0.0) == 0
    assert [reads.reserve(small, 0.0) for _ in range(3)] == [Reserved.YES, Reserved.YES, Reserved.OVER_RATE]
    assert reads.refused(7, Fault.PASSING)
    assert reads.reserve(small, 0.0) is Reserved.OVER_RATE


def test_want_of_capacity_makes_all_wait() -> None:
    reads = account(None, now=100.0, chance=1.0)
    assert reads.refused(7, Fault.CAPACITY)
    assert reads.wait_seconds(100.0) == pytest.approx(0.1)
    reads.recovered(8)
    assert reads.wait_seconds(100.2) == 0
    reads.refused(7, Fault.CAPACITY)
    assert reads.wait_seconds(100.0) == pytest.approx(0.1), "an answer makes waits short again"


@pytest.mark.parametrize("fault", [Fault.FATAL, Fault.INVALID])
def test_what_will_never_do_is_given_up_at_once(fault: Fault) -> None:
    assert not account(None).refused(7, fault)


def test_errors_that_do_not_pass_are_given_up_after_ten_more_tries() -> None:
    reads = account(None)
    assert all(reads.refused(7, Fault.PASSING) for _ in range(10))
    assert not reads.refused(7, Fault.PASSING)
    assert not reads.refused(7, Fault.FATAL)


def test_a_debt_outlives_its_batch_by_wall_clock_time() -> None:
    table = HashedTable.spread(np.full(300, 2), np.full(300, 390 * 1024), seed=1)
    decided = table.plan(segments=1, max_read_units_per_second=10)
    first = Batch(decided, first_progress(decided, 0), bounds=Bounds(), clock=Clock(lambda: 50.0, 1000.0), write=len)
    step = first.take()
    assert isinstance(step, Request)
    page = table.scan(1, step)
    first.give(step, page)
    assert first.progress.spending.reads_paid_off == pytest.approx(1050 + page.read_units / 10)
    # Another Lambda, whose clock began elsewhere, two seconds later.
    second = Batch(decided, first.progress, bounds=Bounds(), clock=Clock(lambda: 7.0, 1045.0), write=len)
    assert isinstance(second.take(), Pause)
    later = Batch(decided, first.progress, bounds=Bounds(), clock=Clock(lambda: 57.0, 1045.0), write=len)
    assert isinstance(later.take(), Request)


@pytest.mark.parametrize(
    ("reasons", "fault"),
    [
        (["TableReadKeyRangeThroughputExceeded"], Fault.KEY_RANGE),
        (["IndexReadKeyRangeThroughputExceeded"], Fault.KEY_RANGE),
        (["TableReadProvisionedThroughputExceeded"], Fault.CAPACITY),
        (["TableReadMaxOnDemandThroughputExceeded"], Fault.CAPACITY),
        (["TableReadAccountLimitExceeded"], Fault.CAPACITY),
        (["TableReadKeyRangeThroughputExceeded", "TableReadAccountLimitExceeded"], Fault.CAPACITY),
        ([], Fault.CAPACITY),
    ],
)
def test_the_reason_of_a_throttle_decides_its_fault(reasons: list[str], fault: Fault) -> None:
    assert throttling(reasons) is fault


def test_waits_double_up_to_the_longest_and_start_over() -> None:
    backoff = Backoff(random=lambda: 1.0)
    now, waits = 0.0, []
    for _ in range(10):
        backoff.refused(now)
        waits.append(backoff.wait_seconds(now))
        now = backoff.until
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20.0, 20.0])
    backoff.accepted()
    backoff.refused(now)
    assert backoff.wait_seconds(now) == pytest.approx(0.1)


class Service:
    """Fails with these errors, one after the other, before it answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.waited: list[float] = []

    def request(self) -> str:
        if self.errors:
            raise self.errors.pop(0)
        return "answer"

    def ask(self, *waits: float) -> str:
        return retrying(
            self.request, waits, passes=lambda error: isinstance(error, ConnectionError), sleep=self.waited.append
        )


def test_each_attempt_after_an_error_that_passes_has_its_own_wait() -> None:
    service = Service(ConnectionError(), ConnectionError())
    assert service.ask(1.0, 5.0, 9.0) == "answer"
    assert service.waited == [1.0, 5.0]


def test_another_error_is_raised_at_once() -> None:
    service = Service(ValueError("wrong"))
    with pytest.raises(ValueError, match="wrong"):
        service.ask(1.0)
    assert service.waited == []


def test_waits_double_and_are_drawn_from_the_whole_span() -> None:
    assert [*jittered(3, lambda: 1.0)] == [0.1, 0.2, 0.4]
    assert [*jittered(3, lambda: 0.5)] == [0.05, 0.1, 0.2]


def test_periods_are_merged_and_keep_what_was_reached() -> None:
    profile, random, moments = BatchProfile("keys"), Random(1), 5_000
    for number, moment in enumerate(sorted(random.uniform(0, 240) for _ in range(moments)), 1):
        profile.reached(moment, ScanCounts(keys=number, requests=2 * number, read_units=number / 2, throttles=3))
    stored = profile.to_json()
    keys = [slot[0] for slot in stored["slots"]]
    assert keys == sorted(keys)
    assert stored["slots"][-1] == [moments, 2 * moments, moments / 2, 3]
    assert len(stored["slots"]) <= SLOTS
    assert stored["slot_seconds"] == FIRST_SLOT_SECONDS * 64


def test_the_most_expensive_segments_are_listed_and_the_others_are_a_sum() -> None:
    profile, number = BatchProfile("keys"), 3 * VISITS
    for segment in range(number):
        profile.worked(float(segment), segment, done=1, requests=2, units=float(segment))
    document = profile.to_json()
    listed = [visit[0] for visit in document["visits"]]
    assert listed == list(range(number - VISITS, number))
    left = number - VISITS
    assert document["other_visits"] == [left, left, 2 * left, left * (left - 1) / 2]


# Consumption in any ten seconds stays within the rate, and uses it, for all costs of pages.


def test_workers_share_a_rate_and_what_it_leaves_beside_one_request_of_each() -> None:
    """All but the largest request may take 5 % of what the rate allows in ten seconds."""
    shared = SharedRate(100.0, 10.0)
    assert shared.share(4) == 25.0
    assert [shared.burst(workers) for workers in (1, 2, 6, 7)] == [50.0, 20.0, 0.0, 0.0]
    assert 50.0 == 0.05 * 10 * 100.0
    unlimited = SharedRate(None, 10.0)
    assert (unlimited.share(4), unlimited.burst(4)) == (None, None)
