"""Intervals hold the truth as often as they say."""

from math import inf

import pytest

from skipscan.sample.clusters import ratio
from skipscan.sample.interval import Interval


def test_errors_add_up_in_squares() -> None:
    assert Interval(100, 97, 104).plus(Interval(50, 46, 53)) == Interval(150, 145, 155)
    product = Interval(100, 97, 104).times(Interval(10, 9.6, 10.3))
    assert (product.estimate, product.low, product.high) == pytest.approx((1000, 950, 1050))
    assert Interval.exactly(3).times(Interval.exactly(4)) == Interval.exactly(12)


def test_a_sentence_and_the_table_of_ways_round_a_figure_alike() -> None:
    one = Interval(343.46, 196.04, 560.44)
    estimate = one.to_json(1)["estimate"]
    assert (estimate, one.about) == (343.5, f"{estimate:,.0f}")


@pytest.mark.parametrize(
    ("below", "part", "found"),
    [
        ([0.0, 0.0], 0.5, Interval(0.0, 0.0, inf)),
        ([0.0, 0.0], 1.0, Interval(0.0, 0.0, 0.0)),
        ([], 1.0, Interval(0.0, 0.0, 0.0)),
        ([1.0], 0.5, Interval(2.0, 0.0, inf)),
        ([1.0, 1.0], 0.5, Interval(2.0, 0.0, inf)),
        ([1.0, 1.0], 1.0, Interval(2.0, 2.0, 2.0)),
        ([1.0, 1.0, 1.0], 0.5, Interval(2.0, 2.0, 2.0)),
    ],
)
def test_three_segments_bound_a_ratio_or_all_of_fewer(below: list[float], part: float, found: Interval) -> None:
    assert ratio([2 * each for each in below], below, part) == found


@pytest.mark.parametrize(
    ("interval", "error", "skewed"),
    [
        (Interval(10.0, 10.0, 10.0), 0.0, Interval(10.0, 10.0, 10.0)),
        (Interval(10.0, 5.0, 15.0), 0.5, Interval(10.0, 10 / 1.5, 22.5)),
        (Interval(0.0, 0.0, 0.0), 0.0, Interval(0.0, 0.0, 0.0)),
    ],
)
def test_a_skewed_interval_extends_by_the_error_and_twice_above(
    interval: Interval, error: float, skewed: Interval
) -> None:
    assert (interval.relative_error, interval.skewed()) == (error, skewed)


@pytest.mark.parametrize(
    ("one", "other", "product"),
    [
        (Interval(0.0, 0.0, 3.0), Interval(2.0, 1.0, 4.0), Interval(0.0, 0.0, 12.0)),
        (Interval(0.0, 0.0, 0.0), Interval(2.0, 1.0, inf), Interval(0.0, 0.0, 0.0)),
        (Interval(2.0, 1.0, inf), Interval(0.0, 0.0, 0.0), Interval(0.0, 0.0, 0.0)),
        (Interval(10.0, 2.0, 12.0), Interval(10.0, 2.0, 10.0), Interval(100.0, 0.0, 120.0)),
    ],
)
def test_a_product_is_never_below_nothing_and_of_nothing_it_is_nothing(
    one: Interval, other: Interval, product: Interval
) -> None:
    assert one.times(other) == product


def test_an_interval_is_widened_by_a_number_and_spread_by_a_deviation() -> None:
    assert Interval(5.0, 1.0, 8.0).widened(2.0) == Interval(5.0, 0.0, 10.0)
    assert Interval(5.0, 3.0, 8.0).widened(2.0) == Interval(5.0, 1.0, 10.0)
    spread = Interval(5.0, 4.0, 8.0).spread(0.5)
    assert (spread.low, spread.estimate, spread.high) == pytest.approx((4 / 1.98, 5.0, 8 * 1.98), rel=1e-4)
