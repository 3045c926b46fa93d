"""What a batch hands out, when it ends, and that the order in which answers come changes nothing."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.aws.table import Table
from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import PartitionKey
from skipscan.loop.progress import to_json
from skipscan.pace.backoff import Fault
from skipscan.pace.bounds import LOOK_SECONDS, Bounds, Pause
from skipscan.scan.batch import Batch, Request
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import WALKS, Plan
from skipscan.scan.progress import Progress, ScanCounts
from skipscan.scan.segments import segment_at
from skipscan.scan.width import Width
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.odd_pages import ShortPages
from tests.fakes.tables import GeneratedTable, indexed_tables, tables
from tests.unit.turns import planned

ORDERS = TableDefinition("Orders", KeySchema.of(("pk", "S"), ("sk", "S")))
KEY_BYTES = 10


@pytest.fixture(autouse=True)
def after_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let 16 pages be under way from the beginning to the end; tests/unit/scan/test_width.py has what the width is."""
    monkeypatch.setattr(Width, "after", lambda *_, **__: Width(WALKS, most=WALKS))


class Worker:
    """A worker's batches over no table at all: the test answers. `keys`: what was written."""

    def __init__(self, **asked: Any) -> None:
        dynamodb = FakeDynamoDB()
        dynamodb.add(ORDERS)
        self.plan = planned(dynamodb, table="Orders", **{"segments": 40, "workers": 2, **asked})
        self.now = 100.0
        self.keys: list[PartitionKey] = []

    def batch(self, progress: Progress | None = None, worker: int = 1, **bounds: Any) -> Batch:
        begin = progress or Progress.start(self.plan, worker)
        return Batch(
            self.plan,
            begin,
            bounds=Bounds(**bounds),
            clock=lambda: self.now,
            random=lambda: 1.0,
            write=self._write,
        )

    def _write(self, keys: Sequence[PartitionKey]) -> int:
        self.keys += keys
        return KEY_BYTES * len(keys)


def taken(batch: Batch) -> Request:
    step = batch.take()
    assert isinstance(step, Request), step
    return step


def page(*names: str, last: str | None = None, read_units: float = 0.5) -> Page:
    items = [{"pk": {"S": name}, "sk": {"S": "1"}} for name in names]
    return Page(items, {"pk": {"S": last}, "sk": {"S": "1"}} if last else None, read_units)


def test_walks_the_workers_segments_several_at_once() -> None:
    worker = Worker()
    batch = worker.batch()
    requests = [taken(batch) for _ in range(WALKS)]
    assert [request.segment for request in requests] == [segment_at(1 + 2 * visit, 40) for visit in range(WALKS)]
    assert batch.take() is None
    batch.give(requests[3], page("a"))
    assert taken(batch).segment == segment_at(1 + 2 * WALKS, 40)
    assert batch.take() is None
    assert batch.progress.opened == WALKS + 1
    assert len(batch.progress.cursors) == WALKS


def test_walks_take_turns() -> None:
    batch = Worker(segments=2, workers=1).batch(worker=0)
    first, second = taken(batch), taken(batch)
    assert (first.start_key, second.start_key) == (None, None)
    batch.give(second, page("b", last="b"))
    batch.give(first, page("a", last="a"))
    for request, key in ((second, "b"), (first, "a")):
        following = taken(batch)
        assert (following.segment, following.start_key) == (request.segment, {"pk": {"S": key}, "sk": MAXIMUM["S"]})


def test_ends_when_its_segments_do() -> None:
    worker = Worker(segments=3, workers=1)
    batch = worker.batch(worker=0)
    for name in "abc":
        batch.give(taken(batch), page(name))
    assert batch.take() is None
    assert batch.progress.done(worker.plan)
    assert worker.keys == [{"S": name} for name in "abc"]
    assert batch.progress.counts == batch.counts == ScanCounts(keys=3, items=3, requests=3, read_units=1.5)


def test_goes_on_where_the_batch_before_it_ended() -> None:
    worker = Worker(segments=2, workers=1)
    batch = worker.batch(worker=0)
    batch.give(taken(batch), page("a", "b", last="b"))
    taken(batch)
    batch.stop()
    document = to_json(batch.progress, worker.plan)
    progress = Progress.from_json(document, worker.plan)
    assert progress.opened == 2
    following = worker.batch(progress)
    requests = [taken(following), taken(following)]
    assert [request.start_key for request in requests] == [{"pk": {"S": "b"}, "sk": MAXIMUM["S"]}, None]
    following.give(requests[0], page("c"))
    following.give(requests[1], page("d"))
    assert following.take() is None
    assert following.counts == ScanCounts(keys=2, items=2, requests=2, read_units=1.0)
    assert following.progress.counts == ScanCounts(keys=4, items=4, requests=3, read_units=1.5)
    assert following.progress.limit.pages == 3


@pytest.mark.parametrize(
    ("bounds", "pages"),
    [({"pages": 3}, 3), ({"keys": 5}, 3), ({"bytes": 45}, 3), ({"bytes": 41}, 3), ({"bytes": 40}, 2)],
)
def test_ends_at_whichever_bound_comes_first(bounds: dict[str, Any], pages: int) -> None:
    """Pages of two keys, twenty bytes."""
    batch = Worker(segments=1, workers=1).batch(worker=0, **bounds)
    for number in range(pages):
        batch.give(taken(batch), page(f"{number}a", f"{number}b", last=f"{number}b"))
    assert batch.take() is None
    assert batch.counts.requests == pages


def test_the_bytes_of_all_its_pages_count() -> None:
    batch = Worker(segments=1, workers=1).batch(worker=0, bytes=21)
    batch.give(taken(batch), page("a", last="a"))
    batch.give(taken(batch), page("b", last="b"))
    batch.give(taken(batch), page("c", last="c"))
    assert batch.take() is None


def test_ends_when_its_time_is_up_and_not_before() -> None:
    worker = Worker(segments=1, workers=1)
    batch = worker.batch(worker=0, seconds=15.0)
    worker.now += 14.9
    batch.give(taken(batch), page("a", last="a"))
    worker.now += 0.1
    assert batch.take() is None


def test_pages_count_when_they_are_asked_for() -> None:
    batch = Worker().batch(pages=2)
    taken(batch)
    taken(batch)
    assert batch.take() is None


def test_ends_when_the_workers_share_of_the_budget_is_consumed() -> None:
    worker = Worker(segments=1, workers=1, max_read_units=3)
    progress = replace(Progress.start(worker.plan, 0), counts=ScanCounts(keys=9, requests=4, read_units=2.0))
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
def test_a_page_that_failed_is_asked_for_again(fault: Fault) -> None:
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


def test_waits_are_drawn_only_by_who_asks_for_jitter() -> None:
    worker = Worker(segments=1, workers=1)
    start = Progress.start(worker.plan, 0)
    batch = Batch(worker.plan, start, bounds=Bounds(), clock=lambda: worker.now, write=len)
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


def test_a_refused_skip_is_counted_and_the_walk_goes_on_without() -> None:
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
    assert (request.limit, request.read_units) == (None, 0.0)
    batch.give(request, page("a", last="a"))
    assert batch.progress.limit.pages == 0


@pytest.mark.parametrize("strategy", ["skip", "page"])
def test_a_rate_makes_pages_small(strategy: str) -> None:
    """0.4 seconds' worth at 5 units a second: 2 units, 16 KB, some 40 of the 400-byte items that are assumed."""
    batch = Worker(segments=1, workers=1, strategy=strategy, max_read_units_per_second=5).batch(worker=0)
    request = taken(batch)
    assert request.limit is not None
    assert request.limit <= 40
    assert 0 < request.read_units <= 2.5
    assert isinstance(batch.take(), Pause)


def test_a_page_that_the_rate_puts_off_is_the_one_that_comes_later() -> None:
    """A Limit is drawn once: whoever drew anew would try other Limits the longer a page has to wait."""
    worker = Worker(segments=2, workers=1, max_read_units_per_second=5)
    batch = worker.batch(worker=0)
    first = taken(batch)
    worker.now += 60.0
    assert isinstance(batch.take(), Pause)
    waiting = batch._put_off
    tries = batch.progress.limit.tries
    assert waiting
    assert waiting.most.read_units + first.most.read_units > (worker.plan.worker_burst or 0)
    batch.give(first, page("a"))
    assert taken(batch) is waiting
    assert batch.progress.limit.tries == tries


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


ANY_TABLE = tables() | indexed_tables()


@given(ANY_TABLE, st.sampled_from([(1, 1), (7, 2), (40, 3)]), st.integers(0, 1000), st.integers(0, 12))
def test_answers_may_come_in_any_order(table: GeneratedTable, split: tuple[int, int], seed: int, pages: int) -> None:
    """Some fail, some pages are empty or short; batches of so many pages (0: as many as it takes) end in between."""
    chance = Random(seed)
    client = ShortPages(table.load(FakeDynamoDB()), chance)
    decided = planned(client, table="Generated", index=table.index, segments=split[0], workers=split[1])
    keys: list[PartitionKey] = []
    bounds = Bounds(pages=pages or None)
    for worker in range(split[1]):
        progress = Progress.start(decided, worker)
        while not progress.done(decided):
            progress = shuffled(client, decided, progress, bounds=bounds, chance=chance, keys=keys)
    names = [attribute.name for attribute in decided.source.partition_key]
    listed = [dict(zip(names, key if len(names) > 1 else (key,), strict=True)) for key in keys]
    assert sorted(map(repr, listed)) == sorted(map(repr, table.partition_keys()))


def shuffled(
    client: ShortPages, decided: Plan, progress: Progress, *, bounds: Bounds, chance: Random, keys: list[PartitionKey]
) -> Progress:
    """Return the progress after a batch whose answers come in an order drawn by chance."""
    now = 0.0

    def write(found: Sequence[PartitionKey]) -> int:
        keys.extend(found)
        return len(found)

    batch = Batch(decided, progress, bounds=bounds, clock=lambda: now, random=lambda: 0.5, write=write)
    scan = Table(client, decided).scan  # type: ignore[arg-type]  # a fake has only our calls
    waiting: list[tuple[Request, Page | None]] = []
    while True:
        step = batch.take() if len(waiting) < 8 else None
        if isinstance(step, Request):
            waiting.append((step, scan(step) if chance.random() < 0.9 else None))
        elif waiting:
            request, answer = waiting.pop(chance.randrange(len(waiting)))
            if answer is not None:
                batch.give(request, answer)
            else:
                assert batch.fail(request, Fault.KEY_RANGE)
        elif isinstance(step, Pause):
            now += step.seconds
        else:
            return Progress.from_json(to_json(batch.progress, decided), decided)
