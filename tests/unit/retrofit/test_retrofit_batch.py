"""A retrofit among writers, crashes and zombies overwrites nobody, and ends with every item right."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Unmade
from skipscan.items.progress import ItemProgress
from skipscan.items.request import ReadPage, WriteItem
from skipscan.items.walk import ItemWalk, Settled
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import Bounds, Pause
from skipscan.retrofit.batch import RetrofitBatch
from skipscan.retrofit.counts import RetrofitCounts
from skipscan.retrofit.settling import RetrofitOutcome, Settling
from tests.suite.examples import examples
from tests.unit.retrofit.schedule import Schedule
from tests.unit.retrofit.small_table import SmallTable, item, retrofit_plan, text

SEEDS = st.integers(0, 2**48)


def looking(assignments: Assignments, key: Item, before: Item | None) -> Settling:
    """The keeper as it is: it looks at the item, whatever the event says."""
    return Settling(assignments, key)


def right_or_listed(assignments: Assignments, entry: Item) -> bool:
    verdict = assignments.judge(entry)
    return verdict is None or isinstance(verdict, Unmade)


def check_job(schedule: Schedule) -> None:
    """Run once among writers; whatever nobody touched is right. Then once more in peace: everything is right."""
    counts = schedule.run()
    for id_, entry in schedule.table.items.items():
        assert id_ in schedule.touched or right_or_listed(schedule.assignments, entry), "an item was passed over"
    parts = counts.written + counts.right + counts.gone + counts.lacking + counts.refused + counts.contended
    assert parts == counts.items
    schedule.committed.clear()
    schedule.listed.clear()
    counts = schedule.run(writers=False)
    assert all(right_or_listed(schedule.assignments, entry) for entry in schedule.table.items.values())
    assert (counts.items, counts.wrong) == (len(schedule.table.items), 0)
    unmade = {i for i, e in schedule.table.items.items() if isinstance(schedule.assignments.judge(e), Unmade)}
    assert {settled.key["id"]["S"] for settled in schedule.listed} == unmade
    assert counts.lacking + counts.refused == len(unmade)


def check_keepers(schedule: Schedule) -> None:
    """Run among writers with keepers on the stream: once is enough, and everything is right."""
    schedule.run()
    assert all(right_or_listed(schedule.assignments, entry) for entry in schedule.table.items.values()), (
        "an event's item"
    )


@settings(max_examples=examples(1000), deadline=None)
@given(SEEDS)
def test_a_retrofit_overwrites_nobody_and_ends_with_every_item_right(seed: int) -> None:
    check_job(Schedule(seed))


@settings(max_examples=examples(1000), deadline=None)
@given(SEEDS)
def test_with_keepers_one_run_is_enough_whatever_is_written_meanwhile(seed: int) -> None:
    check_keepers(Schedule(seed, keeper=looking))


def test_the_schedules_hold_every_fault() -> None:
    schedules = [Schedule(seed, keeper=looking) for seed in range(60)]
    for schedule in schedules:
        schedule.run()
    for fault in vars(schedules[0].faults):
        assert sum(getattr(schedule.faults, fault) for schedule in schedules) > 20, fault


class Unconditional(SmallTable):
    """Mutant: updates without their condition."""

    def holds(self, key: Item, change: Update) -> bool:
        return key["id"]["S"] in self.items


class SourcesForgotten(SmallTable):
    """Mutant: the condition asks for the replaced attribute alone."""

    def holds(self, key: Item, change: Update) -> bool:
        return super().holds(key, Update(change.values, {n: v for n, v in change.read.items() if n in change.values}))


class Hasty(ItemWalk[Settling]):
    """Mutant: the cursor moves when a page comes, before its items are written."""

    def receive(self, page: Page) -> None:
        super().receive(page)
        self._behind = page.last_evaluated_key or self._behind


class HastyBatch(RetrofitBatch):
    def _walk(self, cursor: Any) -> ItemWalk[Settling]:
        return Hasty(cursor, self._begin)


class Forgetful(RetrofitBatch):
    """Mutant: an item whose request failed counts as done."""

    def fail(self, request: Any, fault: Fault) -> bool:
        if isinstance(request, WriteItem):
            request.item.written()
        return super().fail(request, fault)


def believing(assignments: Assignments, key: Item, before: Item | None) -> Settling:
    """Mutant: a keeper that takes an event's item for the item as it is."""
    return Settling(assignments, key, before)


MUTANTS: dict[str, tuple[Callable[[Schedule], None], dict[str, Any]]] = {
    "condition removed": (check_job, {"table_type": Unconditional}),
    "sources not in the condition": (check_job, {"table_type": SourcesForgotten}),
    "cursor moved before the writes": (check_job, {"batch_type": HastyBatch}),
    "failed update taken for done": (check_job, {"batch_type": Forgetful}),
    "keeper believes its event": (check_keepers, {"keeper": believing}),
    "keeper's update without condition": (check_keepers, {"keeper": looking, "table_type": Unconditional}),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_the_schedules_catch(name: str) -> None:
    check, options = MUTANTS[name]
    assert any(fails(check, Schedule(seed, **options)) for seed in range(300))


def fails(check: Callable[[Schedule], None], schedule: Schedule) -> bool:
    try:
        check(schedule)
    except AssertionError:
        return True
    return False


def noting(listed: list[Settled]) -> Callable[[Sequence[Settled]], int]:
    def write(settled: Sequence[Settled]) -> int:
        listed.extend(settled)
        return len(settled)

    return write


def batch_of(table: SmallTable, *, write: Callable[..., int] = len, **options: Any) -> RetrofitBatch:
    plan = retrofit_plan(table.segments, **options)
    return RetrofitBatch(plan, ItemProgress(0, RetrofitCounts()), bounds=Bounds(), clock=lambda: 0.0, write=write)


def run_batch(batch: RetrofitBatch, table: SmallTable) -> RetrofitCounts:
    while (step := batch.take()) is not None:
        assert not isinstance(step, Pause)
        batch.give(step, table.answer(step))
    return batch.counts


def test_every_outcome_is_counted() -> None:
    table = SmallTable(
        item("1", a="x", b="y"), item("2", a="x", b="y", made="x-y"), item("3", a="x"), item("4", a="x-", b="y"),
        item("5", a="x", b="y", made="old"),
    )  # fmt: skip
    counts = run_batch(batch_of(table, verify=True), table)
    assert (counts.items, counts.written, counts.right, counts.lacking, counts.refused) == (5, 2, 1, 1, 1)
    assert (counts.verified, counts.wrong, counts.write_units) == (5, 0, 2.0)


def test_a_verification_finds_what_was_changed_after_it_was_set() -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x", b="y"), segments=1)
    listed: list[Settled] = []
    batch = batch_of(table, verify=True, write=noting(listed))
    while (step := batch.take()) is not None:
        if isinstance(step, ReadPage) and batch.counts.written == 2:
            table.items["1"]["a"] = text("z")
        batch.give(step, table.answer(step))  # type: ignore[arg-type]
    assert (batch.counts.verified, batch.counts.wrong, batch.counts.written) == (2, 1, 2)
    assert [(settled.outcome, settled.key) for settled in listed] == [(RetrofitOutcome.WRONG, {"id": text("1")})]


def test_an_item_that_changes_all_the_while_is_listed_as_contended() -> None:
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    batch = batch_of(table)
    for change in range(20):
        step = batch.take()
        if step is None:
            break
        if isinstance(step, WriteItem):
            table.items["1"]["a"] = text(str(change))
        batch.give(step, table.answer(step))  # type: ignore[arg-type]
    assert (batch.counts.contended, batch.counts.conflicts, table.updates) == (1, 5, 0)


def test_a_batch_that_is_repeated_finds_everything_right() -> None:
    table = SmallTable(*(item(str(n), a="x", b="y") for n in range(9)))
    assert run_batch(batch_of(table), table).written == 9
    assert run_batch(batch_of(table), table).right == 9


def test_an_update_that_dynamodb_finds_invalid_is_listed_and_the_rest_goes_on() -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x", b="y"), segments=1)
    batch = batch_of(table)
    while (step := batch.take()) is not None:
        if isinstance(step, WriteItem) and step.item.key == {"id": text("1")}:
            assert batch.fail(step, Fault.INVALID)
        else:
            batch.give(step, table.answer(step))  # type: ignore[arg-type]
    assert (batch.counts.refused, batch.counts.written) == (1, 1)


@pytest.mark.parametrize(("bytes_", "lacking"), [(None, 9), (3, 3)])
def test_a_batch_ends_when_its_list_is_long_enough(bytes_: int | None, lacking: int) -> None:
    """A byte an item here."""
    table = SmallTable(*(item(str(n), a="x") for n in range(9)), segments=1, page_items=1)
    start, bounds = ItemProgress(0, RetrofitCounts()), Bounds(bytes=bytes_)
    batch = RetrofitBatch(retrofit_plan(1), start, bounds=bounds, clock=lambda: 0.0, write=len)
    assert run_batch(batch, table).lacking == lacking


def test_a_budget_ends_the_worker_with_its_cursor_where_it_was() -> None:
    table = SmallTable(*(item(str(n), a="x", b="y") for n in range(9)), segments=1, page_items=9)
    batch = batch_of(table, max_write_units=4.0)
    assert run_batch(batch, table).written == 4
    reached = batch.progress
    assert reached.done(retrofit_plan(1, max_write_units=4.0))
    assert reached.cursors[0].start_key == {"id": text("3")}


def test_a_rate_paces_updates_and_reads_no_further_ahead_than_two_seconds() -> None:
    table = SmallTable(*(item(f"{n:03}", a="x", b="y") for n in range(200)), segments=1, page_items=1000)
    now = [0.0]
    plan = retrofit_plan(1, max_write_units_per_second=10.0)
    batch = RetrofitBatch(plan, ItemProgress(0, RetrofitCounts()), bounds=Bounds(), clock=lambda: now[0], write=len)
    while (step := batch.take()) is not None:
        if isinstance(step, Pause):
            assert step.seconds > 0
            now[0] += step.seconds
            continue
        if isinstance(step, ReadPage):
            assert step.limit <= 20
        batch.give(step, table.answer(step))
    assert batch.counts.written == 200
    assert now[0] == pytest.approx(19.9, abs=0.2)
