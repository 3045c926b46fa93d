"""Intervals hold the truth as often as they say."""

from math import exp, hypot, inf, log, sqrt
from random import Random

import pytest

from skipscan.listing.estimate.interval import Interval, mean, predicted, ratio


@pytest.mark.parametrize("count", [6, 40])
def test_a_mean_is_in_its_interval(count: int) -> None:
    chance = Random(count)
    intervals = [mean([chance.gauss(10, 3) for _ in range(count)], 0.01) for _ in range(500)]
    assert sum(interval.low <= 10 <= interval.high for interval in intervals) / 500 >= 0.93


def test_a_ratio_narrows_as_the_sample_nears_the_whole() -> None:
    above, below = [2.0, 5.0, 3.0, 6.0], [1.0, 2.0, 2.0, 3.0]
    widths = [ratio(above, below, part).relative_error for part in (0.01, 0.5, 0.99, 1.0)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0
    assert ratio(above, below, 1.0) == Interval.exactly(2.0)


def test_two_segments_give_a_wide_interval() -> None:
    assert ratio([1.0, 2.0], [1.0, 1.0], 0.1) == Interval(1.5, 0.0, inf)


def test_errors_add_up_in_squares() -> None:
    assert Interval(100, 97, 104).plus(Interval(50, 46, 53)) == Interval(150, 145, 155)
    product = Interval(100, 97, 104).times(Interval(10, 9.6, 10.3))
    assert (product.estimate, product.low, product.high) == pytest.approx((1000, 950, 1050))
    assert Interval.exactly(3).times(Interval.exactly(4)) == Interval.exactly(12)


def test_json_has_no_infinity() -> None:
    assert Interval(1.26, 0.0, inf).to_json(1) == {"estimate": 1.3, "low": 0.0, "high": None}
    assert Interval(1.26, 0.0, inf).to_json() == {"estimate": 1, "low": 0, "high": None}


def test_a_sentence_and_the_table_of_ways_round_a_figure_alike() -> None:
    one = Interval(343.46, 196.04, 560.44)
    estimate = one.to_json(1)["estimate"]
    assert (estimate, one.about) == (343.5, f"{estimate:,.0f}")


def test_another_draw_lies_as_far_off_as_those_before_and_the_error_of_its_own() -> None:
    draws = [1.0, 2.0, 4.0]
    student, deviation = 1.96 + 2.372 / 2 + 2.822 / 4, log(2)
    half = student * deviation * sqrt(1 + 1 / 3)
    found = predicted(draws, 0.0)
    assert (found.estimate, found.low, found.high) == pytest.approx((2.0, 2 / exp(half), 2 * exp(half)), rel=0.002)
    wider = predicted(draws, 1.0)
    assert wider.high == pytest.approx(2 * exp(hypot(half, 1.96)), rel=0.002)
