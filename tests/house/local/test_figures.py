"""The comparison's figures are the code's: the demo's table, listed by the product's own batch in a simulated Scan."""

from __future__ import annotations

from functools import cache
from hashlib import md5
from statistics import median

import numpy as np
import pytest

from benchmarks.limit.ours import ours
from benchmarks.limit.table import STEP_UNITS, Table
from local import figures, sample_table
from local.report import DEPLOYED, FULL, HERE, LIMIT_1, PARALLEL, Way
from tests.fakes.item_size import item_bytes

pytestmark = pytest.mark.slow

RUNS, DRIFT = 9, 0.10
SAID = figures.read(figures.PAGE.read_text(encoding="utf-8"))


@cache
def table() -> Table:
    """The demo's table as a scan meets it: its customers by their hash."""
    orders = sample_table.customers()
    sizes: dict[str, list[int]] = {customer: [] for customer in orders}
    for item in sample_table.items(orders):
        sizes[item["customer"]["S"]].append(item_bytes(dict(item)))
    by_hash = sorted(sizes, key=lambda customer: md5(customer.encode(), usedforsecurity=False).digest())
    lengths = np.array([len(sizes[customer]) for customer in by_hash])
    return Table.of(lengths, np.concatenate([sizes[customer] for customer in by_hash]))


@pytest.mark.slow
@pytest.mark.parametrize("way", [DEPLOYED, HERE])
def test_ours_has_not_drifted(way: str) -> None:
    runs = [ours(table(), seed=seed, is_known=False).bill for seed in range(RUNS)]
    requests, read_units = SAID[way]
    assert median(run.requests for run in runs) == pytest.approx(requests, rel=DRIFT)
    assert median(run.read_units for run in runs) == pytest.approx(read_units, rel=DRIFT)


def test_limit_1_is_one_page_for_each_customer_and_one_that_finds_nothing() -> None:
    assert SAID[LIMIT_1] == (table().collections + 1, table().collections * STEP_UNITS)


@pytest.mark.parametrize("way", [FULL, PARALLEL])
def test_a_full_scan_reads_every_byte(way: str) -> None:
    read_units = SAID[way][1]
    assert read_units == pytest.approx(table().bytes[-1] / 4096 * STEP_UNITS, rel=0.01)


def test_what_is_written_is_read_again() -> None:
    text = figures.PAGE.read_text(encoding="utf-8")
    ways = [Way(name, 400, int(counts[0]) + 1, counts[1] + 0.5, 1.0, 0.1) for name, counts in SAID.items()]
    assert figures.read(figures.written(text, ways)) == {way.name: (way.requests, way.read_units) for way in ways}


def test_a_median_is_taken_of_each_figure() -> None:
    runs = [Way("any", 400, requests, units, 1.0, 0.1) for requests, units in ((1, 9.0), (2, 7.0), (3, 8.0))]
    assert figures.medians(runs) == Way("any", 400, 2, 8.0, 1.0, 0.1)
