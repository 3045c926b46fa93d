"""What a run consumes lies near what the sample said."""

from collections.abc import Callable

import numpy as np
import pytest

from skipscan.batch import Batch, Bounds, Request
from skipscan.counts import Counts
from skipscan.estimate import collection_items, described, estimate
from skipscan.interval import Interval
from skipscan.plan import Plan
from skipscan.progress import Progress
from tests.unit.hashed_table import HashedTable, Numbers
from tests.unit.sampled import sampled

KEYS = 20_000
SEGMENTS = 16

LENGTHS: dict[str, Callable[[np.random.Generator], Numbers]] = {
    "all 1": lambda chance: np.ones(KEYS),
    "geometric 3": lambda chance: chance.geometric(1 / 3, KEYS),
    "geometric 20": lambda chance: chance.geometric(1 / 20, KEYS),
    "Pareto 1.1": lambda chance: np.minimum(1 + chance.pareto(1.1, KEYS), 20_000),
    "all 1000": lambda chance: np.full(KEYS, 1000),
}


def shaped(lengths: str) -> HashedTable:
    chance = np.random.default_rng(3)
    sizes = np.clip(chance.lognormal(6, 0.8, KEYS), 40, 60_000)
    return HashedTable.spread(LENGTHS[lengths](chance), sizes, seed=5)


def run(table: HashedTable, plan: Plan) -> Counts:
    batch = Batch(plan, Progress.start(plan, 0), bounds=Bounds(), clock=lambda: 0.0, random=lambda: 0.0, write=len)
    while isinstance(request := batch.take(), Request):
        batch.give(request, table.scan(plan.segments, request))
    return batch.counts


@pytest.mark.parametrize("lengths", LENGTHS)
def test_a_run_consumes_what_was_estimated(lengths: str) -> None:
    table = shaped(lengths)
    plan = table.plan(segments=SEGMENTS, workers=1)
    told = estimate(sampled(table, plan), plan.step_units)
    assert told.adaptive
    expected = told.adaptive.of(told.keys, SEGMENTS).read_units
    actual = run(table, plan).read_units
    assert expected.low <= actual <= expected.high
    assert expected.estimate == pytest.approx(actual, rel=0.25)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_limit_1_costs_what_the_first_items_take(lengths: str) -> None:
    table = shaped(lengths)
    told = estimate(sampled(table, table.plan()), 0.5)
    assert told.first_item
    consumed = told.first_item.of(told.keys, SEGMENTS)
    actual = 0.5 * (np.ceil(table.item_bytes / 4096).sum() + SEGMENTS)
    assert consumed.read_units.low <= actual <= consumed.read_units.high
    assert consumed.read_units.estimate == pytest.approx(actual, rel=0.1)
    assert consumed.requests.estimate == told.keys.estimate + SEGMENTS


@pytest.mark.parametrize("lengths", ["all 1", "geometric 20"])
def test_an_unknown_size_is_told_by_segments_read_whole(lengths: str) -> None:
    table = shaped(lengths)
    told = estimate(sampled(table, table.plan(knows=False), knows=False), 0.5).whole
    assert told
    assert told.read_units.low <= table.size_bytes / 8192 <= told.read_units.high


def test_collections_too_long_to_read_whole_say_at_least() -> None:
    table = HashedTable.spread(np.full(5_000, 1_000_000), np.full(5_000, 500), seed=1)
    told = estimate(sampled(table, table.plan(knows=False), knows=False), 0.5).whole
    assert told
    assert told.read_units.to_json()["high"] is None


def test_a_described_size_is_read_in_pages_of_1_mb() -> None:
    whole = described(100 << 20, 0.5)
    assert whole.read_units.estimate == pytest.approx(12_800, rel=0.01)
    assert whole.requests.estimate == 101


def test_the_length_of_collections_follows_from_the_keys() -> None:
    assert collection_items(1000, Interval(100, 50, 200)) == Interval(10, 5, 20)
    assert collection_items(0, Interval(100, 50, 200)) is None
    assert collection_items(1000, Interval.exactly(0)) is None
