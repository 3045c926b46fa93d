"""Looks before an action: what happens between a look and its action is what no condition can see."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.act.actions.hand_over import Invoke
from skipscan.act.input import AnyAction
from skipscan.act.item import ActCounts
from skipscan.act.job import ActJob, HandOverTasks
from skipscan.act.parts import slices
from skipscan.act.task_source import ActPosition
from skipscan.dynamodb.step import WRITTEN, Answer, First, Get, Write
from skipscan.items.job import UnitRequest
from skipscan.items.mark import MARK
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.pace.pace import FIRST_SECONDS, Fault
from skipscan.pace.progress import Progress
from tests.fakes.actions import decided
from tests.fakes.job_batch import job_batch
from tests.unit.act.worker import FUNCTION, manifest, part, plan

UNDO = decided({"undo": {"job": "first", "item": {"sk": "#static"}, "mark": "dev/another"}})


class Batch:
    """A batch whose keys are there, with its clock and its requests."""

    def __init__(self, action: AnyAction, keys: int = 3, *, seconds: float | None = None, **decisions: Any) -> None:
        parts, self.now = [part(*range(keys))], 0.0
        self.plan = replace(plan(parts, action), **decisions)
        clock, bounds = Clock(lambda: self.now), Bounds(seconds=seconds)
        progress, cut = Progress(0, ActPosition(), ActCounts()), slices(manifest(parts))
        self.engine = job_batch(ActJob, self.plan, cut, progress=progress, bounds=bounds, clock=clock)
        self.engine.give(self.request(), Answer(parts[0], requests=0))

    def request(self) -> UnitRequest:
        request = self.engine.take()
        assert isinstance(request, UnitRequest)
        return request

    def look(self, key: int) -> UnitRequest:
        request = self.request()
        assert isinstance(request.step, Get | First)
        assert request.step.key["pk"] == {"S": str(key)}
        return request

    def answer(self, look: UnitRequest) -> None:
        if isinstance(look.step, First):
            self.engine.give(look, Answer([look.step.key], read_units=0.5))
        else:
            self.engine.give(look, Answer({**look.step.key, MARK: {"S": "dev/another"}}, read_units=1.0))

    @property
    def waits(self) -> bool:
        return isinstance(self.engine.take(), Pause)


def test_no_look_runs_ahead_of_a_write_that_the_rate_holds_back() -> None:
    """A write follows its look at once, and no unit begins while the rate holds writes back."""
    batch = Batch(UNDO, max_units_per_second=1.0, worst_key_units=1.0)
    for key in range(3):
        look = batch.look(key)
        assert batch.waits, "the rate is booked by the look"
        batch.answer(look)
        write = batch.request()
        assert (write.unit, type(write.step)) == (look.unit, Write)
        assert batch.waits
        batch.engine.give(write, Answer(WRITTEN, write_units=1.0))
        assert batch.waits or key == 2
        batch.now += 1.0
    assert batch.engine.take() is None
    assert (batch.engine.counts.deleted, batch.engine.counts.requests) == (3, 6)


@pytest.mark.parametrize("fault", [Fault.CAPACITY, Fault.KEY_RANGE, Fault.PASSING])
def test_a_write_that_failed_is_made_after_a_new_look(fault: Fault) -> None:
    batch = Batch(UNDO, keys=1)
    batch.answer(batch.look(0))
    assert batch.engine.fail(batch.request(), fault)
    assert batch.waits
    batch.now += FIRST_SECONDS
    batch.answer(batch.look(0))
    assert isinstance(batch.request().step, Write)
    assert batch.engine.counts.read_units == 2.0


def test_what_is_refused_while_the_rate_holds_writes_back_goes_before_what_is_fresh() -> None:
    batch = Batch(UNDO, max_units_per_second=1.0)
    look = batch.look(0)
    assert batch.waits
    assert batch.engine.fail(look, Fault.KEY_RANGE)
    batch.now += 1.0
    batch.look(0)


def test_the_first_of_the_looks_are_not_made_again_unless_the_action_was_tried() -> None:
    """Else a table with little capacity would answer the first looks again and again."""
    batch = Batch(Invoke(FUNCTION, 3), skips_ended=True)
    batch.answer(batch.look(0))
    assert batch.engine.fail(batch.look(1), Fault.KEY_RANGE)
    batch.now += FIRST_SECONDS
    for key in (1, 2):
        batch.answer(batch.look(key))
    call = batch.request()
    assert isinstance(call.step, HandOverTasks)
    assert batch.engine.fail(call, Fault.CAPACITY)
    batch.now += 2 * FIRST_SECONDS
    batch.look(0)


def test_a_batch_hands_out_no_write_after_its_seconds_and_counts_the_look() -> None:
    batch = Batch(UNDO, seconds=5.0, max_write_units=1_000.0)
    look = batch.look(0)
    batch.now += 5.0
    batch.answer(look)
    assert batch.engine.take() is None
    reached = batch.engine.progress
    assert (reached.counts.read_units, reached.counts.keys, reached.spending.unseen.units) == (1.0, 0, 0.0)


def test_a_lost_write_may_have_consumed_the_most_that_was_left_of_its_reservation() -> None:
    """The look was answered, so its part of the reservation is known."""
    batch = Batch(UNDO, max_write_units=1_000.0)
    batch.answer(batch.look(0))
    batch.engine.fail(batch.request(), Fault.PASSING)
    unseen = batch.engine.progress.spending.unseen
    most = batch.plan.consumed_by(batch.plan.worst_key_units, 1)
    assert (unseen.read_units, unseen.write_units) == (most.read_units - 1.0, most.write_units)
