"""What a run is expected to take, from its sample: time, and the batches that its keys, bytes and pages fill."""

from typing import Any

import numpy as np
import pytest

from skipscan.listing.estimate.offer import SKIP
from skipscan.listing.planning import sampled_workload
from skipscan.pace.bounds import Bounds
from tests.unit.listing.estimate.test_explanation import explained, table
from tests.unit.sample.hashed_table import HashedTable

pytestmark = pytest.mark.slow

KEYS, ITEM_BYTES = 20_000, 200
TABLE = HashedTable.spread(np.full(KEYS, 1), np.full(KEYS, ITEM_BYTES), seed=1)


def batches(bounds: Bounds, **asked: Any) -> float:
    workload = sampled_workload(explained(TABLE, {**asked, "dry_run": False}), bounds)
    assert workload
    return workload.batches


def test_a_budget_ends_a_run_before_it_fills_them() -> None:
    assert batches(Bounds(keys=100), max_read_units=50) < 0.2 * batches(Bounds(keys=100))


def test_a_count_is_planned_by_its_groups_where_nothing_tells_the_size_of_those_that_no_page_met() -> None:
    count = {"take": {"count": {"up_to": 20}}, "dry_run": False}
    large = table(20_000, 40)
    known, unknown = explained(large, count), explained(large, count, TableSizeBytes=0, ItemCount=0)
    assert not unknown.offers[SKIP].read_units.is_bounded
    assert unknown.plan.segments == pytest.approx(known.plan.segments, rel=0.3)
    assert sampled_workload(unknown, Bounds()) is not None
    dear = HashedTable.spread(np.full(3_000, 300), np.full(3_000, 50_000), seed=1)
    nothing = explained(dear, {"take": {"count": {"up_to": 300}}})
    assert not nothing.sample.ended
    assert nothing.plan.segments >= 16
