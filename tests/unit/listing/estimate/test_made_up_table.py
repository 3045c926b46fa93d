"""The pages of an imaginary table cost what DynamoDB bills for such items: 4 KB a step, and a started one counts."""

from collections import Counter
from itertools import repeat
from random import Random

import numpy as np
import pytest

from skipscan.listing.estimate.item_size import ItemSize
from skipscan.listing.estimate.rehearsal import SimulatedTable, Simulation
from skipscan.listing.estimate.sample import Lengths
from tests.unit.listing.estimate.hashed_table import HashedTable


def table(mean_bytes: float, length: int = 10, *, seen: ItemSize | None = None) -> SimulatedTable:
    """Return a table whose items have nearly one size, and whose collections have one length."""
    return SimulatedTable(repeat(length), mean_bytes, 0.001, seen or ItemSize(), Random(1))


@pytest.mark.parametrize(
    ("mean_bytes", "limit", "steps"), [(100.0, 1, 1), (100.0, 40, 1), (100.0, 42, 2), (4000.0, 1, 1), (9000.0, 2, 5)]
)
def test_a_page_takes_the_steps_of_its_items(mean_bytes: float, limit: int, steps: int) -> None:
    assert table(mean_bytes).page(limit, ahead=1000).steps == steps


def test_an_empty_page_takes_a_step() -> None:
    page = table(100.0).page(10, ahead=0)
    assert (page.evaluated, page.places, page.steps, page.is_last) == (0, [], 1, True)


def test_a_page_finds_the_collections_that_begin_in_it() -> None:
    page = table(100.0, length=10).page(25, ahead=1000)
    assert (page.evaluated, page.places, page.is_last) == (25, [0, 10, 20], False)
    last = table(100.0, length=10).page(25, ahead=2)
    assert (last.evaluated, last.places, last.is_last) == (20, [0, 10], True)


def test_a_rehearsal_learns_the_sizes_of_items_as_a_run_does() -> None:
    """Pages that expect small items are too long at first, and only at first."""
    large = HashedTable.spread(np.full(1000, 50), np.full(1000, 6000), seed=1)
    rehearsal = Simulation(Lengths(ended=Counter({50: 100})), ItemSize(mean_bytes=6000.0, spread=0.01), seed=1)
    known, unknown = (large.plan(knows=knows, segments=1) for knows in (True, False))

    def read_units(keys: int) -> list[float]:
        return [rehearsal.run(plan, keys, number=1).read_units for plan in (known, unknown)]

    informed, surprised = read_units(1)
    assert surprised > 2 * informed
    informed, surprised = read_units(300)
    assert surprised < 1.1 * informed
