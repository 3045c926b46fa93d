"""What one batch of a retrofit does with items, faults and bounds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from skipscan.cli.board import status_line
from skipscan.dynamodb.step import Get, Write
from skipscan.environment.status import State, Status
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator
from skipscan.items.engine import Engine
from skipscan.items.job import UnitRequest
from skipscan.items.lane import ReadPage
from skipscan.items.progress import ItemPosition, ItemResult
from skipscan.loop.finish import manifest
from skipscan.loop.proof import StoredParts
from skipscan.pace.bounds import Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.pace.progress import Progress
from skipscan.retrofit.item import RetrofitCounts, RetrofitJob, RetrofitOutcome, set_attributes
from skipscan.stored.moment import Moment
from tests.fakes.job_batch import job_batch
from tests.fakes.small_table import SmallTable, item, retrofit_plan, text
from tests.unit.loop.test_proof import NAMED, PARTS, WHOLE


def noting(listed: list[ItemResult]) -> Callable[[Sequence[ItemResult]], int]:
    def write(settled: Sequence[ItemResult]) -> int:
        listed.extend(settled)
        return len(settled)

    return write


def batch_of(table: SmallTable, *, write: Callable[..., int] = len, **options: Any) -> Engine:
    plan = retrofit_plan(table.segments, **options)
    return job_batch(RetrofitJob, plan, progress=Progress(0, ItemPosition(), RetrofitCounts()), write=write)


def requested(batch: Engine) -> UnitRequest | None:
    request = batch.take()
    assert not isinstance(request, Pause)
    return request


def is_page(request: object) -> bool:
    return isinstance(request, UnitRequest) and isinstance(request.step, ReadPage)


def is_write(request: object) -> bool:
    return isinstance(request, UnitRequest) and isinstance(request.step, Write)


def run_batch(batch: Engine, table: SmallTable) -> RetrofitCounts:
    while (step := requested(batch)) is not None:
        batch.give(step, table.answer(step))
    counts: RetrofitCounts = batch.counts
    return counts


def test_a_verification_counts_the_items_that_each_counted_index_must_have() -> None:
    table = SmallTable(item("1", a="x", b="y"), item("2", a="x"), item("3", a="x", b="y", made="x-y"))
    plan = replace(retrofit_plan(table.segments, verify=True), counted={"one": {"made": "S"}, "two": {"made": "N"}})
    batch = job_batch(RetrofitJob, plan, progress=Progress(0, ItemPosition(), RetrofitCounts()))
    assert run_batch(batch, table).indexed == 2


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
    assert batch.counts.outcomes == {"written": 2, "verified": 2, "wrong": 1}
    assert [(settled.outcome, settled.key) for settled in listed] == [(RetrofitOutcome.WRONG, {"id": text("1")})]


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"old": "x"}, "new differs from the value that the template makes and old is still there"),
        ({"old": "x", "new": "x"}, "old is still there"),
    ],
)
def test_a_verification_says_what_a_rename_left(attributes: dict[str, str], reason: str) -> None:
    found = item("1", **attributes)
    rename, names = Assignments.parse({"new": "{old}"}, Separator.REFUSE, ["old"]), ("id", "old", "new")
    steps = set_attributes(rename, "Audit", names, {"id": text("1")}, found, writes=False)
    assert next(steps) == Get("Audit", {"id": text("1")}, names)
    with pytest.raises(StopIteration) as ended:
        steps.send(found)
    assert (ended.value.value.outcome, ended.value.value.reason) == (RetrofitOutcome.WRONG, reason)


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
    assert (batch.counts.contended, batch.counts.conflicts, table.writes) == (1, 5, 0)


@pytest.mark.parametrize("is_made", [True, False])
def test_an_update_whose_answer_is_lost_is_made_again_and_counted_once(is_made: bool) -> None:
    table = SmallTable(item("1", a="x", b="y"), segments=1)
    clock = count(step=60.0)
    start = Progress(0, ItemPosition(), RetrofitCounts())
    batch = job_batch(RetrofitJob, retrofit_plan(1), progress=start, clock=Clock(lambda: next(clock)))
    losses = 0
    while (step := batch.take()) is not None:
        if isinstance(step, UnitRequest) and is_write(step) and not losses:
            losses += 1
            if is_made:
                table.answer(step)
            assert batch.fail(step, Fault.PASSING)
        elif not isinstance(step, Pause):
            batch.give(step, table.answer(step))
    assert (batch.counts.items, batch.counts.written) == (1, 1)
    assert table.items["1"]["made"] == text("x-y")


def test_a_budget_ends_the_worker_with_its_cursor_where_it_was() -> None:
    table = SmallTable(*(item(str(n), a="x", b="y") for n in range(9)), segments=1, page_items=9)
    batch = batch_of(table, max_write_units=4.0)
    assert run_batch(batch, table).written == 4
    reached = batch.progress
    assert reached.done(retrofit_plan(1, max_write_units=4.0))
    assert reached.position.cursors[0].start_key == {"id": text("3")}


# What a person sees of the indexes that a retrofit has counted.


NOW = datetime(2026, 1, 1, 1, tzinfo=UTC)
WHOLE_COUNT = {"entries": 505, "requests": 2, "read_units": 3.5, "stopped_by": None}
STOPPED = {"entries": None, "requests": 2, "read_units": 3.5, "stopped_by": "budget"}
COUNTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"by-all-three": WHOLE_COUNT}, ["index by-all-three: 505 of 505 items"]),
    ({"by-all-three": STOPPED}, ["index by-all-three: not counted to its end (budget); 505 items have its keys"]),
    (
        {"by-a": {**WHOLE_COUNT, "entries": 300}, "by-b": {**WHOLE_COUNT, "entries": 204}},
        ["index by-a: 300 entries", "index by-b: 204 entries", "all indexes: 504 of 505 entries"],
    ),
]


def finished(indexes: dict[str, Any]) -> Status:
    whole = WHOLE["retrofit"]
    work = whole.kind.new_work(NAMED, whole.plan)
    counts = whole.reached[0].counts + whole.reached[1].counts
    document = {
        **manifest(whole.kind, work, StoredParts(2, PARTS).rows, counts, whole.reached),
        "indexed": 505,
        "indexes": indexes,
    }
    moment = Moment(whole.kind, NOW, work.to_json(), document)
    return Status(whole.kind, "T", "run-1", State.FINISHED, NOW, moment=moment)


@pytest.mark.parametrize(("indexes", "said"), COUNTS)
def test_the_count_is_among_the_figures_of_the_ending(indexes: dict[str, Any], said: list[str]) -> None:
    status = finished(indexes)
    for one in said:
        assert one in status_line(status, None, NOW)
    assert status.to_json()["indexes"] == indexes
