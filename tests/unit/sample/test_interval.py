"""Intervals hold the truth as often as they say."""

from collections.abc import Callable
from dataclasses import replace
from math import inf, log

import pytest

from skipscan.sample.clusters import Walked, keys_in_all, ratio
from skipscan.sample.interval import Interval
from skipscan.sample.sample import Sample


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


def test_an_interval_is_widened_by_a_number_and_spread_by_a_deviation() -> None:
    assert Interval(5.0, 1.0, 8.0).widened(2.0) == Interval(5.0, 0.0, 10.0)
    assert Interval(5.0, 3.0, 8.0).widened(2.0) == Interval(5.0, 1.0, 10.0)
    spread = Interval(5.0, 4.0, 8.0).spread(0.5)
    assert (spread.low, spread.estimate, spread.high) == pytest.approx((4 / 1.98, 5.0, 8 * 1.98), rel=1e-4)


def test_a_ratio_has_the_interval_of_student_and_a_product_none_below_nothing() -> None:
    """Three degrees of freedom: 3.182 deviations, within 4 %."""
    found = ratio([1.0, 2.0, 3.0, 4.0], [1.0] * 4, 0.0)
    assert found.high - found.estimate == pytest.approx(3.182 * (5 / 3) ** 0.5 / 2, rel=0.04)
    assert Interval(10.0, 0.0, 20.0).times(Interval(10.0, 2.0, 10.0)) == Interval(100.0, 0.0, 200.0)


# The number of keys in the hash space, from walks of parts of it.


def one_in(keys: int) -> list[Walked]:
    return [Walked(1000, 3, keys, True)]


@pytest.mark.parametrize("more", [lambda: one_in(2), lambda: [*one_in(2), Walked(1000, 7, 40, False)]])
def test_more_keys_never_lower_the_estimate(more: Callable[[], list[Walked]]) -> None:
    assert keys_in_all(more()).estimate > keys_in_all(one_in(1)).estimate


@pytest.mark.parametrize(
    ("found", "low", "middle", "high", "error"),
    [
        (1, 0.1079, 1.1830, 4.6742, 0.03),  # chi-square of 3 degrees of freedom, halved
        (100, 81.8, 100.17, 121.1, 0.005),
        (10_000, 9_805.4, 10_000.2, 10_197.4, 0.001),
    ],
)
def test_the_ends_are_those_of_a_poisson_mean(found: int, low: float, middle: float, high: float, error: float) -> None:
    interval = keys_in_all([Walked(1000, 0, found, True)])
    expected = [1000 * each for each in (low, middle, high)]
    assert [interval.low, interval.estimate, interval.high] == pytest.approx(expected, rel=error)


def walk(segments: int, segment: int, keys: int, *, ended: bool = True) -> Walked:
    return Walked(segments, segment, keys, ended)


@pytest.mark.parametrize(
    ("walks", "found"),
    [
        ([], Interval(0.0, 0.0, inf)),
        ([walk(4, 0, 7, ended=False)], Interval(7.0, 7.0, inf)),
        ([walk(1, 0, 7)], Interval(7.0, 7.0, 7.0)),
        ([walk(2, 0, 7), walk(2, 1, 5)], Interval(12.0, 12.0, 12.0)),
        ([walk(3, 0, 1), walk(3, 1, 2), walk(3, 2, 3)], Interval(6.0, 6.0, 6.0)),
        ([walk(1, 0, 7), walk(2, 1, 5)], Interval(7.0, 7.0, 7.0)),  # what another walk holds counts once
        ([walk(4, 0, 0)], Interval(0.0, 0.0, -4 * log(0.05))),
        ([walk(4, 0, 0), walk(4, 3, 0)], Interval(0.0, 0.0, -2 * log(0.05))),
        ([walk(4, 0, 0), walk(4, 1, 0, ended=False)], Interval(0.0, 0.0, -4 * log(0.05))),
    ],
)
def test_walks_of_everything_are_exact_and_walks_of_nothing_leave_a_chance_of_5_percent(
    walks: list[Walked], found: Interval
) -> None:
    assert vars(keys_in_all(walks)) == pytest.approx(vars(found))


def test_what_a_larger_walk_holds_in_part_counts_once() -> None:
    assert keys_in_all([walk(3, 1, 30), walk(4, 1, 5), walk(4, 2, 5)]) == keys_in_all([walk(3, 1, 30)])


def test_a_walk_that_was_broken_off_raises_the_number_only_if_it_met_more_than_others() -> None:
    found = keys_in_all([walk(2, 0, 100)])
    longer = keys_in_all([walk(2, 0, 100), walk(4, 2, 90, ended=False)])
    assert longer.estimate > found.estimate + 10
    shorter = keys_in_all([walk(2, 0, 100), walk(4, 2, 9, ended=False)])
    assert shorter.estimate == pytest.approx(found.estimate, rel=0.01)


def test_groups_are_as_many_as_collections_have_of_them_and_as_the_longest_walk_met() -> None:
    walks = [Walked(10, place, 2, ended=True, keys=6, groups=8) for place in range(5)]
    sample = Sample(0, 10, walks, [*walks, Walked(10, 9, 1, keys=90)], has_groups=True)
    assert sample.groups.estimate == pytest.approx(4 * sample.collections.estimate)
    assert sample.keys.estimate == 90 > 3 * sample.collections.estimate
    assert Sample(0, 5, walks, walks, has_groups=True).keys == Interval.exactly(5 * 6)
    without = [replace(walk, keys=0) for walk in walks]
    empty = Sample(0, 10, without, without, has_groups=True)
    assert vars(empty.keys) == pytest.approx(vars(Interval(0.0, 0.0, empty.collections.high * (1 - 0.05**0.1))))
