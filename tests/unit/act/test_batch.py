"""Batches of a job over parts in memory: every key settled once and counted once, however requests end."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.act.actions.hand_over import Invoke, Send
from skipscan.act.input import AnyAction
from skipscan.act.item import ActCounts
from skipscan.act.kind import ACT
from skipscan.act.parts import slices
from skipscan.act.plan import ActPlan
from skipscan.act.task_source import ActPosition, RefusedTask, Task, TaskResult
from skipscan.dynamodb.step import Answer
from skipscan.errors import BatchError
from skipscan.items.engine import Engine
from skipscan.items.job import UnitRequest
from skipscan.loop.kind import progress_to_json
from skipscan.pace.bounds import Clock, Pause
from skipscan.pace.pace import FIRST_SECONDS, Fault
from skipscan.pace.progress import Progress
from tests.fakes.acting import PUT
from tests.fakes.job_batch import job_batch
from tests.refusal import refused
from tests.unit.act.worker import FUNCTION, QUEUE, InOneStep, Worker, manifest, part, plan, put

BEGINNING = Progress(0, ActPosition(), ActCounts())


@pytest.mark.slow
@given(
    st.lists(st.lists(st.integers(0, 10**6), max_size=20), max_size=4),
    st.integers(1, 3),
    st.integers(1, 60),
    st.integers(1, 9),
    st.data(),
)
def test_every_key_is_counted_once_whatever_happens_to_requests(
    numbers: list[list[int]], workers: int, slice_bytes: int, pages: int, data: st.DataObject
) -> None:
    counter = iter(range(10**6))
    parts = [part(*(next(counter) for _ in keys)) for keys in numbers]
    keys = sum(map(len, numbers))
    ends = st.sampled_from([None, None, None, RefusedTask("Unhandled"), *(f for f in Fault if f is not Fault.INVALID)])

    def does(task: Task) -> TaskResult | RefusedTask | Fault:
        return data.draw(ends) or put(task)

    total, failed = ActCounts(), []
    for number in range(workers):
        worker = Worker(parts, plan(parts, workers=workers, slice_bytes=slice_bytes), does, slice_bytes=slice_bytes)
        total += worker.run(number, pick=lambda n: data.draw(st.integers(0, n)), pages=pages).counts
        failed += worker.failed
    assert total.keys == keys == total.put + total.failed
    assert total.failed == len(failed) == len(set(failed))


def test_a_task_refused_again_and_again_is_given_up() -> None:
    worker = Worker([part(1)], plan([part(1)]), lambda _: RefusedTask("Unhandled"))
    counts = worker.run().counts
    assert (counts.failed, counts.requests, worker.failed[0][1]) == (1, 3, "Unhandled")


@pytest.mark.slow
@given(st.integers(1, 4), st.integers(1, 3), st.integers(30, 300), st.data())
def test_a_commit_holds_every_settled_key_however_many_are_open(
    keys_together: int, pages: int, slice_bytes: int, data: st.DataObject
) -> None:
    """Any tasks are throttled in any batch: none that is settled is done again, and all are in the end."""
    parts = [part(*range(12)), part(*range(12, 25))]
    decided = plan(parts, Invoke(FUNCTION, keys_together), slice_bytes=slice_bytes)

    def does(task: Task) -> TaskResult | RefusedTask | Fault:
        open_ = data.draw(st.sampled_from([None, None, None, Fault.KEY_RANGE, RefusedTask("FunctionError")]))
        return open_ or TaskResult(ActCounts(sent=len(task.lines)))

    worker = Worker(parts, decided, does, slice_bytes=slice_bytes)
    progress = BEGINNING
    while not progress.done(decided):
        before = progress
        progress = worker.batch(progress, pick=lambda n: data.draw(st.integers(0, n)), pages=pages)
        document = json.loads(json.dumps(progress_to_json(progress, decided)))
        assert ACT.progress(document, decided) == progress
        assert progress.counts.keys - before.counts.keys <= pages * keys_together
    assert not worker.done or max(worker.done.values()) == 1
    assert worker.done.total() + progress.counts.failed == progress.counts.keys == 25
    assert progress.position.window == ()


@pytest.mark.parametrize("seconds", [2.0, 15.0])
def test_a_hot_key_at_the_end_of_a_batch_has_no_other_key_done_again(seconds: float) -> None:
    parts = [part(*range(2000))]
    worker = Worker(parts, plan(parts), lambda task: Fault.KEY_RANGE if task.number == 3 else put(task))
    first = worker.batch(BEGINNING, seconds=seconds)
    assert first.counts.keys == worker.done.total() == 1026
    hot, *others = first.position.window
    assert (first.position.offset, hot, {*others}) == (len(part(0, 1, 2)), 0, {None})
    worker.does = put
    last = worker.batch(first)
    assert (last.done(worker.plan), last.counts.put) == (True, 2000)
    assert set(worker.done.values()) == {1}


def test_a_temporary_refusal_waits_ever_longer_and_counts_as_no_try() -> None:
    """SQS cannot take a message for a second and a half, more often than a function would be called."""
    parts, refused_at = [part(1)], list[float]()

    def refuses(task: Task) -> TaskResult | RefusedTask:
        if worker.passed < 1.5:
            refused_at.append(worker.passed)
            return RefusedTask("InternalError", Fault.PASSING)
        return put(task)

    worker = Worker(parts, plan(parts), refuses)
    counts = worker.run().counts
    assert (counts.put, counts.failed) == (1, 0)
    waits = [after - before for before, after in pairwise([*refused_at, worker.passed])]
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8], abs=0.03)


def test_the_profile_of_a_batch_counts_its_seconds_from_its_beginning() -> None:
    outcomes = iter([Fault.CAPACITY])
    worker = Worker([part(1)], plan([part(1)]), lambda task: next(outcomes, None) or put(task))
    worker.run()
    *_, (_, _, _, throttles) = worker.profile["slots"]
    assert throttles == 1
    assert len(worker.profile["slots"]) * worker.profile["slot_seconds"] < 10


def test_a_temporary_refusal_that_does_not_end_ends_the_batch_and_keeps_what_is_settled() -> None:
    parts = [part(1, 2, 3)]
    worker = Worker(parts, plan(parts), lambda task: RefusedTask("InternalError", Fault.PASSING))
    with refused(BatchError, "put_item", rule=r"was refused several times in a row .* \(InternalError\)"):
        worker.batch(BEGINNING)
    assert worker.failed == []


@pytest.mark.parametrize("fault", [Fault.CAPACITY, Fault.KEY_RANGE, Fault.PASSING])
def test_a_refused_fetch_waits_while_the_tasks_at_hand_go_on(fault: Fault) -> None:
    """S3 refuses the second slice: the keys of the first are settled meanwhile."""
    batch, now, (refused, *calls) = fetch_and_two_calls()
    assert refused.unit is None
    assert batch.fail(refused, fault)
    assert isinstance(batch.take(), Pause)
    for call in calls:
        batch.give(call, Answer((TaskResult(ActCounts(put=1)),), write_units=1.0))
    assert batch.counts.keys == 2
    assert isinstance(batch.take(), Pause)
    now[0] += 60.0
    again = batch.take()
    assert isinstance(again, UnitRequest)
    assert again.step == refused.step


def test_an_answered_fetch_leaves_the_backoff_of_a_throttled_table_as_it_is() -> None:
    batch, now, (fetch, *calls) = fetch_and_two_calls()
    batch.fail(calls[0], Fault.CAPACITY)
    batch.give(fetch, Answer(part(3), requests=0))
    batch.fail(calls[1], Fault.CAPACITY)
    now[0] += 1.5 * FIRST_SECONDS
    assert isinstance(batch.take(), Pause)


def fetch_and_two_calls() -> tuple[Engine, list[float], list[Any]]:
    """Return a batch of two slices with its clock and the steps under way, that of the second slice first."""
    parts, now = [part(1, 2), part(3)], [0.0]
    batch = with_first_part(plan(parts), parts, lambda: now[0])
    return batch, now, [batch.take() for _ in range(3)]


def with_first_part(decided: ActPlan, parts: list[bytes], now: Callable[[], float]) -> Engine:
    """Return a batch that has fetched its first part."""
    cut = slices(manifest(parts), 1 << 20)
    batch = job_batch(InOneStep, decided, cut, progress=BEGINNING, clock=Clock(now), write=lambda _: 0)
    fetch = batch.take()
    assert isinstance(fetch, UnitRequest)
    batch.give(fetch, Answer(parts[0], requests=0))
    return batch


def test_a_worker_stops_before_its_budget_is_exceeded() -> None:
    parts = [part(*range(50))]
    worker = Worker(parts, replace(plan(parts), max_write_units=20.0), put, at_once=7)
    progress = worker.run()
    assert progress.counts.write_units == 20
    assert progress.left(worker.plan) == 1
    assert worker.batch(progress) == replace(progress, batch=progress.batch + 1)


def test_until_a_write_is_billed_every_item_may_be_the_largest_there_is() -> None:
    """A write to an item of 400 KB takes 400 of the 500 units that requests may take at once beside the largest."""
    parts = [part(*range(40))]
    decided = replace(plan(parts), max_units_per_second=1_000.0)
    batch = with_first_part(decided, parts, map(float, range(10**6)).__next__)
    under_way = list[UnitRequest]()
    for most in (2, 38):
        for call in under_way:
            batch.give(call, Answer((TaskResult(ActCounts(put=1)),), write_units=1.0))
        under_way = [step for _ in range(40) if isinstance(step := batch.take(), UnitRequest)]
        assert len(under_way) == most


def test_each_key_of_a_request_counts_where_requests_would_exceed_the_rate_together() -> None:
    """Of twenty keys a second, all requests but the largest may have ten under way."""
    parts, now = [part(*range(40))], [0.0]
    decided = replace(plan(parts, Send(QUEUE, 10)), max_units_per_second=20.0)
    batch = with_first_part(decided, parts, lambda: now[0])
    begun = []
    while now[0] < 3.0:
        step = batch.take()
        if isinstance(step, Pause):
            now[0] += step.seconds
        else:
            begun.append(now[0])
    assert begun == [0.0, 0.5]


def test_keys_go_together_and_keep_their_id_when_repeated() -> None:
    parts = [part(*range(25))]
    worker = Worker(parts, plan(parts, Invoke(FUNCTION, 10)), lambda task: TaskResult(ActCounts(sent=len(task.lines))))
    progress = BEGINNING
    while not progress.done(worker.plan):
        worker.batch(progress, pages=1)
        progress = worker.batch(progress, pages=1)
    assert (progress.counts.sent, progress.counts.requests) == (25, 3)
    assert sorted(worker.ids.values()) == ["0-0", f"0-{len(part(*range(10)))}", f"0-{len(part(*range(20)))}"]


def test_a_call_to_a_function_or_a_queue_is_one_request_that_consumes_no_units() -> None:
    parts = [part(1)]
    for action in (Invoke(FUNCTION, 1), Send(QUEUE, 1)):
        worker = Worker(parts, plan(parts, action), lambda task: Answer((TaskResult(ActCounts(sent=1)),)))
        assert worker.run().counts == ActCounts(keys=1, sent=1, requests=1)


@pytest.mark.parametrize(
    ("together", "length", "most", "keys"),
    [
        (1, 0, 10, [1] * 25),
        (1, 26_000, 9, [1] * 25),  # ten have 260,000 bytes
        (10, 26_000, 2, [8, 8, 8, 1]),  # eight have 208,000
    ],
)
def test_a_request_has_ten_messages_if_a_queue_takes_as_many_bytes_in_a_message_and_a_request(
    together: int, length: int, most: int, keys: list[int]
) -> None:
    parts, found = [b"".join(b'{"pk": "%d%s"}\n' % (n, b"x" * length) for n in range(25))], list[int]()

    def sent(task: Task) -> TaskResult:
        found.append(len(task.lines))
        return TaskResult(ActCounts(sent=len(task.lines)))

    worker = Worker(parts, plan(parts, Send(QUEUE, together)), sent)
    worker.run()
    assert (max(worker.sizes), sum(worker.sizes), found) == (most, len(keys), keys)


def test_a_part_that_ends_within_a_line_is_refused() -> None:
    worker = Worker([b'{"pk": "1"}\n{"pk"'], plan([b'{"pk": "1"}\n{"pk"']), put)
    with pytest.raises(ValueError, match="ends in the middle of a line"):
        worker.run()


@pytest.mark.parametrize(
    ("action", "most"), [(PUT, 7), (Invoke(FUNCTION, 3), 7), (Invoke(FUNCTION, 10), 7), (Send(QUEUE, 1), 7)]
)
def test_a_batch_takes_no_more_keys_than_may_be_repeated(action: AnyAction, most: int) -> None:
    parts = [part(*range(30)), part(*range(30, 50))]
    worker = Worker(parts, replace(plan(parts, action), repeated_keys=most), put, at_once=5)
    progress = BEGINNING
    while not progress.done(worker.plan):
        before = worker.done.total()
        progress = worker.batch(progress)
        assert 0 < worker.done.total() - before <= max(most, action.keys_together)
    assert progress.counts.keys == worker.done.total() == 50


def test_a_throttled_message_is_counted_and_slows_all() -> None:
    """A request's messages are throttled together, and wait once: 0.1 s, 0.2 s and so on."""
    outcomes = iter([RefusedTask("KmsThrottled", Fault.CAPACITY)] * 8)
    parts = [part(*range(5))]
    worker = Worker(parts, plan(parts, Send(QUEUE, 1)), lambda task: next(outcomes, None) or put(task), at_once=1)
    counts = worker.run().counts
    assert (counts.put, counts.throttles, counts.failed) == (5, 4, 0)  # five messages, then each by itself
    assert worker.passed == pytest.approx(0.1 + 0.2 + 0.4 + 0.8, abs=0.1)


def test_the_profile_has_the_reads_before_the_calls_that_were_answered() -> None:
    parts = [part(1)]
    worker = Worker(parts, plan(parts), lambda task: Answer((put(task),), 0.5, 1.0, requests=2))
    assert worker.run().counts.requests == 2
    assert [visit[:4] for visit in worker.profile["visits"]] == [[0, 1, 2, 1.5]]
