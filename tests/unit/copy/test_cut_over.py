"""When a replicator may be switched off: never before the queue, the stream and the copies were quiet long enough."""

import random

import pytest

from skipscan.copy.cut_over import CutOverState, QuietTime, found_difference

EMPTY = CutOverState(changes=0, available=0, in_flight=0, delayed=0, copying=False)
COUNTS = {"missing": 0, "surplus": 0, "different": 0, "source_items": 7, "target_items": 7}


def looked(*looks: tuple[float, CutOverState], copy_ended: float | None = None) -> QuietTime:
    quiet = QuietTime(0.0, copy_ended)
    for now, look in looks:
        quiet.take(look, now)
    return quiet


def test_the_wait_for_late_looks_is_foreseen_from_the_first_look_on() -> None:
    """A late look that was just sent leaves after 15 minutes, and then five quiet minutes follow."""
    waiting = CutOverState(changes=0, available=0, in_flight=0, delayed=3, copying=False)
    quiet = looked((0.0, waiting))
    assert quiet.expected_seconds(0.0) == 1200.0
    quiet = looked(*((10.0 * n, waiting) for n in range(61)))
    assert quiet.expected_seconds(600.0) == 600.0
    assert quiet.wait_seconds(600.0) == 300.0
    late = looked(*((10.0 * n, waiting) for n in range(121)))
    assert late.expected_seconds(1200.0) == late.wait_seconds(1200.0) == 300.0
    empty = looked(*((10.0 * n, EMPTY) for n in range(11)))
    assert empty.expected_seconds(100.0) == empty.wait_seconds(100.0) == 200.0


def test_five_quiet_minutes_are_enough() -> None:
    quiet = looked(*((10.0 * n, EMPTY) for n in range(31)))
    assert quiet.wait_seconds(299.0) == 1.0
    assert quiet.wait_seconds(300.0) == 0.0


@pytest.mark.parametrize(
    ("look", "seconds"),
    [
        (CutOverState(1, 0, 0, 0, copying=False), 300.0),
        (CutOverState(0, 1, 0, 0, copying=False), 300.0),
        (CutOverState(0, 0, 1, 0, copying=False), 300.0),
        (CutOverState(0, 0, 0, 1, copying=False), 300.0),
        (CutOverState(0, 0, 0, 0, copying=True), 600.0),
    ],
)
def test_every_sign_of_work_restarts_the_wait(look: CutOverState, seconds: float) -> None:
    quiet = looked(*((10.0 * n, look if n == 20 else EMPTY) for n in range(31)))
    first_empty = 10.0 if look.late_looks else 0.0  # until the next look it may have held its last message
    assert quiet.wait_seconds(300.0) == seconds - 100.0 + first_empty


@pytest.mark.parametrize("ago", [0.0, 90.0, 200.0])
def test_a_replicator_that_was_reading_or_refused_restarts_the_wait(ago: float) -> None:
    tried = CutOverState(0, 0, 0, 0, copying=False, read_seconds=ago)
    quiet = looked(*((10.0 * n, tried if n == 20 else EMPTY) for n in range(31)))
    assert quiet.wait_seconds(300.0) == 200.0 - ago + 600.0 - 300.0


def test_a_copy_that_ended_before_is_waited_for() -> None:
    quiet = looked(*((10.0 * n, EMPTY) for n in range(31)), copy_ended=-100.0)
    assert quiet.wait_seconds(300.0) == 600.0 - 400.0


def test_what_was_between_two_looks_far_apart_is_not_known() -> None:
    quiet = looked((0.0, EMPTY), (60.0, EMPTY), (1000.0, EMPTY))
    assert quiet.wait_seconds(1000.0) == 300.0


def test_it_is_never_quiet_within_five_minutes_of_a_sign_of_work() -> None:
    chance = random.Random(7)
    ended = 0
    for _ in range(300):
        quiet, now, last = QuietTime(0.0, None), 0.0, 0.0
        for _ in range(200):
            now += chance.uniform(1, 30)
            busy = chance.random() < 0.02
            counts = [int(busy and chance.random() < 0.5) for _ in range(4)]
            changes, available, in_flight, delayed = counts
            quiet.take(CutOverState(changes, available, in_flight, delayed, copying=False), now)
            last = now if any(counts) else last
            if not quiet.wait_seconds(now):
                assert now - last >= 300.0
                ended += 1
                break
    assert ended > 100


def test_the_tables_are_equal_only_if_nothing_is_found_and_both_hold_as_many_items() -> None:
    assert found_difference(COUNTS) == ""
    assert found_difference({**COUNTS, "missing": 2, "different": 1}) == "2 missing, 1 different"
    assert found_difference({**COUNTS, "surplus": 1}) == "1 surplus"
    assert found_difference({**COUNTS, "target_items": 6}) == "7 items in the old table and 6 in the new one"
