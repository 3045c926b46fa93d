"""The cost of a sample: less than reading the table whole, and a twentieth of its run."""

from collections.abc import Callable

import numpy as np
import pytest

from skipscan.sample.walks import LEAST_UNITS
from tests.unit.sample.hashed_table import HashedTable, Numbers
from tests.unit.sample.random_table import random_table, run
from tests.unit.sample.sampled import sampled

pytestmark = pytest.mark.slow

KEYS = 8_000

LENGTHS: dict[str, Callable[[np.random.Generator], Numbers]] = {
    "1 item": lambda chance: np.ones(KEYS),
    "1 to 4": lambda chance: chance.integers(1, 5, KEYS),
    "12": lambda chance: np.full(KEYS, 12),
    "geometric, mean 40": lambda chance: chance.geometric(1 / 40, KEYS),
    "1 or 300": lambda chance: np.where(chance.random(KEYS) < 0.2, 300, 1),
    "Pareto 1.5": lambda chance: np.minimum(1 + chance.pareto(1.5, KEYS) * 3, 30_000),
    "lognormal, median 100": lambda chance: np.ceil(chance.lognormal(4.6, 1.0, KEYS)),
}
BYTES: dict[str, Callable[[np.random.Generator], Numbers]] = {
    "64 B": lambda chance: np.full(KEYS, 64),
    "400 B": lambda chance: np.full(KEYS, 400),
    "lognormal, median 1 KB": lambda chance: np.clip(chance.lognormal(7.0, 0.8, KEYS), 50, 400_000),
    "6 KB": lambda chance: np.full(KEYS, 6_000),
    "1 in 200 is 200 KB": lambda chance: np.where(chance.random(KEYS) < 0.005, 200_000, 300),
}
RUN_PART = 0.05
SMALL = 60
SHOWN = {("1 item", "64 B"), ("1 to 4", "400 B"), ("1 to 4", "1 in 200 is 200 KB"), ("12", "64 B")}
"""Tried with every run of the tests; the others, some of which are walked for half a minute, with the long ones."""


def shape(length: str, size: str) -> HashedTable:
    """Return the table with so many items a key and such sizes."""
    number = 77_001 + list(LENGTHS).index(length) * len(BYTES) + list(BYTES).index(size)
    chance = np.random.default_rng(number)
    return HashedTable.spread(LENGTHS[length](chance), BYTES[size](chance), number)


def test_a_table_of_known_size_never_costs_a_sample_more_than_reading_all_of_it() -> None:
    for seed in range(SMALL):
        small = random_table(30_000 + seed, 2_000)
        whole, sample = small.full_scan(1)[0], sampled(small, small.plan(strategy="skip"), seed=seed)
        assert sample.read_units <= whole, seed
        if whole <= LEAST_UNITS:
            assert sample.keys.low == sample.keys.high == small.keys, seed


def test_a_small_table_of_many_items_is_read_in_one_page() -> None:
    many = HashedTable.spread(np.ones(2_700), np.full(2_700, 50), 1)
    sample = sampled(many, many.plan(strategy="skip"))
    assert (sample.read_units, sample.requests) == (many.full_scan(1)[0], 1)


def test_a_table_of_unknown_size_costs_a_sample_no_more_than_the_least_that_any_may_take() -> None:
    for seed in range(SMALL):
        small, taken = random_table(30_000 + seed, 2_000), list[float]()
        sample = sampled(small, small.plan(knows=False, strategy="skip"), knows=False, seed=seed, taken=taken)
        part = RUN_PART * small.full_scan(1)[0]
        assert sample.read_units <= max(LEAST_UNITS, part) + max(taken), seed


@pytest.mark.parametrize(
    ("length", "size"),
    [
        pair if pair in SHOWN else pytest.param(*pair, marks=pytest.mark.long)
        for pair in ((length, size) for length in LENGTHS for size in BYTES)
        if pair != ("lognormal, median 100", "6 KB")
    ],
)
def test_a_sample_takes_a_twentieth_of_the_run_at_most(length: str, size: str) -> None:
    """Or 22 read units, and one page whose items are larger than any before, which is unknown before the read."""
    sampled_table, taken = shape(length, size), list[float]()
    plan = sampled_table.plan(strategy="skip")
    sample = sampled(sampled_table, plan, seed=5, taken=taken)
    # What the sample expects of a run of some 400 units may be a tenth too much.
    assert sample.read_units <= max(1.1 * LEAST_UNITS, RUN_PART * run(sampled_table, plan).read_units) + max(taken)
