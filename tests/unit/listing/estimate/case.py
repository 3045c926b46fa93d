"""A random table with a plan as a user may request it, and its sample."""

from typing import NamedTuple, Self

import numpy as np

from skipscan.sample.sample import Sample
from skipscan.scan.plan import Plan
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.random_table import random_table
from tests.unit.sample.sampled import sampled


class Case(NamedTuple):
    """`plan.item_bytes` is 0 where DescribeTable does not know the table's size."""

    table: HashedTable
    plan: Plan
    sample: Sample

    @classmethod
    def drawn(cls, seed: int, most_keys: float = 100_000) -> Self:
        chance = np.random.default_rng(10_000_000 + seed)
        table = random_table(seed, most_keys)
        workers = int(chance.choice([1, 1, 1, 2, 4]))
        segments = int(max(workers, 10 ** chance.uniform(0, np.log10(max(table.keys / 8, 2)))))
        optimize = str(chance.choice(["balanced", "balanced", "cost", "speed"]))
        knows = bool(chance.random() < 0.7)
        plan = table.plan(knows=knows, strategy="skip", segments=segments, workers=workers, optimize=optimize)
        sample = sampled(table, plan, seed=seed, knows=knows)
        return cls(table, plan, sample)
