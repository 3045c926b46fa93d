"""When a replicator may be switched off: never before the queue, the stream and the copies were quiet long enough."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from skipscan.copy.cut_over import QuietTime

BEGIN = datetime(2026, 1, 2, tzinfo=UTC)
EMPTY: dict[str, Any] = {"has_changes": False, "late_looks": 0, "copied": None, "read": None}


def at(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


def looked(*looks: tuple[float, dict[str, Any]]) -> float:
    """Return the seconds after which it is quiet. Each look: its seconds, and the signs of work."""
    quiet = QuietTime(BEGIN)
    for seconds, signs in looks:
        quiet.take(at(seconds), **{**EMPTY, **signs})
    return (quiet.until - BEGIN).total_seconds()


@pytest.mark.parametrize(
    ("look", "until"),
    [
        ({}, 300.0),
        ({"has_changes": True}, 200.0 + 300.0),
        ({"late_looks": 1}, 210.0 + 300.0),  # until the next look the queue may have held its last message
        ({"copied": at(200.0)}, 200.0 + 600.0),
        *(({"read": at(seconds)}, seconds + 600.0) for seconds in (200.0, 110.0, 0.0)),
    ],
)
def test_every_sign_of_work_restarts_the_wait(look: dict[str, Any], until: float) -> None:
    assert looked(*((10.0 * n, look if n == 20 else {}) for n in range(31))) == until


def test_a_copy_that_ended_before_is_waited_for() -> None:
    assert looked((0.0, {"copied": at(-100.0)})) == 500.0
    assert looked((0.0, {"copied": at(-500.0)})) == 300.0


def test_what_was_between_two_looks_far_apart_is_not_known() -> None:
    assert looked((0.0, {}), (60.0, {})) == 300.0
    assert looked((0.0, {}), (60.0, {}), (120.5, {})) == 420.5


def test_it_is_never_quiet_within_five_minutes_of_a_sign_of_work() -> None:
    chance = random.Random(7)
    ended = 0
    for _ in range(300):
        quiet, now, last = QuietTime(BEGIN), 0.0, 0.0
        for _ in range(200):
            now += chance.uniform(1, 30)
            is_busy = chance.random() < 0.02
            signs = {name: is_busy and chance.random() < 0.5 for name in ("has_changes", "late_looks")}
            quiet.take(at(now), **{**EMPTY, **signs})
            last = now if any(signs.values()) else last
            if quiet.until <= at(now):
                assert now - last >= 300.0
                ended += 1
                break
    assert ended > 100
