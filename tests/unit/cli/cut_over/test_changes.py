"""`skipscan copy compare TABLE TO --cut-over`: no change of the old table may come after the comparison."""

from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from skipscan.errors import UnprovenError
from tests.unit.cli.account import FAILURES, LATE_FAILURES
from tests.unit.cli.cut_over.conftest import SWITCH_ON, World
from tests.unit.cli.stream import Stream

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("to_a_late_shard", [False, True])
def test_a_change_in_the_stream_restarts_the_wait(world: World, to_a_late_shard: bool) -> None:
    if to_a_late_shard:
        world.account.stream.close(600.0, late=150.0)
    world.account.stream.write(690.0)
    assert world.cut_over().status == 0
    assert world.account.clock.monotonic() >= 690 + 300


def written(stream: Stream, now: float) -> None:
    stream.write(now)


def written_after_empty_pages(stream: Stream, now: float) -> None:
    stream.write(now)
    stream.empty_pages = 4


def written_to_a_shard_that_is_listed_late(stream: Stream, now: float) -> None:
    stream.close(now, late=150.0)
    stream.write(now + 1)


@pytest.mark.parametrize("during", [written, written_after_empty_pages, written_to_a_shard_that_is_listed_late])
def test_a_write_during_the_comparison_proves_nothing(world: World, during: Callable[[Stream, float], None]) -> None:
    world.during = lambda: during(world.account.stream, world.account.clock.monotonic())
    world.cut_over().check_refused(UnprovenError, "the old table", rule=r"\b1 change\b", way=SWITCH_ON)


def test_a_shard_that_is_continued_during_the_comparison_is_no_write(world: World) -> None:
    world.during = lambda: world.account.stream.close(world.account.clock.monotonic(), late=150.0)
    done = world.cut_over()
    assert (done.status, done.stdout) == (0, "You can start writers on Audit-2.\n")
    assert "a shard of" in done.stderr


@pytest.mark.parametrize("throttled_until", [0.0, 250.0, 2000.0])
def test_a_throttled_replicator_has_changes_to_read_though_stream_and_queue_are_quiet(
    world: World, monkeypatch: pytest.MonkeyPatch, throttled_until: float
) -> None:
    """Its next write would arrive after writers have started on the new table."""
    monkeypatch.setattr("tests.unit.cli.account.LATE_SECONDS", 0.0)
    world.account.metrics = [("Throttles", 60.0 * minute, 1.0) for minute in range(-5, int(throttled_until) // 60)]
    read = ("IteratorAge", throttled_until, 1000.0 * throttled_until)
    world.account.metrics += [read, ("Throttles", throttled_until + 60, 0.0), ("Errors", throttled_until + 60, 0.0)]
    world.account.late = [(throttled_until, throttled_until + 900)]
    done = world.cut_over()
    assert done.status == 0, done.stderr
    assert world.account.clock.monotonic() >= throttled_until + 900 + 300
    assert "was reading or refused" in done.stderr


@pytest.mark.parametrize("during", [False, True])
def test_a_change_that_is_read_after_the_wait_proves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, during: bool
) -> None:
    """It could still write: a request may arrive five minutes after it was signed. Its late look stays in the queue."""
    turn_off = world.account.update_event_source_mapping

    def read() -> None:
        world.account.late.append((world.account.clock.monotonic(), inf))

    def read_before_it_is_off(**asked: Any) -> Any:
        read()
        return turn_off(**asked)

    if during:
        world.during = read
    else:
        monkeypatch.setattr(world.account, "update_event_source_mapping", read_before_it_is_off)
    way = f"Audit-2.*{SWITCH_ON}"
    world.cut_over().check_refused(UnprovenError, "the replicator", rule="after the wait", way=way)
    assert len(world.executions) == during, "no comparison of hours that will prove nothing"


def test_a_disabled_trigger_is_reported_while_late_looks_wait(world: World) -> None:
    world.account.states = dict.fromkeys(world.account.states, "Disabled")
    world.cut_over().check_refused(UnprovenError, "the replicator", rule=r"\boff\b.*\b1 message\b", way=SWITCH_ON)


@pytest.mark.parametrize(("queue", "seconds"), [(FAILURES, 0.0), (LATE_FAILURES, 0.0), (LATE_FAILURES, 500.0)])
def test_failed_changes_are_reported_before_anything_is_done(world: World, queue: str, seconds: float) -> None:
    world.after(seconds, lambda: world.account.failed.update({queue: 2}))
    if not seconds:
        world.account.failed[queue] = 2
    done = world.cut_over()
    name = queue.rpartition(":")[2]
    done.check_refused(UnprovenError, f"the failure queue {name}", rule=r"\b2 messages", way="skipscan copy compare")
    assert not world.account.done("update_event_source_mapping")
