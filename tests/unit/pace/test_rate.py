"""Consumption in any ten seconds stays within the rate, and uses it, for all costs of pages."""

from collections.abc import Iterator
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.pace.rate import Rate, SharedRate

pytestmark = pytest.mark.slow


def pages(rate: Rate, consumed: list[float], guess: float) -> Iterator[tuple[float, float]]:
    """Return the time at which each page begins, and what it consumes, with a clock that only waiting moves."""
    now = 0.0
    for read_units in consumed:
        now += rate.wait_seconds(now)
        rate.reserve(now, guess)
        rate.settle(guess, read_units)
        yield now, read_units


@given(
    st.sampled_from([5.0, 40.0, 1000.0]),
    st.lists(st.floats(0.01, 1.0), min_size=400, max_size=400),
    st.floats(0.1, 4.0),
)
def test_any_ten_seconds_hold_the_rate(per_second: float, shares: list[float], wrong_by: float) -> None:
    rate = Rate(per_second)
    consumed = [share * rate.page_units for share in shares]
    timeline = list(pages(rate, consumed, guess=wrong_by * rate.page_units / 2))
    sums = [0.0, *accumulate(read_units for _, read_units in timeline)]
    for first, (begin, _) in enumerate(timeline):
        last = sum(1 for at, _ in timeline if at < begin + 10)
        assert sums[last] - sums[first] <= 1.05 * 10 * per_second + 1e-6
    whole_seconds = timeline[-1][0]
    assert sums[-2] == pytest.approx(per_second * whole_seconds)


def test_idle_time_is_not_saved_up() -> None:
    rate = Rate(10)
    rate.reserve(100.0, 5)
    assert rate.wait_seconds(100.0) == 0.5
    assert rate.wait_seconds(200.0) == 0
    rate.reserve(200.0, 5)
    assert rate.wait_seconds(200.0) == 0.5


def test_a_page_that_never_came_is_given_back() -> None:
    rate = Rate(10)
    rate.reserve(0.0, 5)
    rate.settle(5, 0)
    assert rate.wait_seconds(0.0) == 0


def test_workers_share_a_rate_and_what_it_leaves_beside_one_request_of_each() -> None:
    """All but the largest request may take 5 % of what the rate allows in ten seconds."""
    shared = SharedRate(100.0, 10.0)
    assert shared.share(4) == 25.0
    assert [shared.burst(workers) for workers in (1, 2, 6, 7)] == [50.0, 20.0, 0.0, 0.0]
    assert 50.0 == 0.05 * 10 * 100.0
    unlimited = SharedRate(None, 10.0)
    assert (unlimited.share(4), unlimited.burst(4)) == (None, None)


@pytest.mark.parametrize(("largest", "workers"), [(10.0, 51), (100.0, 6), (501.0, 1)])
def test_as_many_workers_keep_a_rate_as_have_room_beside_one_request(largest: float, workers: int) -> None:
    """At 1,000 units a second, 5 % of ten seconds are 500 units: so many may all requests but one take."""
    assert SharedRate(1_000.0, largest).most_workers == workers
