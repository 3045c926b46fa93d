"""What a run consumes is in the intervals of the estimate.

The tables here are others than those on which the estimate's errors were set.
"""

from collections.abc import Iterator
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from skipscan.listing.estimate.estimate import (
    RARE_TIMES,
    Estimate,
    Measured,
    _size_bytes,
    collection_items,
    estimate,
)
from skipscan.listing.estimate.ways import full_scan
from skipscan.sample.clusters import SampledWalk
from skipscan.sample.interval import Consumption, Interval
from skipscan.sample.sample import Sample, Walked
from skipscan.scan.limit import LimitPolicy
from tests.house.suite.examples import ALL
from tests.unit.listing.estimate.case import Case
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.random_table import run, uneven
from tests.unit.sample.sampled import sampled

TABLES = range(5000, 5050 if ALL else 5020)
HELD = 0.93


WALKED = Walked(False, True, keys=5, items=5, requests=1, read_units=2.0, collections=5, groups=5, lines=5)


@pytest.mark.parametrize(
    ("items", "units", "requests", "size"), [(0, 0.5, 1, 2_048.0), (5, 2.0, 1, 3.5 * 4096), (5, 2.0, 2, 3.0 * 4096)]
)
def test_a_table_that_was_read_whole_has_its_size_and_half_a_step_less_for_each_page(
    items: int, units: float, requests: int, size: float
) -> None:
    one = WALKED._replace(items=items, read_units=units, requests=requests)
    assert _size_bytes(Sample(0, 1, [one]), 0.5) == Interval.exactly(size)
    assert _size_bytes(Sample(0, 1, [one._replace(skips=True)]), 0.5) is None
    assert _size_bytes(Sample(0, 2, [one]), 0.5) is None


def reading_on(segments: int, keys: int, of: int = 100, rest: float = 0.0) -> Sample:
    """Return a sample of so many ended segments of 6 read units and so many keys together, in groups of 100 items.

    With a `rest`, so much is left of the last group of one more walk, which met a key and took 6 units, too.
    """
    one = Walked(True, True, 0, 10, 3, 6.5, collections=0, groups=0, lines=10, end=1.0)
    found = [keys // segments + (place < keys % segments) for place in range(segments)]
    walked = [one._replace(keys=each, collections=each, groups=each) for each in found]
    seen = [SampledWalk(of, place, each, ended=True) for place, each in enumerate(found)]
    if rest:
        walked.append(one._replace(ended=False, keys=1, collections=1, groups=1, read_units=6.0, end=0.0, rest=rest))
    return Sample(0, of, walked, seen, reads_on=True, most_items=100)


@pytest.mark.parametrize(
    ("segments", "keys", "is_bounded"), [(7, 30, False), (7, 300, False), (8, 29, False), (8, 30, True), (9, 31, True)]
)
def test_eight_segments_and_thirty_groups_bound_what_queries_take(segments: int, keys: int, is_bounded: bool) -> None:
    found = Measured.of(reading_on(segments, keys), 0.5)
    assert found.read_units.is_bounded == found.requests.is_bounded == is_bounded
    assert found.read_units.estimate == pytest.approx(600.0, rel=0.03)  # a posterior's median is above its mode
    assert found.requests.estimate == pytest.approx(200.0, rel=0.03)


def test_groups_that_were_not_met_may_be_as_long_as_can_be() -> None:
    """Of so many groups, 40 are of other kinds with a chance of 2.5 %."""
    sample = reading_on(10, 40)
    met, unseen = sample.of_groups([6.0] * 10, 0.0), sample.of_groups([6.0] * 10, 50.0)
    assert unseen.high - met.high == pytest.approx(sample.keys.high * (1 - 0.025 ** (1 / 40)) * 50)
    assert (unseen.estimate, unseen.low) == (met.estimate, met.low)
    assert sample.of_groups([6.0] * 10, inf).high == inf


def test_the_rest_of_a_group_in_which_the_budget_ended_counts_half_and_bounds_both_ends() -> None:
    sample, without = reading_on(10, 40, rest=0.8), reading_on(10, 40)
    values = [6.0] * 11
    each = sample.of_groups(values, 50.0).estimate / sample.collections.estimate
    assert each == pytest.approx((6 * 11 + 0.4 * 50) / 41)
    assert sample.of_groups(values, 50.0).low < without.of_groups(values[:10], 50.0).low


def test_a_sample_of_all_groups_is_what_they_take() -> None:
    found = Measured.of(reading_on(1, 1, of=1), 0.5)
    assert (found.read_units, found.requests) == (Interval.exactly(6.0), Interval.exactly(2.0))


def test_queries_of_a_segment_that_was_read_whole_take_a_step_for_each_group_or_as_much_as_the_segment() -> None:
    sample = Sample(0, 1, [WALKED._replace(items=10, groups=4, read_units=6.5)])
    assert Measured.of(sample, 0.5) == Measured(Interval(2.0, 0.0, 17.0), Interval(4, 0.0, 28), 1.0, sample.item_bytes)


def test_what_a_sample_s_queries_took_has_5_percent_of_error_and_requests_a_factor() -> None:
    plan: Any = SimpleNamespace(segments=4, step_units=0.5, item_bytes=100.0)
    found = Measured(Interval.exactly(98.0), Interval.exactly(196.0), 1.0, 100.0)
    units = 1 + 1.96 * 0.05
    expected = (
        Interval(100.0, 100 / units / 3 - 1, 100 * units * 3 + 1),
        Interval(200.0, 200 / 3 - 2, 200 * 3 + 2),
    )
    consumed = found.consumption(plan, size_doubt=3.0)
    for one, other in zip((consumed.read_units, consumed.requests), expected, strict=True):
        assert vars(one) == pytest.approx(vars(other), rel=1e-4)
    plan.item_bytes = 0.0
    assert found.consumption(plan, size_doubt=1.0).read_units.high == inf, "nobody knows the items of other groups"


@pytest.mark.parametrize(
    ("described", "doubt"),
    [(0.0, 1.0), (100.0, 1.0), (149.0, 1.0), (150.0, 1.0), (151.0, 1.51), (67.0, 1.0), (62.5, 1.6)],
)
def test_average_items_that_differ_by_more_than_half_are_in_doubt(described: float, doubt: float) -> None:
    policy: Any = SimpleNamespace(item=100 / 4096)
    plan: Any = SimpleNamespace(item_bytes=described)
    none = Interval.exactly(0.0)
    assert Estimate(none, none, none, policy, None, None).size_doubt(plan) == doubt
    assert Estimate(none, none, none, None, None, None).size_doubt(plan) == 1.0
    counted = Measured(none, none, 1.0, 100.0)
    assert Estimate(none, none, none, None, None, None, counted).size_doubt(plan) == doubt


def test_a_skip_scan_makes_at_most_a_request_for_each_key_and_each_segment() -> None:
    """And one more, which decides about short runs."""
    plan = HashedTable.spread(np.ones(3), np.ones(3), seed=1).plan(segments=4)
    keys = Interval(100.0, 80.0, 120.0)
    consumed = Estimate(keys, keys, keys, LimitPolicy(), None, None).skipping(plan)
    assert consumed
    assert consumed.requests.high == pytest.approx(120 + 4 + 1)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [Case.drawn(seed, most_keys=3_000) for seed in TABLES]


def held(pairs: Iterator[tuple[Consumption | None, float, float]]) -> tuple[float, float]:
    """Return how often read units and requests are inside their intervals, from estimates with the true figures."""
    inside = [
        (
            estimated.read_units.low <= units <= estimated.read_units.high,
            estimated.requests.low <= requests <= estimated.requests.high,
        )
        for estimated, units, requests in pairs
        if estimated is not None
    ]
    assert len(inside) > len(TABLES) / 2
    return tuple(np.mean(inside, axis=0))


@pytest.mark.slow
@pytest.mark.long
def test_a_skip_scan_takes_what_was_estimated(cases: list[Case]) -> None:
    def pairs() -> Iterator[tuple[Consumption | None, float, float]]:
        for table, plan, _, estimated in cases:
            taken = run(table, plan)
            yield estimated.skipping(plan), taken.read_units, taken.requests

    assert min(held(pairs())) >= HELD


def test_limit_1_takes_what_was_estimated(cases: list[Case]) -> None:
    pairs = (
        (estimated.first_item(plan), 0.5 * (table.first_steps() + plan.segments), table.keys + plan.segments)
        for table, plan, _, estimated in cases
    )
    assert min(held(pairs)) >= HELD


def test_a_full_scan_takes_what_was_described(cases: list[Case]) -> None:
    def pairs() -> Iterator[tuple[Consumption | None, float, float]]:
        for table, plan, _, _ in cases:
            size = Interval.exactly(table.size_bytes)
            yield full_scan(size, table.size_bytes / table.items, plan, 0.5), *table.full_scan(plan.segments)

    assert min(held(pairs())) >= HELD


@pytest.mark.slow
def test_the_first_items_of_few_keys_are_bounded() -> None:
    """By an interval of 95 %: of 60 samples, four may miss what the keys take (and seven by chance)."""
    missed = 0
    for seed in range(60):
        table = HashedTable.spread(np.full(20, 100), np.arange(20) * 400 + 50, seed=seed)
        plan = table.plan(segments=3)
        estimated = estimate(sampled(table, plan, seed=seed), 0.5).first_item(plan)
        assert estimated
        missed += not estimated.read_units.low <= 0.5 * (table.first_steps() + 3) <= estimated.read_units.high
    assert missed <= 7


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 4))])
def test_few_collections_that_hold_most_of_the_bytes_make_intervals_wide(seed: int) -> None:
    table = uneven(seed)
    plan = table.plan(strategy="skip")
    estimated = estimate(sampled(table, plan, seed=seed), 0.5)
    skipping, taken = estimated.skipping(plan), run(table, plan)
    assert skipping
    assert estimated.size_doubt(plan) > RARE_TIMES
    assert skipping.read_units.low <= taken.read_units <= skipping.read_units.high
    assert skipping.requests.low <= taken.requests <= skipping.requests.high


@pytest.mark.slow
def test_a_rate_makes_pages_short_and_requests_many() -> None:
    table = HashedTable.spread(np.ones(20_000), np.full(20_000, 500), seed=1)
    free, slow = table.plan(segments=4), table.plan(segments=4, max_read_units_per_second=5)
    sample = sampled(table, free)
    for plan in (free, slow):
        consumed = estimate(sample, 0.5).skipping(plan)
        assert consumed
        assert consumed.requests.low <= run(table, plan).requests <= consumed.requests.high


def test_a_described_size_is_read_in_pages_of_1_mb() -> None:
    plan = HashedTable.spread(np.ones(3), np.ones(3), seed=1).plan(segments=1)
    whole = full_scan(Interval.exactly(100 << 20), 0.0, plan, 0.5)
    assert whole.read_units.estimate == pytest.approx(12_800, rel=0.01)
    assert whole.requests.estimate == 101


def test_the_length_of_collections_follows_from_the_keys() -> None:
    assert collection_items(1000, Interval(100, 50, 200)) == Interval(10, 5, 20)
    assert collection_items(0, Interval(100, 50, 200)) is None
    assert collection_items(1000, Interval.exactly(0)) is None
