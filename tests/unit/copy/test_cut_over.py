"""When a replicator may be switched off: never before the queue, the stream and the copies were quiet long enough."""

import random
from math import inf
from typing import Any

import pytest

from skipscan.copy.cut_over import QuietTime

EMPTY: dict[str, Any] = {"has_changes": False, "late_looks": 0, "copied": -inf, "read": -inf}


def looked(*looks: tuple[float, dict[str, Any]]) -> QuietTime:
    quiet = QuietTime(0.0)
    for now, look in looks:
        quiet.take(now, **{**EMPTY, **look})
    return quiet


@pytest.mark.parametrize(
    ("look", "until"),
    [
        ({}, 300.0),
        ({"has_changes": True}, 200.0 + 300.0),
        ({"late_looks": 1}, 210.0 + 300.0),  # until the next look the queue may have held its last message
        ({"copied": 200.0}, 200.0 + 600.0),
        *(({"read": at}, at + 600.0) for at in (200.0, 110.0, 0.0)),
    ],
)
def test_every_sign_of_work_restarts_the_wait(look: dict[str, Any], until: float) -> None:
    assert looked(*((10.0 * n, look if n == 20 else {}) for n in range(31))).until == until


def test_a_copy_that_ended_before_is_waited_for() -> None:
    assert looked((0.0, {"copied": -100.0})).until == 500.0
    assert looked((0.0, {"copied": -500.0})).until == 300.0


def test_what_was_between_two_looks_far_apart_is_not_known() -> None:
    assert looked((0.0, {}), (60.0, {})).until == 300.0
    assert looked((0.0, {}), (60.0, {}), (120.5, {})).until == 420.5


def test_it_is_never_quiet_within_five_minutes_of_a_sign_of_work() -> None:
    chance = random.Random(7)
    ended = 0
    for _ in range(300):
        quiet, now, last = QuietTime(0.0), 0.0, 0.0
        for _ in range(200):
            now += chance.uniform(1, 30)
            is_busy = chance.random() < 0.02
            signs = {name: is_busy and chance.random() < 0.5 for name in ("has_changes", "late_looks")}
            quiet.take(now, **{**EMPTY, **signs})
            last = now if any(signs.values()) else last
            if quiet.until <= now:
                assert now - last >= 300.0
                ended += 1
                break
    assert ended > 100
