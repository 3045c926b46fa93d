"""What a sample reads, and when it has read enough."""

import numpy as np
import pytest

from skipscan.sample.sampler import random_segments
from skipscan.sample.walks import BUDGET_PART, LEAST_UNITS, TIGHT, PageRequest, Walks
from skipscan.scan.plan import Plan
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.sampled import sampled

pytestmark = pytest.mark.slow


def table(keys: int, items: int, item_bytes: int) -> HashedTable:
    return HashedTable.spread(np.full(keys, items), np.full(keys, item_bytes), seed=7)


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


def test_a_large_table_is_sampled_until_the_interval_is_tight() -> None:
    large = table(200_000, 100, 500)
    sample = sampled(large, large.plan())
    assert sample.part < 0.05
    assert sample.keys.relative_error <= TIGHT
    assert sample.keys.low <= 200_000 <= sample.keys.high
    assert all(segment.skips for segment in sample.walked)


def test_the_budget_holds_to_a_page() -> None:
    dear = table(3_000, 4, 30_000)  # 4 units a key
    sample = sampled(dear, dear.plan())
    assert LEAST_UNITS < sample.read_units <= BUDGET_PART * 4 * 3_000 * 1.25 + 4
    assert len(sample.seen) <= sample.requests  # and no segment was begun without a page
    assert sample.keys.low <= 3_000 <= sample.keys.high


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
