"""The sample's figures over random tables: how often its intervals hold, and how far its estimates are off.

The tables are the same each time.
"""

from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.sample.hashed_table import HashedTable, Numbers
from tests.unit.sample.sampled import sampled

pytestmark = pytest.mark.slow


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
