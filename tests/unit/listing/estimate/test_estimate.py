"""What a run consumes is in the intervals of the estimate.

The tables here are others than those on which the estimate's errors were set.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import Concurrency, expected_services, split, worker_seconds
from skipscan.listing.estimate.estimate import of_queries, skip_scan
from skipscan.pace.bill import Bill
from skipscan.sample.interval import Consumption, Interval
from skipscan.sample.sample import Sample, Walked
from skipscan.scan.limit import LimitPolicy
from tests.fakes.small_table import reading
from tests.house.suite.examples import ALL
from tests.unit.listing.estimate.case import Case
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.random_table import run, uneven
from tests.unit.sample.sampled import sampled

TABLES = range(5000, 5050 if ALL else 5020)
HELD = 0.93
COUNTING: Any = SimpleNamespace(
    skips=True, take=SimpleNamespace(reads_on=True, most_items=100), groups=SimpleNamespace(has_several=False)
)


def reading_on(segments: int, keys: int, of: int = 100, rest: float = 0.0) -> Sample:
    """Return a sample of so many ended segments of 6 read units and so many keys together, in groups of 100 items.

    With a `rest`, so much is left of the last group of one more walk, which met a key and took 6 units, too.
    """
    one = Walked(ended=True, requests=3, read_units=6.5, lines=10, end=1.0)
    found = [keys // segments + (place < keys % segments) for place in range(segments)]
    seen = [replace(one, keys=each, collections=each, groups=each) for each in found]
    cut = replace(one, ended=False, keys=1, collections=1, groups=1, read_units=6.0, end=0.0, rest=rest)
    return Sample(COUNTING, 0, of, [*seen, *([cut] if rest else [])], seen)


def test_a_sample_of_all_groups_is_what_they_take() -> None:
    units, requests, _ = of_queries(reading_on(1, 1, of=1), 0.5)
    assert (units, requests) == (Interval.exactly(6.0), Interval.exactly(2.0))


def test_queries_of_a_segment_that_was_read_whole_take_a_step_for_each_group_or_as_much_as_the_segment() -> None:
    sample = Sample(COUNTING, 0, 1, [Walked(ended=True, groups=4, read_units=6.5)], is_of_all=True)
    assert of_queries(sample, 0.5) == (Interval(2.0, 0.0, 17.0), Interval(4, 0.0, 2 * 4 + 13), 1.0)


def test_queries_of_an_empty_table_of_unknown_size_are_bounded() -> None:
    empty = Walked(ended=True, requests=1, read_units=0.5)
    found = skip_scan(Sample(COUNTING, 0, 1, [empty], is_of_all=True), reading(1), None)
    assert found is not None
    assert found.read_units.is_bounded


@pytest.mark.parametrize(("described", "doubt"), [(0.0, 1.0), (1.0, 1.0), (0.5, 2.0), (3.0, 3.0)])
def test_average_items_that_differ_put_the_read_units_in_doubt(described: float, doubt: float) -> None:
    plan = replace(HashedTable.spread(np.ones(3), np.ones(3), seed=1).plan(segments=4), item_bytes=described)
    found = skip_scan(of_groups(Interval.exactly(100.0)), plan, None)
    known = skip_scan(of_groups(Interval.exactly(100.0)), replace(plan, item_bytes=1.0), None)
    assert found
    assert known
    ends = 0.5 * 4 + 6.0
    assert found.read_units.high - ends == pytest.approx(doubt * (known.read_units.high - ends))


def of_groups(groups: Interval, *, reads_on: bool = False) -> Any:
    """Return a sample of so many groups. If it reads on, each has taken a step and a request."""
    whole = SimpleNamespace(end=1.0, read_units=1.0, requests=2)
    return SimpleNamespace(
        **{"groups": groups, "policy": LimitPolicy(), "plan": COUNTING, "reads_on": reads_on, "item_bytes": 1.0},
        **{"walked": [whole], "ended": [whole], "part": 0.5, "is_of_all": False, "most_items": 10},
        of_groups=lambda values, _most: groups.times(values[0]),
    )


WHOLE = Consumption(Interval(20.0, 18.0, 24.0), Interval.exactly(1.0))


@pytest.mark.parametrize(
    ("groups", "reads_on", "units", "requests"),
    [
        (Interval(2.0, 1.0, 1e3), False, 24 + 0.5 * 1003, 1003),  # every item, and a rounding of each page
        (Interval(1.0, 1.0, 2.0), True, 24 + 0.5 * 9, 6 + 3),  # without DescribeTable's size items may have any
        (Interval(1.0, 1.0, inf), False, inf, inf),
        (Interval(1.0, 1.0, inf), True, 24 + 0.5 * 51, 51),  # a page for each of 48 steps, and 3 segments
    ],
)
def test_a_skip_scan_takes_at_most_every_item_and_a_rounding_of_each_page(
    groups: Interval, reads_on: bool, units: float, requests: float
) -> None:
    found = skip_scan(of_groups(groups, reads_on=reads_on), reading(3), WHOLE)
    assert found
    assert (found.read_units.high, found.requests.high) == pytest.approx((units, requests))


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
        for table, plan, sample in cases:
            taken = run(table, plan)
            yield skip_scan(sample, plan, None), taken.read_units, taken.requests

    assert min(held(pairs())) >= HELD


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 4))])
def test_few_collections_that_hold_most_of_the_bytes_make_intervals_wide(seed: int) -> None:
    table = uneven(seed)
    plan = table.plan(strategy="skip")
    sample = sampled(table, plan, seed=seed)
    skipping, taken = skip_scan(sample, plan, None), run(table, plan)
    assert skipping
    assert skipping.read_units.low <= taken.read_units <= skipping.read_units.high
    assert skipping.requests.low <= taken.requests <= skipping.requests.high


# What a run costs beside its units: the time that its workers take, of which waiting for a rate is a part.


@pytest.mark.parametrize(("rate", "seconds"), [(10.0, 600.0), (1e9, worker_seconds(6_000.0, 100.0))])
def test_workers_are_billed_for_the_time_that_they_wait_for_their_rate(rate: float, seconds: float) -> None:
    bill = Concurrency(reading(workers=1), rate).bill(6_000.0, 100.0)
    assert bill.total == pytest.approx(Bill.of(US_EAST_1, 6_000.0, 0.0, expected_services(1, seconds, 0)).total)


# Workers enough for a run of minutes, segments enough for its walks, and neither where they would cost more.


def divided(
    units: float, segments: int | None = None, workers: int | None = None, rate: float = 12_000.0
) -> tuple[int, int]:
    return split(segments, workers, units=units, requests=2 * units, rate=rate)


@pytest.mark.parametrize("units", [0.5, 3, 40, 700, 10**5, 10**8])
def test_the_ends_of_segments_never_cost_much(units: float) -> None:
    segments, workers = divided(units)
    assert 0.5 * segments <= max(0.5, units / 10)
    assert workers <= segments


def test_given_values_are_kept() -> None:
    assert divided(10**6, segments=7) == (7, 7)
    assert divided(10**6, workers=3)[1] == 3
    assert divided(10, segments=500, workers=100) == (500, 100)
    assert divided(10, workers=50) == (50, 50)
