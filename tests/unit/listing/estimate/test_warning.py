"""Warnings before a run."""

import re
from math import inf

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.estimate.cost import Concurrency
from skipscan.listing.estimate.offer import Facts, Offer
from skipscan.listing.estimate.warning import bounds_stated, warnings
from skipscan.listing.execution_input import ExecutionInput
from skipscan.sample.interval import Consumption, Interval
from tests.fakes.small_table import reading


def test_what_a_budget_can_be_exceeded_by_is_in_its_own_words() -> None:
    (warning,) = bounds_stated(ExecutionInput("Audit"), reading(max_dollars=0.01))
    assert re.match(r"The run can exceed its budget by at most \$0\.0\d+: ", warning), warning


KEY = {
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}
INDEX = {**KEY, "IndexName": "by-pk"}


def described(items: int = 0, capacity: int = 0, index: str | None = None) -> Facts:
    document = {
        **KEY,
        **{"ItemCount": items, "ProvisionedThroughput": {"ReadCapacityUnits": capacity}},
        "GlobalSecondaryIndexes": [INDEX],
    }
    return Facts.described("Orders", TableDescription.from_json(document), index)


def way(strategy: str, units: float | Interval = 100.0) -> Offer:
    read_units = units if isinstance(units, Interval) else Interval.exactly(units)
    return Offer(strategy, Consumption(read_units, Interval.exactly(1.0)), Concurrency(reading(), 100.0), "sample")


def warned(*offers: Offer, facts: Facts | None = None, most_keys: float = 1.0) -> list[str]:
    by_strategy = {offer.strategy: offer for offer in offers}
    return [*warnings(facts or described(), Interval(0.0, 0.0, most_keys), by_strategy, None, "keys")]


@pytest.mark.parametrize(
    ("items", "said"), [(0, "DescribeTable counts the items within"), (1, "DescribeTable counts 1 item;")]
)
def test_keys_without_a_bound_are_warned_of(items: int, said: str) -> None:
    (warning,) = warned(way("full scan"), facts=described(items), most_keys=inf)
    assert said in warning


@pytest.mark.parametrize(
    ("full", "most_keys", "is_warned"),
    [
        (way("full scan"), 1.0, False),
        (way("full scan", Interval(100.0, 0.0, inf)), 1.0, True),
        (way("full scan", Interval(100.0, 0.0, inf)), 0.0, False),
        (way("skip scan"), 1.0, True),
        (way("skip scan"), 0.0, False),
    ],
)
def test_a_full_scan_without_a_bound_is_warned_of_unless_no_key_is_there(
    full: Offer, most_keys: float, is_warned: bool
) -> None:
    found = warned(full, most_keys=most_keys)
    assert ["The read units of a full scan have no upper bound" in said for said in found] == [True] * is_warned
