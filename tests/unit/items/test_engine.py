"""What a batch over items hands out, in which order and until when, whatever it does with an item."""

from enum import StrEnum
from typing import Any

import pytest

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, Get, ItemSteps, Wait
from skipscan.items.engine import Engine
from skipscan.items.job import Unit, UnitRequest
from skipscan.items.lane import ReadPage, SegmentLane
from skipscan.items.progress import ItemPosition, ItemResult
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.pace.progress import Progress
from skipscan.retrofit.item import RetrofitCounts, RetrofitJob
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import segment_at
from tests.fakes.job_batch import job_batch
from tests.fakes.small_table import item, retrofit_plan

BEGINNING = Progress(0, ItemPosition(), RetrofitCounts())


def batch_at(now: list[float], segments: int = 1, **bounds: Any) -> Engine:
    clock = Clock(lambda: now[0])
    return job_batch(RetrofitJob, retrofit_plan(segments), progress=BEGINNING, bounds=Bounds(**bounds), clock=clock)


def items_of(*names: str) -> Page:
    return Page([item(name, a="x", b="y") for name in names], None, 0.5)


def page_of(batch: Engine) -> UnitRequest:
    page = batch.take()
    assert isinstance(page, UnitRequest)
    assert isinstance(page.step, ReadPage)
    return page


def step_of(batch: Engine) -> UnitRequest:
    step = batch.take()
    assert isinstance(step, UnitRequest)
    assert step.unit is not None
    return step


def is_page(request: object) -> bool:
    return isinstance(request, UnitRequest) and isinstance(request.step, ReadPage)


@pytest.mark.parametrize(("pages", "begun"), [(1, 1), (2, 2), (None, 3)])
def test_a_batch_reads_no_more_pages_than_its_bound(pages: int | None, begun: int) -> None:
    batch = batch_at([0.0], 3, pages=pages)
    assert [is_page(batch.take()) for _ in range(3)] == [number < begun for number in range(3)]


def test_a_batch_waits_for_the_first_of_its_items_that_may_be_written() -> None:
    """The walk of each waits by itself: a tenth of a second after its first refusal by a hot partition."""
    now = [0.0]
    batch = batch_at(now, 2)
    for page in [page_of(batch) for _ in range(2)]:
        batch.give(page, items_of(f"{page.lane.segment}-1", f"{page.lane.segment}-2"))
    first, other = step_of(batch), step_of(batch)
    batch.give(other, Answer(WRITTEN, write_units=1.0))
    assert batch.fail(first, Fault.KEY_RANGE)
    second = step_of(batch)
    assert second.lane is other.lane, "it does not wait for the walk whose turn it is"
    now[0] += 0.03
    assert batch.fail(second, Fault.KEY_RANGE)
    now[0] += 0.03
    pause = batch.take()
    assert isinstance(pause, Pause)
    assert pause.seconds == pytest.approx(0.04)
    now[0] += pause.seconds
    assert step_of(batch).unit is first.unit


def test_a_worker_walks_its_own_segments_and_begins_again_to_verify_when_all_are_written() -> None:
    """Every third of eight segments, of which `segment_at` says the number."""
    progress = Progress(1, ItemPosition(), RetrofitCounts())
    plan = retrofit_plan(8, 3, verify=True)
    batch = job_batch(RetrofitJob, plan, progress=progress)
    own = [segment_at(visit, 8) for visit in (1, 4, 7)]
    pages = [page_of(batch) for _ in own]
    assert [page.lane.segment for page in pages] == own
    assert batch.progress.position.cursors == tuple(Cursor(segment, None, skipping=False) for segment in own)
    last = pages.pop()
    for page in pages:
        batch.give(page, items_of())
    assert isinstance(batch.take(), Pause), "the last segment of the first pass is under way"
    batch.give(last, items_of())
    again = [page_of(batch) for _ in own]
    assert ([page.lane.segment for page in again], {page.step.number for page in again}) == (own, {1})
    for page in again:
        batch.give(page, items_of())
    assert (batch.take(), batch.progress.left(plan)) == (None, 0)


def test_the_profile_of_a_batch_has_what_was_done_in_each_segment() -> None:
    batch = batch_at([0.0], 2)
    for page in [page_of(batch) for _ in range(2)]:
        batch.give(page, items_of(f"{page.lane.segment}-1", f"{page.lane.segment}-2"))
    for step in [step_of(batch) for _ in range(4)]:
        batch.give(step, Answer(WRITTEN, write_units=1.0))
    assert [visit[:4] for visit in batch.profile["visits"]] == [[0, 2, 3, 2.5], [1, 2, 3, 2.5]]


def test_a_batch_that_is_stopped_hands_out_nothing_and_keeps_the_place_of_what_is_under_way() -> None:
    batch = batch_at([0.0])
    batch.give(page_of(batch), items_of("1", "2"))
    step_of(batch)
    batch.stop()
    assert batch.take() is None
    reached = batch.progress
    assert (reached.position.opened, [cursor.start_key for cursor in reached.position.cursors]) == (1, [None])


# Items of a page are begun one by one, as threads ask for them, and the cursor passes what has ended.


class Outcome(StrEnum):
    DONE = "done"


def key(number: int) -> Item:
    return {"id": {"N": str(number)}}


def lane(begun: list[Unit], cursor: Cursor) -> SegmentLane:
    """Return a lane whose items have one step each, their key, but for those that are `right`."""

    def work(item: Item) -> ItemSteps:
        if "right" not in item:
            yield item
        return ItemResult(item, Outcome.DONE)

    def begin(item: Item) -> Unit:
        begun.append(Unit(work(item), lambda: 0.0))
        return begun[-1]

    return SegmentLane(cursor, begin)


def taken(items: SegmentLane) -> Unit:
    unit = items.take()
    assert unit is not None
    return unit


def test_a_lane_goes_on_behind_the_last_item_of_its_page() -> None:
    """DynamoDB may return a page without items, and a LastEvaluatedKey behind the last item."""
    made = lane([], Cursor(7, key(3), skipping=False))
    assert (made.segment, made.start_key, made.needs_page, made.take()) == (7, key(3), True, None)
    made.receive(Page([], key(5), 0.5))
    assert (made.start_key, made.needs_page, made.is_finished) == (key(5), True, False)
    made.receive(Page([key(6), key(7)], key(8), 0.5))
    assert made.needs_page is False
    assert made.start_key == key(5), "no item of the page has ended"
    for _ in range(2):
        taken(made).go_on(None)
    assert list(made.passed()) == [ItemResult(key(number), Outcome.DONE) for number in (6, 7)]
    assert made.cursor == Cursor(7, key(8), skipping=False)
    assert (made.needs_page, made.is_finished) == (True, False)
    made.receive(Page([], None, 0.5))
    assert (made.needs_page, made.is_finished) == (False, True)


def test_an_item_that_waits_has_its_next_step_and_the_time_before_which_it_must_not_begin() -> None:
    def work() -> ItemSteps:
        yield "first"
        yield Wait(5.0)
        yield "second"
        return ItemResult(key(1), Outcome.DONE)

    unit = Unit(work(), lambda: 100.0)
    assert (unit.step, unit.not_before) == ("first", 0.0)
    assert unit.go_on(None) is True
    assert (unit.step, unit.not_before) == ("second", 105.0)
    assert unit.go_on(None) is False
    assert (unit.step, unit.result) == (None, ItemResult(key(1), Outcome.DONE))


@pytest.mark.parametrize(("opened", "number"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_batch_goes_on_in_the_pass_of_the_walk_that_is_open(opened: int, number: int) -> None:
    """Of two segments: in the wrong pass a verification would write, or a write would only verify."""
    position = ItemPosition(opened, (Cursor(0, skipping=False),))
    progress = Progress(0, position, RetrofitCounts())
    page = page_of(job_batch(RetrofitJob, retrofit_plan(2, verify=True), progress=progress))
    assert (page.step.segment, page.step.number) == (0, number)


def test_a_batch_counts_what_each_answer_took_once() -> None:
    batch = batch_at([0.0])
    batch.give(page_of(batch), items_of("1"))
    batch.give(step_of(batch), Answer(Conflict(None), write_units=2.0))
    look = step_of(batch)
    assert isinstance(look.step, Get)
    batch.give(look, Answer(item("1", a="x", b="y"), read_units=1.0, requests=2))
    batch.give(step_of(batch), Answer(WRITTEN, write_units=3.0))
    assert batch.counts == RetrofitCounts(
        items=1, written=1, requests=5, conflicts=1, read_units=0.5 + 1.0, write_units=2.0 + 3.0
    )


def test_only_a_page_whose_items_are_written_is_small_enough_for_the_rate_of_writes() -> None:
    plan = retrofit_plan(1, verify=True, max_write_units_per_second=10.0)
    batch = job_batch(RetrofitJob, plan, progress=BEGINNING)
    limits = []
    for _ in range(plan.passes):
        page = page_of(batch)
        limits.append(page.step.limit)
        batch.give(page, items_of())
    assert limits[0] == 20 < limits[1] / 10


@pytest.mark.parametrize(("most", "is_over"), [(10, True), (11, False)])
def test_a_batch_ends_when_its_lines_reach_its_bound_of_bytes(most: int, is_over: bool) -> None:
    bounds = Bounds(bytes=most)
    batch = job_batch(RetrofitJob, retrofit_plan(2), progress=BEGINNING, bounds=bounds, write=lambda _: 10)
    batch.give(page_of(batch), Page([item("lacking", a="x")], None, 0.5))
    assert (batch.take() is None) is is_over
