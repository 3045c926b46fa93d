"""Intervals hold the truth as often as they say."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.sample.clusters import count_in_all, ratio, unevenness
from skipscan.sample.interval import Interval
from skipscan.sample.sample import Sample, Walked


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


def test_ends_are_added_and_multiplied_and_nothing_stays_nothing() -> None:
    ends = Interval(5.0, 3.0, 8.0)
    assert (ends.plus(2.0), ends.plus(ends)) == (Interval(7.0, 5.0, 10.0), Interval(10.0, 6.0, 16.0))
    assert (ends.times(2.0), ends.times(ends)) == (Interval(10.0, 6.0, 16.0), Interval(25.0, 9.0, 64.0))
    assert Interval.exactly(0.0).times(Interval(1.0, 0.0, inf)) == Interval.exactly(0.0)


def test_a_ratio_has_the_interval_of_student() -> None:
    """Three degrees of freedom: 3.182 deviations, within 4 %."""
    found = ratio([1.0, 2.0, 3.0, 4.0], [1.0] * 4, 0.0)
    assert found.high - found.estimate == pytest.approx(3.182 * (5 / 3) ** 0.5 / 2, rel=0.04)


# The number of keys in the hash space, from what random segments of it hold.


@pytest.mark.parametrize(
    ("found", "low", "middle", "high", "error"),
    [
        (0, 0.0, 0.0, 3.689, 0.01),
        (1, 0.0253, 1.0, 5.572, 0.5),  # the lower end is farther by half, the others within 0.2 %
        (10, 4.795, 10.0, 18.39, 0.002),
        (100, 81.36, 100.0, 121.63, 0.001),
    ],
)
def test_the_ends_are_those_of_a_poisson_mean(found: int, low: float, middle: float, high: float, error: float) -> None:
    """A. Hald, Statistical Tables."""
    interval = count_in_all(found, 0.001)
    expected = [1000 * each for each in (low, middle, high)]
    assert [interval.low, interval.estimate, interval.high] == pytest.approx(expected, rel=error)


def test_all_segments_are_exact_half_of_them_are_known_better_and_none_has_no_upper_end() -> None:
    assert count_in_all(7, 3 * (1 / 3)) == Interval.exactly(7.0)
    assert count_in_all(0, 0.0) == Interval(0.0, 0.0, inf)
    few, half = count_in_all(1_000, 0.001), count_in_all(1_000, 0.5)
    assert half.relative_error == pytest.approx(few.relative_error / 2**0.5, rel=0.01)


def test_of_uneven_ones_fewer_are_as_good_as_of_equal_ones_and_few_segments_say_nothing() -> None:
    counts, values = [10] * 10, [10, 30] * 5
    alike, uneven = count_in_all(100, 0.01), count_in_all(100, 0.01, unevenness(values, counts))
    assert unevenness(counts, counts) == 0
    assert unevenness(values, counts) == pytest.approx(10 / 9 * 10 * 100 / 200**2 * (2.262 / 1.96) ** 2, rel=0.02)
    assert uneven.estimate == alike.estimate
    assert alike.low / uneven.low > 1.1
    assert uneven.high / alike.high > 1.1
    assert uneven.high / uneven.estimate > (uneven.estimate / uneven.low) ** 1.1  # the largest may be missed
    assert not count_in_all(100, 0.01, unevenness(values[:3], counts[:3])).is_bounded
    assert count_in_all(4, 0.01, unevenness([0, 1_000_000, 5, *[0] * 5], [0, 1, 3, *[0] * 5])).low >= 0


def ended(keys: int, part: float = 0.1) -> Walked:
    return Walked(keys, ended=True, part=part)


CUT = Walked(40, part=0.1)
LEVELS: Any = SimpleNamespace(groups=SimpleNamespace(has_several=True), source=SimpleNamespace(level="/"))


@pytest.mark.parametrize(
    ("walked", "search", "found"),
    [
        ([ended(5), ended(7)], [ended(1, 0.5), CUT], count_in_all(12, 0.2).at_least(40)),
        ([ended(0), ended(0)], [ended(90, 0.5), ended(3, 0.25)], count_in_all(90, 0.5)),
        ([ended(0), ended(0)], [ended(0, 0.5), CUT], count_in_all(0, 0.5).at_least(40)),
        ([ended(0), ended(0)], [ended(0, 0.05)], count_in_all(0, 0.2)),
        ([CUT], [], Interval(40.0, 40.0, inf)),
    ],
)
def test_walks_of_the_search_are_a_lower_bound_and_count_where_no_segment_has_a_key(
    walked: list[Walked], search: list[Walked], found: Interval
) -> None:
    assert Sample(LEVELS, 0, 10, walked, [*search, *walked]).collections == found


def test_groups_are_as_many_as_collections_have_of_them_and_as_the_longest_walk_met() -> None:
    walks = [Walked(2, ended=True, keys=6, groups=8)] * 5
    sample = Sample(LEVELS, 0, 10, walks, [*walks, Walked(1, keys=90)])
    assert sample.groups.estimate == pytest.approx(4 * sample.collections.estimate)
    assert sample.keys.estimate == 90 > 3 * sample.collections.estimate
    assert Sample(LEVELS, 0, 5, walks, walks).keys == Interval.exactly(5 * 6)
    without = [replace(walk, keys=0) for walk in walks]
    empty = Sample(LEVELS, 0, 10, without, without)
    assert empty.keys == count_in_all(0, 0.5)
    only_cut = Sample(LEVELS, 0, 100, [Walked(ended=True)] * 8 + [Walked(1, keys=3)])
    assert (only_cut.keys.low, only_cut.keys.high) == pytest.approx((0.0, 3 * count_in_all(0, 0.08).high))
    only_cut.seen.append(Walked(5))
    assert only_cut.keys.low == 3 * 5
    assert not Sample(LEVELS, 0, 100, [Walked(ended=True, keys=1)] * 8).keys.is_bounded  # of no collection


def test_groups_that_no_walk_met_may_have_as_many_items_as_a_group_can_have() -> None:
    """Of 80 groups none has more than two lines: with a chance of 2.5 % one in 22 of all has more."""
    walks = [Walked(10, ended=True, groups=10, part=0.01)] * 8
    sample = Sample(LEVELS, 0, 100, walks, walks)
    short, long = (sample.of_groups([20] * 8, most) for most in (2, 100))
    assert short.estimate == long.estimate == pytest.approx(2 * sample.groups.estimate)
    assert (long.high - short.high) / sample.groups.high == pytest.approx(98 / 22, rel=0.02)
