"""What a run is expected to take, from its sample: time, and the batches that its keys, bytes and pages fill."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.estimate.explanation import Explanation, explain
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.listing.planning import sampled_workload
from skipscan.pace.bounds import Bounds
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.sampled import sampled

pytestmark = pytest.mark.slow

KEYS, ITEM_BYTES = 20_000, 200
TABLE = HashedTable.spread(np.full(KEYS, 1), np.full(KEYS, ITEM_BYTES), seed=1)
KEY = {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}


@cache
def explained(asked: str) -> Explanation:
    """Return the explanation of an input in JSON; it takes half a second."""
    described = TableDescription.from_json(
        {
            "TableStatus": "ACTIVE",
            "KeySchema": KEY,
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "N"} for name in ("pk", "sk")],
            "ItemCount": TABLE.items,
            "TableSizeBytes": TABLE.size_bytes,
        }
    )
    document = parse({"table": "Hashed", **json.loads(asked)})
    decided = plan_listing(document, described)
    return explain(document, decided, described, sample=sampled(TABLE, decided))


def batches(bounds: Bounds, **asked: Any) -> float:
    workload = sampled_workload(explained(json.dumps(asked)), bounds)
    assert workload
    return workload.batches


def test_a_budget_ends_a_run_before_it_fills_them() -> None:
    assert batches(Bounds(keys=100), max_read_units=50) < 0.2 * batches(Bounds(keys=100))
