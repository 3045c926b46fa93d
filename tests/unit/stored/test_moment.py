"""How much of a piece of work is done, how fast it goes, and when it should end."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from skipscan.pace.bill import Bill
from skipscan.stored.moment import Moment
from tests.unit.environment.test_status import BEGUN, explained, reached, status


def moment(*args: Any, **more: Any) -> Moment:
    found = status(*args, **more).moment
    assert found is not None
    return found


def test_segments_that_may_just_have_begun_predict_no_end() -> None:
    run = moment(None, reached(0, opened=5, under_way=4, keys=500))
    assert run.part_done == pytest.approx((1 + 4 / 4 / 2) / 10)
    assert run.estimated_end() is None
    expecting = moment(explained(keys=1000, minutes=9), reached(0, opened=5, under_way=4, keys=500))
    assert expecting.estimated_end() == BEGUN + timedelta(seconds=120)


@pytest.mark.parametrize(
    ("opened", "under_way", "known"), [(1, 1, False), (2, 1, True), (3, 2, False), (4, 2, True), (0, 0, False)]
)
def test_the_part_that_is_done_is_known_once_as_many_segments_ended_as_are_open(
    opened: int, under_way: int, known: bool
) -> None:
    assert moment(None, reached(0, opened=opened, under_way=under_way)).is_measurable is known
    assert moment(explained(keys=9, minutes=9), reached(0, opened=opened, under_way=under_way)).is_measurable


def test_before_the_first_batch_the_end_is_the_plans() -> None:
    assert moment(explained(keys=400, minutes=9)).estimated_end() == BEGUN + timedelta(minutes=9)
    assert moment().estimated_end() is None
    assert moment().per_second() is None
    assert moment(None, reached(0, opened=0, keys=100), seconds=0).per_second() is None


def test_the_bill_begins_with_the_first_batch() -> None:
    assert moment().bill == Bill()
    assert moment(None, reached(0, opened=1)).bill.total > 0


def test_what_was_found_before_a_run_was_resumed_does_not_count_for_its_rate() -> None:
    before = moment(None, reached(0, opened=2, keys=500), seconds=60)
    after = moment(None, reached(0, opened=4, keys=700), seconds=85)
    assert after.per_second(before) == 200 / 20
    assert after.estimated_end(before) == BEGUN + timedelta(seconds=85 + 20 * 3)


def test_work_with_a_manifest_is_done_whatever_its_checkpoints_say() -> None:
    ending = {"complete": True, "segments_left": 0, "keys": 400, "seconds": 80.0}
    ended = replace(moment(explained(keys=500, minutes=9), reached(0, opened=1, keys=7)), ending=ending)
    assert (ended.part_done, ended.left, ended.done, ended.workers, ended.seconds) == (1.0, 0, 400, (), 80.0)


def test_how_much_is_left_is_unknown_where_a_last_checkpoint_expired() -> None:
    run = moment(None, reached(0, opened=5, keys=500))
    expired = replace(run, reached={**run.reached, 1: None})
    assert (run.left, expired.left, expired.ended) == (5, None, 0)
    assert (len(run.workers), len(expired.workers), expired.done) == (2, 1, 500)
