"""What a sample reads, and when it has read enough."""

from math import inf

import numpy as np
import pytest

from skipscan.sample.sampler import random_segments
from skipscan.sample.walks import BUDGET_PART, LEAST_UNITS, MOST_PAGES, TIGHT, PageRequest, Walks
from skipscan.scan.plan import Plan
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.sampled import sampled

pytestmark = pytest.mark.slow


def table(keys: int, items: int, item_bytes: int) -> HashedTable:
    return HashedTable.spread(np.full(keys, items), np.full(keys, item_bytes), seed=7)


def test_an_empty_table_takes_one_page() -> None:
    empty = table(0, 1, 100)
    sample = sampled(empty, empty.plan())
    assert (sample.requests, sample.read_units, sample.keys.high) == (1, 0.5, 0)


@pytest.mark.parametrize(("keys", "items"), [(1, 100_000), (5, 30_000), (60, 3)])
def test_a_table_of_few_keys_is_known_exactly(keys: int, items: int) -> None:
    small = table(keys, items, 300)
    sample = sampled(small, small.plan())
    assert (sample.keys.low, sample.keys.high) == (keys, keys)
    assert sample.read_units <= LEAST_UNITS


@pytest.mark.parametrize(
    ("keys", "items", "item_bytes"), [(1_000, 1, 60), (2_000, 1, 64), (30, 40, 100), (3, 5, 9_000)]
)
@pytest.mark.parametrize("knows", [True, False])
def test_a_sample_never_takes_more_than_reading_the_table_whole(
    keys: int, items: int, item_bytes: int, knows: bool
) -> None:
    small = table(keys, items, item_bytes)
    sample = sampled(small, small.plan(knows=knows), knows=knows)
    whole = small.full_scan(1)[0]
    assert sample.read_units <= max(whole * 1.2 + 0.5, LEAST_UNITS + 1 if not knows else 0)
    if knows:  # it is read whole, and known
        assert (sample.keys.low, sample.keys.high) == (keys, keys)


def test_a_table_that_grew_since_it_was_described_is_sampled_all_the_same() -> None:
    large = table(50_000, 4, 500)
    plan = table(500, 4, 50).plan()
    keys = sampled(large, plan, items=2_000).keys
    assert keys.low <= 50_000 <= keys.high < inf, "what it took to try the whole table is not of the sample's budget"


def test_a_large_table_is_sampled_until_the_interval_is_tight() -> None:
    large = table(200_000, 100, 500)
    sample = sampled(large, large.plan())
    assert sample.part < 0.05
    assert sample.keys.relative_error <= TIGHT
    assert sample.keys.low <= 200_000 <= sample.keys.high
    assert all(segment.skips for segment in sample.walked)


@pytest.mark.parametrize("counted", [0, 200_000, 10**9, 10**12])
def test_a_wrong_item_count_costs_pages_and_not_the_truth(counted: int) -> None:
    large = table(50_000, 100, 500)
    keys = sampled(large, large.plan(), items=counted).keys
    assert keys.low <= 50_000 <= keys.high
    assert keys.relative_error < 0.1


def test_the_budget_holds_to_a_page() -> None:
    dear = table(3_000, 4, 30_000)  # 4 units a key
    sample = sampled(dear, dear.plan())
    assert LEAST_UNITS < sample.read_units <= BUDGET_PART * 4 * 3_000 * 1.25 + 4
    assert len(sample.seen) <= sample.requests  # and no segment was begun without a page
    assert sample.keys.low <= 3_000 <= sample.keys.high


def test_the_same_seed_reads_the_same_pages() -> None:
    large = table(20_000, 10, 500)

    def asked(seed: int) -> list[tuple[int, int]]:
        steps = random_segments(Walks(large.plan(), large.items, seed))
        pages, ask = [], next(steps)
        try:
            while True:
                pages.append((ask.segments, ask.request.segment))
                ask = steps.send(large.scan(*ask))
        except StopIteration:
            return pages

    assert asked(1) == asked(1) != asked(2)


def test_without_a_skip_every_item_is_read() -> None:
    large = table(300_000, 1, 500)
    sample = sampled(large, large.plan(strategy="page"))
    assert not any(segment.skips for segment in sample.walked)
    assert sample.keys.low <= 300_000 <= sample.keys.high
    assert sample.requests < MOST_PAGES


def test_an_engine_that_refuses_skips_is_paged() -> None:
    small = table(40, 10, 500)

    def refusing(plan: Plan) -> float:
        walks = Walks(plan, small.items, 0)
        steps = random_segments(walks)
        ask: PageRequest = next(steps)
        try:
            while True:
                key = ask.request.start_key
                is_made_up = key is not None and key["sk"]["N"].startswith("9.99")
                ask = steps.send(None if is_made_up else small.scan(*ask))
        except StopIteration:
            return float(walks.sample.keys.estimate)

    assert refusing(small.plan()) == pytest.approx(40, rel=0.5)
