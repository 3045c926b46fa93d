"""What a run is expected to take, from its sample: time, and the batches that its keys, bytes and pages fill."""

from typing import Any

import numpy as np
import pytest

from skipscan.listing.planning import sampled_workload
from skipscan.pace.bounds import Bounds
from tests.unit.listing.estimate.test_explanation import explained
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
