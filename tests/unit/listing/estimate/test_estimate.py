"""What a run consumes is in the intervals of the estimate.

The tables here are others than those on which the estimate's errors were set (docs/plan.md).
"""

from collections.abc import Iterator
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from skipscan.listing.estimate.estimate import RARE_TIMES, CountedItems, _size_bytes, collection_items, estimate
from skipscan.listing.estimate.interval import Consumption, Interval
from skipscan.listing.estimate.sample import Walked, Way
from skipscan.listing.estimate.ways import full_scan
from tests.house.suite.examples import ALL
from tests.unit.listing.estimate.case import Case
from tests.unit.listing.estimate.hashed_table import HashedTable
from tests.unit.listing.estimate.random_table import run, uneven
from tests.unit.listing.estimate.sampled import sampled

TABLES = range(5000, 5050 if ALL else 5020)
HELD = 0.93


@pytest.mark.parametrize(("segments", "is_bounded"), [(2, True), (100, False)])
def test_the_size_of_few_segments_is_bounded_only_if_they_are_all(segments: int, is_bounded: bool) -> None:
    ended = Walked(Way.PAGE, ended=True, keys=5, items=5, requests=1, read_units=2.0, collections=5, groups=5, lines=5)
    sample: Any = SimpleNamespace(segments=segments)
    size = _size_bytes([ended, ended], sample, 0.5)
    assert size.low <= size.estimate <= size.high
    assert (size.high < inf) == is_bounded


def test_full_groups_are_those_with_as_many_items_and_those_that_a_walk_did_not_end() -> None:
    ended = Walked(Way.FIRST, True, keys=10, items=36, requests=9, read_units=9.0, collections=10, groups=10, lines=10)
    lengths = SimpleNamespace(ended={2: 5, 6: 3}, cut={4: 2})
    size = SimpleNamespace(average_bytes=4096.0)
    sample: Any = SimpleNamespace(
        ended=[ended], lengths=lengths, size=size, keys=Interval(10, 5, 20), counts=6, part=1.0, segments=1
    )
    assert CountedItems.of(sample, 0.5).full == Interval(5.0, 0.0, 20)


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
    """By an interval of 95 %: of 60 samples, four may miss what the keys take (and six by chance)."""
    missed = 0
    for seed in range(60):
        table = HashedTable.spread(np.full(20, 100), np.arange(20) * 400 + 50, seed=seed)
        plan = table.plan(segments=3)
        estimated = estimate(sampled(table, plan, seed=seed), 0.5).first_item(plan)
        assert estimated
        missed += not estimated.read_units.low <= 0.5 * (table.first_steps() + 3) <= estimated.read_units.high
    assert missed <= 6


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
    requests = [consumed.requests for plan in (free, slow) if (consumed := estimate(sample, 0.5).skipping(plan))]
    assert requests[0].estimate < 100
    assert requests[1].low <= run(table, slow).requests <= requests[1].high


@pytest.mark.parametrize("items", [1, 20])
def test_an_unknown_size_is_estimated_from_whole_segments(items: int) -> None:
    table = HashedTable.spread(np.full(20_000, items), np.full(20_000, 500), seed=5)
    estimated = estimate(sampled(table, table.plan(knows=False), knows=False), 0.5).size_bytes
    assert estimated
    assert estimated.low <= table.size_bytes <= estimated.high
    assert estimated.estimate == pytest.approx(table.size_bytes, rel=0.5)


def test_collections_too_long_to_read_whole_say_at_least() -> None:
    table = HashedTable.spread(np.full(5_000, 1_000_000), np.full(5_000, 500), seed=1)
    plan = table.plan(knows=False)
    estimated = estimate(sampled(table, plan, knows=False), 0.5).whole(plan)
    assert estimated
    assert estimated.read_units.to_json()["high"] is None


def test_a_described_size_is_read_in_pages_of_1_mb() -> None:
    plan = HashedTable.spread(np.ones(3), np.ones(3), seed=1).plan(segments=1)
    whole = full_scan(Interval.exactly(100 << 20), 0.0, plan, 0.5)
    assert whole.read_units.estimate == pytest.approx(12_800, rel=0.01)
    assert whole.requests.estimate == 101


def test_the_length_of_collections_follows_from_the_keys() -> None:
    assert collection_items(1000, Interval(100, 50, 200)) == Interval(10, 5, 20)
    assert collection_items(0, Interval(100, 50, 200)) is None
    assert collection_items(1000, Interval.exactly(0)) is None
