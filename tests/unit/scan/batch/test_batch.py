"""A batch's pages and end, and that the order of answers changes nothing."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.aws.table import Table
from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import PartitionKey
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import progress_to_json
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import Fault
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import WALKS, Plan, segment_at
from skipscan.scan.progress import ScanCounts, ScanProgress
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.odd_pages import ShortPages
from tests.fakes.tables import GeneratedTable, indexed_tables, tables
from tests.fakes.turns import planned
from tests.unit.scan.worker import KEY_BYTES, ORDERS, Worker, after_the_start, page, taken  # noqa: F401 (a fixture)


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


def test_continues_where_the_previous_batch_ended() -> None:
    worker = Worker(segments=2, workers=1)
    batch = worker.batch(worker=0)
    batch.give(taken(batch), page("a", "b", last="b"))
    taken(batch)
    batch.stop()
    document = progress_to_json(batch.progress, worker.plan)
    progress = LISTING.progress(document, worker.plan)
    assert progress.opened == 2
    following = worker.batch(progress)
    requests = [taken(following), taken(following)]
    assert [request.start_key for request in requests] == [{"pk": {"S": "b"}, "sk": MAXIMUM["S"]}, None]
    following.give(requests[0], page("c"))
    following.give(requests[1], page("d"))
    assert following.take() is None
    assert following.counts == ScanCounts(keys=2, items=2, requests=2, read_units=1.0)
    assert following.progress.counts == ScanCounts(keys=4, items=4, requests=3, read_units=1.5)
    assert following.progress.limit.cost == 3 * (0.5 + following.progress.limit.request_units)


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


@pytest.mark.parametrize("bounds", [{"keys": 20}, {"bytes": 20 * KEY_BYTES}])
def test_pages_under_way_count_as_much_as_the_mean_of_those_before(bounds: dict[str, Any]) -> None:
    """Or as many full pages as there are walks would come after the bound: a batch four times as large."""
    batch = Worker(workers=1).batch(worker=0, **bounds)
    batch.give(taken(batch), page(*"abcde", last="e"))
    under_way = [taken(batch) for _ in range(3)]
    assert (batch.take(), batch.wanted) == (None, 3)
    batch.give(under_way[0], page("f", last="f"))  # fewer than expected: the batch goes on
    under_way.append(taken(batch))
    for request in under_way[1:]:
        batch.give(request, page(*"ghijk", last="k"))
    assert batch.counts.keys == 21
    assert batch.take() is None


def test_no_more_threads_begin_than_the_rest_of_the_budget_has_pages_for() -> None:
    batch = Worker(workers=1, max_read_units=400).batch(worker=0)
    assert batch.wanted == WALKS
    under_way = [taken(batch), taken(batch)]
    assert (batch.take(), batch.wanted) == (None, len(under_way))


def test_ends_when_its_time_is_up_and_not_before() -> None:
    worker = Worker(segments=1, workers=1)
    batch = worker.batch(worker=0, seconds=15.0)
    worker.now += 14.9
    batch.give(taken(batch), page("a", last="a"))
    worker.now += 0.1
    assert batch.take() is None


def test_the_profile_shows_each_segments_keys_requests_and_read_units() -> None:
    batch = Worker(segments=1, workers=1).batch(worker=0)
    batch.give(taken(batch), page("a", last="a"))
    batch.give(taken(batch), page("b", "c"))
    assert batch.profile["visits"] == [[0, 3, 2, 1.0, 0.0, 0.0, True]]


def test_pages_count_on_request() -> None:
    batch = Worker().batch(pages=2)
    taken(batch)
    taken(batch)
    assert batch.take() is None


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
        progress = ScanProgress.start(decided, worker)
        while not progress.done(decided):
            progress = shuffled(client, decided, progress, bounds=bounds, chance=chance, keys=keys)
    names = [attribute.name for attribute in decided.source.partition_key]
    listed = [dict(zip(names, key if len(names) > 1 else (key,), strict=True)) for key in keys]
    assert sorted(map(repr, listed)) == sorted(map(repr, table.partition_keys()))


def shuffled(
    client: ShortPages,
    decided: Plan,
    progress: ScanProgress,
    *,
    bounds: Bounds,
    chance: Random,
    keys: list[PartitionKey],
) -> ScanProgress:
    """Return the progress after a batch whose answers come in an order drawn by chance."""
    now = 0.0

    def write(found: Sequence[PartitionKey]) -> int:
        keys.extend(found)
        return len(found)

    batch = Batch(decided, progress, bounds=bounds, clock=Clock(lambda: now), random=lambda: 0.5, write=write)
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
            return LISTING.progress(progress_to_json(batch.progress, decided), decided)
