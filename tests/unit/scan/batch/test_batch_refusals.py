"""What a batch does where a request fails, and where a rate or a budget holds it back."""

from dataclasses import replace

import pytest

from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.scan.batch import Batch
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import WALKS
from skipscan.scan.progress import ScanCounts, ScanProgress
from skipscan.scan.width import Width
from tests.unit.scan.worker import KEY_BYTES, ORDERS, Worker, after_the_start, page, taken  # noqa: F401 (a fixture)


def test_ends_when_the_workers_share_of_the_budget_is_consumed() -> None:
    worker = Worker(segments=1, workers=1, max_read_units=3)
    progress = replace(ScanProgress.start(worker.plan, 0), counts=ScanCounts(keys=9, requests=4, read_units=2.0))
    batch = worker.batch(progress)
    batch.give(taken(batch), page("a", last="a", read_units=0.5))
    batch.give(taken(batch), page("b", last="b", read_units=0.5))
    assert batch.take() is None
    assert batch.progress.done(worker.plan)
    assert batch.progress.left(worker.plan) == 1


def test_nothing_is_handed_out_after_it_was_stopped() -> None:
    batch = Worker().batch()
    request = taken(batch)
    batch.stop()
    assert batch.take() is None
    batch.give(request, page("a", last="a"))
    assert batch.take() is None
    assert batch.counts.keys == 1


@pytest.mark.parametrize("fault", [Fault.PASSING, Fault.KEY_RANGE, Fault.CAPACITY])
def test_a_failed_page_is_requested_again(fault: Fault) -> None:
    worker = Worker(segments=1, workers=1)
    batch = worker.batch(worker=0)
    batch.give(taken(batch), page("a", last="a"))
    failed = taken(batch)
    assert batch.fail(failed, fault)
    step = batch.take()
    assert isinstance(step, Pause)
    assert step.seconds == pytest.approx(0.1)
    worker.now += 0.2
    assert taken(batch).start_key == failed.start_key
    throttles = 0 if fault is Fault.PASSING else 1
    assert batch.counts == ScanCounts(keys=1, items=1, requests=1, read_units=0.5, throttles=throttles)


@pytest.mark.parametrize("fault", [Fault.PASSING, Fault.KEY_RANGE, Fault.CAPACITY])
def test_the_profile_shows_when_requests_were_throttled(fault: Fault) -> None:
    worker = Worker(segments=1, workers=1)
    batch = worker.batch(worker=0)
    batch.fail(taken(batch), fault)
    assert [slot[3] for slot in batch.profile["slots"]] == ([] if fault is Fault.PASSING else [1])


def test_as_many_pages_are_wanted_as_walks_can_be_open_and_none_after_the_end() -> None:
    batch = Worker(segments=3, workers=1).batch(worker=0)
    assert batch.wanted == 3
    first = taken(batch)
    taken(batch)
    assert batch.wanted == 3
    batch.stop()
    assert batch.wanted == 2
    batch.give(first, page("a"))
    assert batch.wanted == 1


def test_waits_are_random_only_with_jitter() -> None:
    worker = Worker(segments=1, workers=1)
    start = ScanProgress.start(worker.plan, 0)
    batch = Batch(worker.plan, start, bounds=Bounds(), clock=Clock(lambda: worker.now), write=len)
    assert batch.fail(taken(batch), Fault.CAPACITY)
    step = batch.take()
    assert isinstance(step, Pause)
    assert step.seconds == pytest.approx(0.1)


def test_a_hot_walk_lets_the_others_go_first() -> None:
    worker = Worker(segments=3, workers=1)
    batch = worker.batch(worker=0)
    requests = [taken(batch) for _ in range(3)]
    assert batch.fail(requests[0], Fault.KEY_RANGE)
    for request in requests[1:]:
        batch.give(request, page("a", last="a"))
    assert [taken(batch).segment for _ in range(2)] == [request.segment for request in requests[1:]]
    assert isinstance(batch.take(), Pause)
    worker.now += 0.2
    assert taken(batch).segment == requests[0].segment


def test_a_batch_waits_for_the_first_of_its_hot_walks() -> None:
    worker = Worker(segments=2, workers=1)
    batch = worker.batch(worker=0)
    often, once = taken(batch), taken(batch)
    for wait in (0.1, 0.2):
        assert batch.fail(often, Fault.KEY_RANGE)
        worker.now += wait
        assert taken(batch).segment == often.segment
    assert batch.fail(often, Fault.KEY_RANGE)  # its next wait is 0.4 s
    assert batch.fail(once, Fault.KEY_RANGE)
    step = batch.take()
    assert isinstance(step, Pause)
    assert step.seconds == pytest.approx(0.1)


def test_a_hot_walk_is_replaced_by_one_of_another_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no more walks than one pay at a time."""
    monkeypatch.setattr(Width, "after", lambda *_, **__: Width(1, ceiling=WALKS))
    batch = Worker(segments=3, workers=1).batch(worker=0)
    hot = taken(batch)
    assert batch.fail(hot, Fault.KEY_RANGE)
    assert taken(batch).segment != hot.segment
    assert len(batch.progress.cursors) == 2


def test_a_page_may_be_expected_to_consume_half_of_a_small_budget() -> None:
    batch = Worker(segments=1, workers=1, max_read_units=30, strategy="page").batch(worker=0)
    assert taken(batch).booking.units == pytest.approx(15.0, rel=0.05)


@pytest.mark.parametrize(("max_read_units", "is_whole"), [(178.5, True), (178.0, False)])
def test_a_page_is_a_whole_one_as_long_as_the_budget_has_the_largest(max_read_units: float, is_whole: bool) -> None:
    batch = Worker(segments=1, workers=1, max_read_units=max_read_units, strategy="page").batch(worker=0)
    assert (taken(batch).limit is None) is is_whole


def test_a_pause_is_short_enough_to_notice_the_end() -> None:
    """The fifth refusal in a row makes a walk wait 1.6 seconds; the batch is to end within one."""
    worker = Worker(segments=1, workers=1)
    batch = worker.batch(worker=0, seconds=5.0)
    for _ in range(5):
        while isinstance(step := batch.take(), Pause):
            worker.now += step.seconds
        assert step is not None
        assert batch.fail(step, Fault.KEY_RANGE)
    assert batch.take() == Pause(LOOK_SECONDS)
    worker.now += 5.0
    assert batch.take() is None


def test_an_error_that_does_not_pass_ends_the_batch_and_loses_nothing() -> None:
    worker = Worker(segments=2, workers=1)
    batch = worker.batch(worker=0)
    first, second = taken(batch), taken(batch)
    batch.give(first, page("a", last="a"))
    assert not batch.fail(second, Fault.FATAL)
    assert batch.take() is None
    assert batch.progress.cursors == (
        Cursor(first.segment, {"pk": {"S": "a"}, "sk": {"S": "1"}}, reported=True),
        Cursor(second.segment),
    )


def test_a_refused_skip_is_counted_and_the_walk_continues_without_skips() -> None:
    batch = Worker(segments=1, workers=1).batch(worker=0)
    batch.give(taken(batch), page("a", last="a"))
    assert batch.fail(taken(batch), Fault.INVALID)
    request = taken(batch)
    assert (request.start_key, request.limit) == ({"pk": {"S": "a"}, "sk": {"S": "1"}}, None)
    assert batch.counts.skips_ignored == 1
    assert not batch.fail(request, Fault.INVALID)
    assert batch.take() is None


def test_an_ignored_skip_is_counted_once() -> None:
    batch = Worker(segments=1, workers=1).batch(worker=0)
    batch.give(taken(batch), page("a", last="a"))
    batch.give(taken(batch), page("a", "b", last="b"))
    batch.give(taken(batch), page("b", "c", last="c"))
    assert (batch.counts.skips_ignored, batch.counts.keys) == (1, 3)


def test_pages_without_skips_are_whole_ones_and_teach_nothing() -> None:
    batch = Worker(segments=1, workers=1, strategy="page").batch(worker=0)
    request = taken(batch)
    assert (request.limit, request.booking.units) == (None, 0.0)
    batch.give(request, page("a", last="a"))
    assert batch.progress.limit.cost == 0


@pytest.mark.parametrize("strategy", ["skip", "page"])
def test_a_rate_makes_pages_small(strategy: str) -> None:
    """0.4 seconds' worth at 5 units a second: 2 units, 16 KB, some 40 of the 400-byte items that are assumed."""
    batch = Worker(segments=1, workers=1, strategy=strategy, max_read_units_per_second=5).batch(worker=0)
    request = taken(batch)
    assert request.limit is not None
    assert request.limit <= 40
    assert 0 < request.booking.units <= 2.5
    assert isinstance(batch.take(), Pause)


def test_a_page_that_the_rate_puts_off_is_the_one_that_comes_later() -> None:
    """A Limit is chosen once: choosing again would try other Limits the longer a page has to wait."""
    worker = Worker(segments=2, workers=1, max_read_units_per_second=5)
    batch = worker.batch(worker=0)
    first = taken(batch)
    worker.now += 60.0
    assert isinstance(batch.take(), Pause)
    waiting = batch._put_off
    assert waiting
    burst = worker.plan.limits.reads.burst(1) or 0
    assert waiting.booking.ceiling.read_units + first.booking.ceiling.read_units > burst
    batch.give(first, page("a"))
    assert taken(batch) is waiting


def test_a_page_that_was_put_off_is_made_smaller_where_the_budget_has_become_scarce() -> None:
    worker = Worker(segments=2, workers=1, max_read_units_per_second=50, max_read_units=1000)
    batch = worker.batch(worker=0)
    first = taken(batch)
    worker.now += 60.0
    assert isinstance(batch.take(), Pause)
    waiting = batch._put_off
    batch.give(first, page("a", read_units=996.0))
    worker.now += 60.0
    following = taken(batch)
    assert waiting
    assert following.limit is not None
    assert waiting.limit is not None
    assert following.limit < waiting.limit
