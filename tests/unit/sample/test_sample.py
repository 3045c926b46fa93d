"""What a sample reads, and when it has read enough."""

from collections.abc import Callable

import numpy as np
import pytest

from skipscan.sample.sampler import random_segments
from skipscan.sample.walks import LEAST_UNITS, TIGHT, PageRequest, Walks
from skipscan.scan.plan import Plan
from tests.unit.sample.hashed_table import HashedTable, Numbers
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
    samples = [sampled(large, large.plan(), seed=seed) for seed in range(12)]
    assert max(sample.part for sample in samples) < 0.05
    assert max(sample.keys.relative_error for sample in samples) <= TIGHT
    assert sum(sample.keys.low <= 200_000 <= sample.keys.high for sample in samples) >= 10
    assert not any(sample.is_of_all for sample in samples)


def test_the_search_goes_on_while_segments_are_too_long() -> None:
    """A page of one item takes 1.5 units here, so three numbers of segments take what every sample may."""
    dear = table(100_000, 20, 12_000)
    sample = sampled(dear, dear.plan(knows=False), knows=False)
    assert sample.keys.low <= 100_000 <= sample.keys.high <= 150_000


def test_the_budget_holds_to_a_page() -> None:
    dear = table(3_000, 4, 30_000)  # 4 units a key
    sample = sampled(dear, dear.plan())
    assert LEAST_UNITS < sample.read_units <= 0.05 * 4 * 3_000 + 4  # a twentieth of the run
    assert len(sample.seen) <= sample.requests  # and no segment was begun without a page
    assert sample.keys.low <= 3_000 <= sample.keys.high


def test_a_table_that_has_grown_is_unknown_if_reading_it_whole_took_all_the_time() -> None:
    sample = sampled(table(500, 40, 400), table(5, 8, 400).plan(), items=40, most_pages=1)
    assert (sample.requests, sample.read_units) == (1, 2 * LEAST_UNITS)
    assert not sample.keys.is_bounded


@pytest.mark.parametrize(
    ("large", "described"),
    [
        (table(30_000, 3, 30_000), None),  # some units for a key: no walk of the first sizes ends
        (table(500, 40, 400), table(5, 40, 400)),  # it has grown since DescribeTable counted it
    ],
)
def test_the_search_goes_on_until_segments_end(large: HashedTable, described: HashedTable | None) -> None:
    before = described or large
    sample = sampled(large, before.plan(), items=before.items)
    assert len(sample.ended) >= 4
    assert sample.keys.low <= large.keys <= sample.keys.high < 2 * large.keys


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
                if is_made_up:
                    ask.request.walk.refuse_skip()
                ask = steps.send(None if is_made_up else small.scan(*ask))
        except StopIteration:
            return float(walks.sample.keys.estimate)

    assert refusing(small.plan()) == pytest.approx(40, rel=0.5)


# The sample's figures over random tables: how often its intervals hold, and how far its estimates are off.


def random_table(seed: int) -> tuple[HashedTable, np.random.Generator]:
    """An empty table, a tiny one, or up to 300,000 keys; collections of 1 to a million items of 20 B to 400 KB."""
    chance = np.random.default_rng(seed)
    keys = {0: 0, 1: int(chance.integers(1, 6))}.get(int(chance.integers(10)), int(10 ** chance.uniform(0.5, 5.5)))
    lengths: list[Callable[[], Numbers]] = [
        lambda: np.ones(keys),
        lambda: chance.geometric(0.05, keys),
        lambda: np.minimum(1 + chance.pareto(1.1, keys), 1e6),
        lambda: np.full(keys, 1000),
        lambda: np.where(chance.random(keys) < 0.01, 5000, chance.geometric(0.5, keys)),
    ]
    item_bytes: list[Callable[[], Numbers]] = [
        lambda: np.full(keys, 150),
        lambda: np.clip(chance.lognormal(6.5, 1, keys), 20, 400 * 1024),
        lambda: np.full(keys, 10_240),
    ]
    return HashedTable.spread(lengths[chance.integers(5)](), item_bytes[chance.integers(3)](), seed), chance


@pytest.mark.parametrize(
    ("tables", "least"), [(range(0, 125, 2), 0.88), pytest.param(range(500), 0.93, marks=pytest.mark.long)]
)
def test_the_interval_holds_the_number_of_keys(tables: range, least: float) -> None:
    held, errors = [], []
    for seed in tables:
        table, chance = random_table(seed)
        knows, stale = chance.random() < 0.7, chance.choice([1.0, 1.0, 1.0, 0.01, 10.0])
        plan = table.plan(knows=knows, strategy="skip" if chance.random() < 0.85 else "page")
        keys = sampled(table, plan, items=int(table.items * stale), seed=seed, knows=knows).keys
        held.append(keys.low <= table.keys <= keys.high)
        errors.append(abs(keys.estimate - table.keys) / max(table.keys, 1))
    assert np.mean(held) >= least
    assert np.median(errors) <= 0.07  # 4.6 % over a thousand: a sample takes a twentieth of a run at most
