"""Batches of a job over parts in memory: every key settled once and counted once, however requests end."""

import json
import re
from collections.abc import Iterator
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
from skipscan.act.requests import message
from skipscan.act.task_source import ActPosition, RefusedTask, Task, TaskResult
from skipscan.dynamodb.step import Answer
from skipscan.errors import BatchError
from skipscan.items.engine import Engine
from skipscan.items.job import UnitRequest
from skipscan.loop.kind import progress_to_json
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Clock, Pause
from skipscan.pace.pace import FIRST_SECONDS, Fault
from skipscan.pace.progress import Progress
from tests.fakes.acting import PUT
from tests.fakes.job_batch import job_batch
from tests.refusal import refused
from tests.unit.act.worker import FUNCTION, QUEUE, InOneStep, Worker, manifest, part, plan, put


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
        progress = Progress(number, ActPosition(), ActCounts())
        while not progress.done(worker.plan):
            progress = worker.batch(progress, pick=lambda n: data.draw(st.integers(0, n)), pages=pages)
        total += progress.counts
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
    progress = Progress(0, ActPosition(), ActCounts())
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
    first = worker.batch(Progress(0, ActPosition(), ActCounts()), seconds=seconds)
    assert first.counts.keys == worker.done.total() == 1026
    assert (first.position.offset, first.position.window[0], set(first.position.window[1:])) == (
        len(part(0, 1, 2)),
        0,
        {None},
    )
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
        worker.batch(Progress(0, ActPosition(), ActCounts()))
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
    batch = job_batch(
        InOneStep,
        plan(parts),
        slices(manifest(parts), 1 << 20),
        progress=Progress(0, ActPosition(), ActCounts()),
        clock=Clock(lambda: now[0]),
        write=lambda _: 0,
    )
    batch.give(fetch_of(batch), Answer(parts[0], requests=0))
    return batch, now, [batch.take() for _ in range(3)]


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
    batch = job_batch(
        InOneStep,
        decided,
        slices(manifest(parts), 1 << 20),
        progress=Progress(0, ActPosition(), ActCounts()),
        clock=Clock(map(float, range(10**6)).__next__),
        write=lambda _: 0,
    )
    batch.give(fetch_of(batch), Answer(parts[0], requests=0))
    calls = list(calls_of(batch))
    assert len(calls) == 2
    for call in calls:
        batch.give(call, Answer((TaskResult(ActCounts(put=1)),), write_units=1.0))
    assert len(list(calls_of(batch))) == 38


def test_each_key_of_a_request_counts_where_requests_would_exceed_the_rate_together() -> None:
    """Of twenty keys a second, all requests but the largest may have ten under way."""
    parts, now = [part(*range(40))], [0.0]
    decided = replace(plan(parts, Send(QUEUE, 10)), max_units_per_second=20.0)
    progress, clock = Progress(0, ActPosition(), ActCounts()), Clock(lambda: now[0])
    batch = job_batch(InOneStep, decided, slices(manifest(parts), 1 << 20), progress=progress, clock=clock)
    batch.give(fetch_of(batch), Answer(parts[0], requests=0))
    begun = []
    while now[0] < 3.0:
        step = batch.take()
        if isinstance(step, Pause):
            now[0] += step.seconds
        else:
            begun.append(now[0])
    assert begun == [0.0, 0.5]


def fetch_of(batch: Engine) -> UnitRequest:
    fetch = batch.take()
    assert isinstance(fetch, UnitRequest)
    assert fetch.unit is None
    return fetch


def calls_of(batch: Engine) -> Iterator[UnitRequest]:
    """Yield the calls that may be under way together."""
    while isinstance(call := batch.take(), UnitRequest):
        yield call


def test_keys_go_together_and_keep_their_id_when_repeated() -> None:
    parts = [part(*range(25))]
    worker = Worker(parts, plan(parts, Invoke(FUNCTION, 10)), lambda task: TaskResult(ActCounts(sent=len(task.lines))))
    progress = Progress(0, ActPosition(), ActCounts())
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


def test_a_message_names_its_table_its_run_and_its_job() -> None:
    """Receivers read these fields (docs/act.md)."""
    work = ACT.new_work(ExecutionId("tuesday", "arn:tuesday", "2026-01-01T00:00:00+00:00"), plan([part(1, 2)]))
    document = json.loads(message(work, Task(0, tuple(part(1, 2).splitlines(keepends=True)), 0, 2, "0:0")))
    assert re.fullmatch(r"tuesday-[0-9a-f]{16}/0:0", document.pop("id"))
    keys = [{"pk": "1"}, {"pk": "2"}]
    assert document == {"table": "T-1", "run": "r", "job": "tuesday", "keys": keys}


def test_ten_messages_go_in_one_request() -> None:
    parts = [part(*range(25))]
    worker = Worker(parts, plan(parts, Send(QUEUE, 1)), put)
    worker.run()
    assert worker.sizes == [10, 10, 5]


def test_messages_of_a_request_stay_below_what_a_queue_takes() -> None:
    parts = [b"".join(b'{"pk": "%d%s"}\n' % (n, b"x" * 26_000) for n in range(20))]
    worker = Worker(parts, plan(parts, Send(QUEUE, 1)), put)
    worker.run()
    assert max(worker.sizes) == 9, "ten of them have 260,000 bytes"
    assert sum(worker.sizes) == 20


def test_a_message_of_long_keys_has_fewer_than_it_may() -> None:
    parts = [b"".join(b'{"pk": "%d%s"}\n' % (n, b"x" * 26_000) for n in range(20))]
    keys: list[int] = []

    def sent(task: Task) -> TaskResult:
        keys.append(len(task.lines))
        return TaskResult(ActCounts(sent=len(task.lines)))

    Worker(parts, plan(parts, Send(QUEUE, 10)), sent).run()
    assert keys == [8, 8, 4], "eight have 208,000 bytes"


def test_a_part_that_ends_within_a_line_is_refused() -> None:
    worker = Worker([b'{"pk": "1"}\n{"pk"'], plan([b'{"pk": "1"}\n{"pk"']), put)
    with pytest.raises(ValueError, match="ends in the middle of a line"):
        worker.run()


@pytest.mark.parametrize(
    ("action", "most"), [(PUT, 7), (Invoke(FUNCTION, 3), 7), (Invoke(FUNCTION, 10), 7), (Send(QUEUE, 1), 7)]
)
def test_a_batch_takes_no_more_keys_than_may_be_repeated(action: AnyAction, most: int) -> None:
    parts, taken = [part(*range(30)), part(*range(30, 50))], list[bytes]()

    def fails_at_the_end(task: Task) -> TaskResult:
        taken.extend(task.lines)
        return TaskResult(ActCounts(put=len(task.lines)))

    worker = Worker(parts, replace(plan(parts, action), repeated_keys=most), fails_at_the_end, at_once=5)
    progress = Progress(0, ActPosition(), ActCounts())
    while not progress.done(worker.plan):
        before = len(taken)
        progress = worker.batch(progress)
        assert 0 < len(taken) - before <= max(most, action.keys_together)
    assert (progress.counts.keys, len(taken)) == (50, 50)


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
