"""What the kind of work that lists keys says of a plan."""

import numpy as np

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.estimate.explanation import explain
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import expected_keys
from skipscan.listing.plan import plan_listing
from tests.unit.sample.hashed_table import HashedTable
from tests.unit.sample.sampled import sampled

LARGE = HashedTable.spread(np.full(100, 1), np.full(100, 300_000), seed=1)
NEW = TableDescription.from_json(
    {
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}],
    }
)


def test_a_sample_that_cannot_estimate_the_run_expects_no_number_of_keys() -> None:
    """The first page of a new table takes all that a sample may, and DescribeTable has not counted the table yet."""
    asked = parse({"table": "Hashed", "dry_run": True})
    decided = plan_listing(asked, NEW)
    explanation = explain(asked, decided, NEW, sample=sampled(LARGE, decided, knows=False)).to_json()
    assert explanation["choice"]["expected"] is None
    assert expected_keys({"explanation": explanation}) is None
