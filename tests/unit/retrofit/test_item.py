"""What one batch of a retrofit does with items, faults and bounds."""

import json
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.step import WRITTEN, Answer, Refused, Write
from skipscan.items.engine import Engine, ItemRequest
from skipscan.items.progress import ItemResult
from skipscan.items.sizes import ReadPage
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.retrofit.item import RetrofitCounts, RetrofitJob, RetrofitOutcome, RetrofitProgress
from tests.fakes.small_table import SmallTable, item, retrofit_plan, text


def noting(listed: list[ItemResult]) -> Callable[[Sequence[ItemResult]], int]:
    def write(settled: Sequence[ItemResult]) -> int:
        listed.extend(settled)
        return len(settled)

    return write


def batch_of(table: SmallTable, *, write: Callable[..., int] = len, **options: Any) -> Engine:
    plan = retrofit_plan(table.segments, **options)
    return Engine(RetrofitJob(plan), RetrofitProgress(0), bounds=Bounds(), clock=Clock(lambda: 0.0), write=write)


def requested(batch: Engine) -> ItemRequest | None:
    request = batch.take()
    assert not isinstance(request, Pause)
    return request


def is_page(request: object) -> bool:
    return isinstance(request, ItemRequest) and isinstance(request.step, ReadPage)


def is_write(request: object) -> bool:
    return isinstance(request, ItemRequest) and isinstance(request.step, Write)


def run_batch(batch: Engine, table: SmallTable) -> RetrofitCounts:
    while (step := requested(batch)) is not None:
        batch.give(step, table.answer(step))
    counts: RetrofitCounts = batch.counts
    return counts


def test_every_outcome_is_counted() -> None:
    table = SmallTable(
        item("1", a="x", b="y"), item("2", a="x", b="y", made="x-y"), item("3", a="x"), item("4", a="x-", b="y"),
        item("5", a="x", b="y", made="old"),
    )  # fmt: skip
    counts = run_batch(batch_of(table, verify=True), table)
    assert (counts.items, counts.written, counts.right, counts.lacking, counts.refused) == (5, 2, 1, 1, 1)
    assert (counts.verified, counts.wrong, counts.write_units) == (5, 0, 2.0)


def test_a_verification_counts_the_items_that_each_counted_index_must_have() -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x"), item("3", a="x", b="y", made="x-y"))
    plan = replace(retrofit_plan(table.segments, verify=True), counted={"one": {"made": "S"}, "two": {"made": "N"}})
    batch = Engine(RetrofitJob(plan), RetrofitProgress(0), bounds=Bounds(), clock=Clock(lambda: 0.0), write=len)
    assert run_batch(batch, table).indexed == 2


def test_the_profile_shows_when_each_segment_was_worked_on() -> None:
    """In seconds since the batch began, whatever the clock shows then."""
    table, now = SmallTable(item("1", a="x", b="y"), segments=1), 100.0
    begin = RetrofitProgress(0)
    batch = Engine(RetrofitJob(retrofit_plan(1)), begin, bounds=Bounds(), clock=Clock(lambda: now), write=len)
    while (step := requested(batch)) is not None:
        now += 2.0
        batch.give(step, table.answer(step))
    [[segment, _, _, _, first_seconds, last_seconds, _]] = batch.profile["visits"]
    assert (segment, first_seconds, last_seconds) == (0, 2.0, now - 100.0)


def test_an_item_of_a_page_is_not_read_again_before_its_update() -> None:
    """Its page is paid for; a look would cost a read unit for every item of the table."""
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x", b="y", made="x-y"), item("3", a="x"))
    batch, asked = batch_of(table), list[type]()
    while (step := requested(batch)) is not None:
        asked.append(type(step.step))
        batch.give(step, table.answer(step))
    assert asked.count(Write) == 1
    assert set(asked) == {ReadPage, Write}


@pytest.mark.parametrize("returns_item", [True, False])
def test_an_item_that_is_deleted_before_its_update_is_gone_and_does_not_come_back(returns_item: bool) -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x", b="y"), segments=1, returns_item=returns_item)
    batch = batch_of(table)
    for _ in range(20):
        step = requested(batch)
        if step is None:
            break
        if is_write(step):
            table.items.pop("1", None)
        batch.give(step, table.answer(step))
    assert (batch.counts.items, batch.counts.gone, batch.counts.written) == (2, 1, 1)
    assert list(table.items) == ["2"]


def test_a_verification_finds_what_was_changed_after_it_was_set() -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x", b="y"), segments=1)
    listed: list[ItemResult] = []
    batch = batch_of(table, verify=True, write=noting(listed))
    while (step := requested(batch)) is not None:
        if is_page(step) and batch.counts.written == 2:
            table.items["1"]["a"] = text("z")
        batch.give(step, table.answer(step))
    assert (batch.counts.verified, batch.counts.wrong, batch.counts.written) == (2, 1, 2)
    assert [(settled.outcome, settled.key) for settled in listed] == [(RetrofitOutcome.WRONG, {"id": text("1")})]


def test_an_item_that_changes_all_the_while_is_listed_as_contended() -> None:
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    batch = batch_of(table)
    for change in range(20):
        step = requested(batch)
        if step is None:
            break
        if is_write(step):
            table.items["1"]["a"] = text(str(change))
        batch.give(step, table.answer(step))
    assert (batch.counts.contended, batch.counts.conflicts, table.updates) == (1, 5, 0)


def test_a_write_whose_condition_fails_counts_against_the_budget() -> None:
    """DynamoDB bills it (developer guide, "Write operation units")."""
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    batch = batch_of(table, max_write_units=3.0)
    for change in range(20):
        step = requested(batch)
        if step is None:
            break
        if is_write(step):
            table.items["1"]["a"] = text(str(change))
        batch.give(step, table.answer(step))
    assert (batch.counts.conflicts, batch.counts.write_units) == (3, 3.0)


def test_a_batch_that_is_repeated_finds_everything_right() -> None:
    table = SmallTable(*(item(str(n), a="x", b="y") for n in range(9)))
    assert run_batch(batch_of(table), table).written == 9
    assert run_batch(batch_of(table), table).right == 9


@pytest.mark.parametrize("is_made", [True, False])
def test_an_update_whose_answer_is_lost_is_made_again_and_counted_once(is_made: bool) -> None:
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    clock = count(step=60.0)
    start, bounds = RetrofitProgress(0), Bounds()
    batch = Engine(RetrofitJob(retrofit_plan(1)), start, bounds=bounds, clock=Clock(lambda: next(clock)), write=len)
    losses = 0
    while (step := batch.take()) is not None:
        if isinstance(step, ItemRequest) and is_write(step) and not losses:
            losses += 1
            if is_made:
                table.answer(step)
            assert batch.fail(step, Fault.PASSING)
        elif not isinstance(step, Pause):
            batch.give(step, table.answer(step))
    assert (batch.counts.items, batch.counts.written) == (1, 1)
    assert table.items["1"]["made"] == text("x-y")


def test_an_update_that_dynamodb_rejects_is_listed_and_the_others_continue() -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x", b="y"), segments=1)
    batch = batch_of(table)
    while (step := requested(batch)) is not None:
        if is_write(step) and step.step.key == {"id": text("1")}:
            batch.give(step, Answer(Refused("ValidationException")))
        else:
            batch.give(step, table.answer(step))
    assert (batch.counts.refused, batch.counts.written) == (1, 1)


def test_the_profile_counts_an_update_that_dynamodb_rejects() -> None:
    """The item is settled by it, and it is the last request of the batch."""
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    batch = batch_of(table)
    while (step := requested(batch)) is not None:
        if is_write(step):
            batch.give(step, Answer(Refused("ValidationException")))
        else:
            batch.give(step, table.answer(step))
    counts, profile = batch.counts, batch.profile
    assert (counts.items, counts.refused, counts.requests) == (1, 1, 2)
    assert profile["slots"][-1] == [counts.items, counts.requests, counts.units, counts.throttles]
    assert [visit[:4] for visit in profile["visits"]] == [[0, counts.items, counts.requests, counts.units]]


@pytest.mark.parametrize(("bytes_", "lacking"), [(None, 9), (3, 3)])
def test_a_batch_ends_when_its_list_is_long_enough(bytes_: int | None, lacking: int) -> None:
    """A byte an item here."""
    table = SmallTable(*(item(str(n), a="x") for n in range(9)), segments=1, page_items=1)
    start, bounds = RetrofitProgress(0), Bounds(bytes=bytes_)
    batch = Engine(RetrofitJob(retrofit_plan(1)), start, bounds=bounds, clock=Clock(lambda: 0.0), write=len)
    assert run_batch(batch, table).lacking == lacking


def test_a_budget_ends_the_worker_with_its_cursor_where_it_was() -> None:
    table = SmallTable(*(item(str(n), a="x", b="y") for n in range(9)), segments=1, page_items=9)
    batch = batch_of(table, max_write_units=4.0)
    assert run_batch(batch, table).written == 4
    reached = batch.progress
    assert reached.done(retrofit_plan(1, max_write_units=4.0))
    assert reached.cursors[0].start_key == {"id": text("3")}


def test_the_answer_of_another_request_is_refused_with_the_names_of_both() -> None:
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    batch = batch_of(table)
    page = requested(batch)
    assert page is not None
    with pytest.raises(TypeError, match=r"Answer .* ReadPage"):
        batch.give(page, Answer(WRITTEN))
    batch = batch_of(table)
    page = requested(batch)
    assert page is not None
    batch.give(page, table.answer(page))
    write = requested(batch)
    assert write is not None
    with pytest.raises(TypeError, match=r"Page .* Write"):
        batch.give(write, Page([], None, 0.5))


def test_a_batch_waits_for_the_first_of_its_walks_that_may_go_on() -> None:
    """Each reads a hot partition, and waits by itself: a tenth of a second after its first refusal."""
    now = [0.0]
    plan, begin = retrofit_plan(2), RetrofitProgress(0)
    batch = Engine(RetrofitJob(plan), begin, bounds=Bounds(), clock=Clock(lambda: now[0]), write=len)
    pages = [batch.take(), batch.take()]
    for page in pages:
        assert isinstance(page, ItemRequest)
        batch.fail(page, Fault.KEY_RANGE)
        now[0] += 0.03
    pause = batch.take()
    assert isinstance(pause, Pause)
    assert pause.seconds == pytest.approx(0.04)


def test_a_rate_paces_updates_and_reads_no_further_ahead_than_two_seconds() -> None:
    table = SmallTable(*(item(f"{n:03}", a="x", b="y") for n in range(200)), segments=1, page_items=1000)
    now = [0.0]
    plan = retrofit_plan(1, max_write_units_per_second=10.0)
    batch = Engine(RetrofitJob(plan), RetrofitProgress(0), bounds=Bounds(), clock=Clock(lambda: now[0]), write=len)
    while (step := batch.take()) is not None:
        if isinstance(step, Pause):
            assert step.seconds > 0
            now[0] += step.seconds
            continue
        if is_page(step):
            assert step.step.limit <= 20
        batch.give(step, table.answer(step))
    assert batch.counts.written == 200
    assert now[0] == pytest.approx(19.9, abs=0.2)


@pytest.mark.parametrize(("item_bytes", "limit"), [(50.0, 1000), (1024.0, 256), (400.0 * 1024, 1)])
def test_walks_hold_few_bytes_each_because_nested_items_take_many_times_their_bytes(
    item_bytes: float, limit: int
) -> None:
    plan = retrofit_plan(4)
    plan = replace(plan, max_write_units_per_second=None, reading=replace(plan.reading, item_bytes=item_bytes))
    batch = Engine(RetrofitJob(plan), RetrofitProgress(0), bounds=Bounds(), clock=Clock(lambda: 0.0), write=len)
    page = requested(batch)
    assert page is not None
    assert page.step.limit == limit


@pytest.mark.slow
def test_items_of_pages_are_held_as_bytes_until_their_turn_because_nested_ones_are_large_as_objects() -> None:
    """As objects, 16 pages of 256 KB took 368 MB; as bytes 29, with a page in hand 52."""
    batch = batch_of(SmallTable(segments=16))
    nested = {"a": text("x"), "b": text("y"), "list": {"L": [{"NULL": True}] * 5000}}
    answer = json.dumps([{"id": text(f"{n}"), **nested} for n in range(5)])
    pages = []
    while is_page(step := batch.take()):
        assert isinstance(step, ItemRequest)
        pages.append(step)
    tracemalloc.start()
    for page in pages:
        batch.give(page, Page(json.loads(answer), {"id": text("4")}, 6.5))
    kept, peak = (taken / (1 << 20) for taken in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    assert len(pages) == 16
    # One item of each walk is begun; the others are bytes. As objects it was 74 MB.
    assert kept < peak < 32


def test_an_item_is_handed_out_once_and_in_its_place_however_many_pass_without_a_step() -> None:
    table = SmallTable(*(item(f"{n:02}", a="x", b="y", **({} if n % 7 == 3 else {"made": "x-y"})) for n in range(40)))
    batch, written, under_way = batch_of(table), list[str](), list[Any]()
    while (step := batch.take()) is not None:
        if isinstance(step, Pause):  # every item that needs a write is under way
            written += [request.step.key["id"]["S"] for request in under_way]
            for request in under_way:
                batch.give(request, table.answer(request))
            under_way = []
        elif is_write(step):
            under_way.append(step)
        else:
            batch.give(step, table.answer(step))
    assert sorted(written) == [f"{n:02}" for n in range(3, 40, 7)]
    assert (batch.counts.items, batch.counts.written, batch.counts.right) == (40, 6, 34)
