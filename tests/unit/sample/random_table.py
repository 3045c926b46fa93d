"""Random tables that a run can be made over for real, and what each way to list their keys then takes."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from skipscan.dynamodb.page import Page
from skipscan.pace.bounds import Bounds, Clock, Pause
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, first_progress
from tests.unit.sample.hashed_table import HashedTable, Numbers

MOST_BYTES = 400 * 1024


def random_table(seed: int, most_keys: float = 100_000) -> HashedTable:
    """Three keys or more; collections of all kinds of lengths; items of 20 bytes to 400 KB."""
    chance = np.random.default_rng(seed)
    keys = int(10 ** chance.uniform(0.5, np.log10(most_keys)))
    lengths: list[Callable[[], Numbers]] = [
        lambda: np.ones(keys),
        lambda: chance.geometric(1 / 3, keys),
        lambda: chance.geometric(0.05, keys),
        lambda: np.minimum(1 + chance.pareto(1.1, keys), 20_000),
        lambda: np.ceil(chance.lognormal(2.5, 1.5, keys)),
        lambda: np.full(keys, 1000),
        lambda: np.where(chance.random(keys) < 0.01, 5000, chance.geometric(0.5, keys)),
        lambda: np.where(chance.random(keys) < 0.12, chance.integers(60, 220, keys), chance.integers(1, 10, keys)),
    ]
    item_bytes: list[Callable[[], Numbers]] = [
        lambda: np.full(keys, 10 ** chance.uniform(1.6, 4.2)),
        lambda: np.clip(chance.lognormal(6.5, 1, keys), 20, MOST_BYTES),
        lambda: np.full(keys, 10 ** chance.uniform(2, 3)),
    ]
    patterns: list[Callable[[], Numbers | None]] = [
        lambda: None,
        lambda: np.clip(chance.normal(1, 0.2, 997), 0.2, 2),
        lambda: chance.uniform(0.2, 1.8, 997),
        lambda: chance.lognormal(-0.32, 0.8, 997),
    ]
    drawn = lengths[chance.integers(len(lengths))](), item_bytes[chance.integers(len(item_bytes))]()
    return HashedTable.spread(*drawn, seed, patterns[chance.integers(len(patterns))]())


def uneven(seed: int) -> HashedTable:
    """2,000 keys, of which one in a hundred has items of 200 KB: these hold nearly all of the bytes."""
    chance = np.random.default_rng(seed)
    lengths = chance.geometric(1 / 40, 2_000)
    return HashedTable.spread(lengths, np.where(chance.random(2_000) < 0.01, 200_000, 300), seed)


class Timer:
    """Advances when a caller sleeps."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Scanned(Protocol):
    """A table that answers the requests of a batch."""

    def scan(self, segments: int, request: Request) -> Page: ...


def run(table: Scanned, plan: Plan) -> ScanCounts:
    """Return what a whole run consumes: every worker with its own share, beginning as one that knows nothing."""
    counts = ScanCounts()
    for worker in range(plan.workers):
        clock = Timer()
        start = first_progress(plan, worker)
        batch = Batch(plan, start, bounds=Bounds(), clock=Clock(clock), random=lambda: 0.0, write=len)
        while (step := batch.take()) is not None:
            if isinstance(step, Pause):
                clock.now += step.seconds
            else:
                batch.give(step, table.scan(plan.segments, step))
        counts += batch.counts
    return counts
