"""A schedule ends only when nothing waits for its time any more."""

import pytest

from tests.simulation.histories.world import History

pytestmark = pytest.mark.slow


def test_time_passes_until_what_was_asked_for_however_it_is_rounded() -> None:
    world, now, due = History(0), 227.76997071261195, 914.1699707126121
    assert now + (due - now) < due  # a late look that is due then would never be ready
    world.clock.seconds = now
    world.pass_time(due)
    assert world.now == due
    world.pass_time(now)
    assert world.now == due
